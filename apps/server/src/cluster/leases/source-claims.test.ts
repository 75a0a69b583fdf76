import { fakeClock } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { openLeases } from './leases.ts'
import { openPresence } from '../presence.ts'
import type { Lease } from './held-lease.ts'
import { claimSources, type SourceClaims } from './source-claims.ts'
import { leaseBucket } from '../nats/subjects.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }

interface Collector {
  id: string
  bus: Bus
  claims: SourceClaims
  faults: unknown[]
  leave(): Promise<void>
}

describe.skipIf(!found)('[N 3] the sources of several collectors', () => {
  let server: NatsServer
  let running: Collector[]
  let costs: Map<string, number>
  /** by source: who collects it now, as a cluster would see its calls */
  let collecting: Map<string, Set<string>>
  let twice: string[]
  let claimed: string[]
  /** steps of all collectors */
  let looks: number

  const open = (name: string) =>
    openBus(
      { servers: [`127.0.0.1:${server.port}`], isEncrypted: false },
      { name, clock: realClock, onLost: () => {}, onBack: () => {} },
    )

  async function start(id: string, site = 'main', own = () => costs): Promise<Collector> {
    const bus = await open(id)
    let moves = 0
    const faults: unknown[] = []
    const onFault = (error: unknown) => void faults.push(error)
    const card = {
      id,
      host: id,
      version: '1.0.0',
      roles: ['collect'] as const,
      site,
      leads: false,
      sources: 0,
      waiting: 0,
      startedAt: Date.now(),
    }
    const presence = await openPresence({ bus, own: () => ({ ...card, moves }), clock: realClock, onFault })
    const claims = claimSources({
      leases: await openLeases({ bus, holder: id, site, clock: realClock, onFault }),
      presence: {
        ofSite() {
          looks++
          return presence.ofSite()
        },
      },
      own: id,
      site,
      clock: realClock,
      costs: own,
      onClaimed(source) {
        moves++
        presence.renew()
        claimed.push(`${source} by ${id}`)
        const all = collecting.get(source) ?? new Set()
        collecting.set(source, all.add(id))
        if (all.size > 1) twice.push(source)
      },
      onGone(source) {
        moves++
        presence.renew()
        collecting.get(source)?.delete(id)
      },
      onFault,
    })
    const collector: Collector = {
      id,
      bus,
      claims,
      faults,
      async leave() {
        running = running.filter((one) => one !== collector)
        await claims.stop()
        await presence.leave()
        await bus.close()
      },
    }
    running.push(collector)
    return collector
  }
  const sourcesOf = ({ id }: Collector) =>
    [...collecting].filter(([, holders]) => holders.has(id)).map(([source]) => source)
  const shares = () => running.map((one) => sourcesOf(one).length).toSorted((a, b) => a - b)

  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.remove())
  beforeEach(() => {
    running = []
    collecting = new Map()
    twice = []
    claimed = []
    looks = 0
    costs = new Map(Array.from({ length: 12 }, (_, n) => [`source ${n}`, 1]))
  })
  afterEach(async () => {
    for (const collector of running) await collector.leave()
  })

  test('are spread evenly, also when a collector comes or leaves, and none has two', async () => {
    await start('a')
    await expect.poll(shares, limit).toEqual([12])
    const b = await start('b')
    await start('c')
    await expect.poll(shares, limit).toEqual([4, 4, 4])
    await b.leave()
    await expect.poll(shares, limit).toEqual([6, 6])
    expect(twice).toEqual([])
  })

  test('of one that was killed are with the others, and no more with itself', async () => {
    const [a] = [await start('a'), await start('b')]
    await expect.poll(shares, limit).toEqual([6, 6])
    running = running.filter((one) => one !== a)
    const lost = sourcesOf(a)
    await a.bus.close()
    await expect.poll(shares, limit).toEqual([12])
    expect(lost).toHaveLength(6)
    // the killed one has stopped by its own clock before
    expect([sourcesOf(a), twice]).toEqual([[], []])
  })

  test('[N 4] of two sites stay with the collectors of each, and none is claimed again and again', async () => {
    const ofBerlin = new Map([1, 2, 3].map((n) => [`berlin ${n}`, 1]))
    const [a, b] = [await start('a'), await start('b', 'berlin', () => ofBerlin)]
    const c = await start('c', 'berlin', () => ofBerlin)
    await expect.poll(shares, limit).toEqual([1, 2, 12])
    const settled = claimed.length
    const before = looks
    await expect.poll(() => looks, limit).toBeGreaterThan(before + 12)
    expect(claimed.length).toBe(settled)
    // no collector of the other site takes them over
    await b.leave()
    await c.leave()
    const left = looks
    await expect.poll(() => looks, limit).toBeGreaterThan(left + 4)
    expect(sourcesOf(a)).toHaveLength(12)
    expect(claimed.filter((one) => one.startsWith('berlin') === one.endsWith('by a'))).toEqual([])
    expect([a.faults, b.faults, c.faults, twice]).toEqual([[], [], [], []])
  })

  test('cost few requests while nothing changes, however many they are', async () => {
    costs = new Map(Array.from({ length: 60 }, (_, n) => [`source ${n}`, 1]))
    await Promise.all([start('a'), start('b')])
    const isResting = () => {
      const [few = 0, many = 0] = shares()
      return few + many === 60 && many - few <= 0.25 * 30
    }
    await expect.poll(isResting, limit).toBe(true)
    let reads = 0
    const counting = await open('counting')
    counting.nats.subscribe(`$JS.API.STREAM.MSG.GET.KV_${leaseBucket}`, { callback: () => void reads++ })
    await counting.nats.flush()
    const before = looks
    await expect.poll(() => looks - before, limit).toBeGreaterThanOrEqual(16)
    // each reads those of the other one every six seconds, not all with each look
    expect(reads).toBeLessThanOrEqual(300)
    await counting.close()
    expect(twice).toEqual([])
  })

  test('that are removed are returned, and new ones taken', async () => {
    const a = await start('a')
    await expect.poll(shares, limit).toEqual([12])
    costs = new Map([...[...costs].slice(0, 3), ['new', 7]])
    await expect
      .poll(() => sourcesOf(a).toSorted(), limit)
      .toEqual(['new', 'source 0', 'source 1', 'source 2'])
    expect(a.faults).toEqual([])
  })
})

describe('[N 3] sources of collectors', () => {
  const clock = fakeClock()
  let holders: Map<string, string>
  let moves: string[]
  /** Servers answer a claim after it. */
  let answering: Promise<void>
  beforeEach(() => {
    holders = new Map()
    moves = []
    answering = Promise.resolve()
  })

  function start(own: string, costs: ReadonlyMap<string, number>) {
    const claim = async ({ source }: { source: string }): Promise<Lease | undefined> => {
      await answering
      if (holders.has(source)) return undefined
      holders.set(source, own)
      return { fence: '1', isHeld: () => true, release: async () => void holders.delete(source) }
    }
    const cards = ['a', 'b'].map((id) => ({ id, site: 'main', roles: ['collect'] }))
    return claimSources({
      leases: { claim: (name) => claim(name as never), holders: async () => new Map(holders) },
      presence: { ofSite: async () => cards as never },
      own,
      site: 'main',
      clock,
      costs: () => costs,
      onClaimed: (source) => void moves.push(source),
      onGone() {},
      onFault(error) {
        throw error
      },
    })
  }

  test.each([
    ['at the same time', 0],
    ['in turn', 700],
  ])('that look %s move once a minute at most if they disagree about costs', async (_, afterMs) => {
    const costs = (x: number, y: number) => new Map(Object.entries({ x, y, z: 1 }))
    const started = [start('a', costs(8, 1))]
    await clock.advance(afterMs)
    started.push(start('b', costs(1, 8)))
    await clock.advance(60_000)
    moves.length = 0
    await clock.advance(10 * 60_000)
    // one in the first moment of ten minutes, and one in the last
    expect(moves.length).toBeLessThanOrEqual(11)
    for (const { stop } of started) await stop()
  })

  test('are returned before their collector has stopped, also one that it claims at that moment', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answering = promise
    const { stop } = start('a', new Map([['x', 1]]))
    await clock.advance(0)
    let hasStopped = false
    void stop().then(() => (hasStopped = true))
    await clock.advance(0)
    expect(hasStopped).toBe(false)
    resolve()
    await clock.advance(0)
    expect([hasStopped, moves, holders.size]).toEqual([true, [], 0])
  })
})
