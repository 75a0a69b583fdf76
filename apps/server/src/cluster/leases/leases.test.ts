import type { Clock } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { hasNats, type NatsServer, startConfiguredNats, startNats } from '../../testing/nats-server.ts'
import { startTcpRelay } from '../../testing/tcp-relay.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { leaseBucket } from '../nats/subjects.ts'
import { leaseMs, type Leases, makeLeaseBucket, openLeases } from './leases.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const throwing = (error: unknown) => {
  throw error
}
const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 2] a lease', () => {
  let server: NatsServer
  let buses: Bus[]
  const lastRevision = async ({ manager }: Bus) =>
    (await manager.streams.info(`KV_${leaseBucket}`)).state.last_seq
  const open = async (
    holder: string,
    port = server.port,
    clock: Pick<Clock, 'after' | 'monotonic'> = realClock,
  ): Promise<Leases> => {
    const settings = { servers: [`127.0.0.1:${port}`], isEncrypted: false }
    const bus = await openBus(settings, {
      name: holder,
      clock: realClock,
      onLost: () => {},
      onBack: () => {},
    })
    buses.push(bus)
    return openLeases({ bus, holder, site: 'main', clock, onFault: throwing })
  }
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.remove())
  beforeEach(() => void (buses = []))
  afterEach(async () => {
    for (const bus of buses) await bus.close()
  })

  test('[N 2] is claimed again, with a later fence, after the servers have lost all', async () => {
    const a = await open('a')
    const before = await a.claim({ site: 'main', source: 'lost' }, () => {})
    await before!.release()
    await buses[0]!.manager.streams.delete(`KV_${leaseBucket}`)
    expect([...(await a.holders('main')).keys()]).toEqual([])
    const after = await a.claim({ site: 'main', source: 'lost' }, () => {})
    expect(after!.fence > before!.fence).toBe(true)
    await after!.release()
  })

  test('has a later fence than those before in a bucket that another process has made again, after many entries', async () => {
    const name = { site: 'main', source: 'ten' } as const
    const a = await open('a')
    const { streams } = buses[0]!.manager
    await streams.delete(`KV_${leaseBucket}`)
    const b = await open('b')
    await streams.delete(`KV_${leaseBucket}`)
    for (let n = 0; n < 3; n++) await (await a.claim(name, () => {}))!.release()
    const before = await a.claim(name, () => {})
    await before!.release()
    const after = await b.claim(name, () => {})
    expect(after!.fence > before!.fence).toBe(true)
    await after!.release()
  })

  test('has a later fence when the line of its process is back, if the servers have lost all meanwhile', async () => {
    const relay = await startTcpRelay(server.port)
    const name = { site: 'main', source: 'seven' } as const
    const [a, b] = [await open('a'), await open('b', relay.port)]
    relay.cut()
    await expect.poll(() => buses[1]!.isUp, limit).toBe(false)
    await buses[0]!.manager.streams.delete(`KV_${leaseBucket}`)
    const before = await a.claim(name, () => {})
    await before!.release()
    relay.thaw()
    await expect.poll(() => buses[1]!.isUp, limit).toBe(true)
    const after = await b.claim(name, () => {})
    expect(after!.fence > before!.fence).toBe(true)
    await after!.release()
    relay.close()
  })

  test('belongs to one process, and to the next one when it is released, with a later fence', async () => {
    const [a, b] = [await open('a'), await open('b')]
    const claims = await Promise.all(
      [a, b, a, b].map((own) => own.claim({ site: 'main', source: 'source one' }, () => {})),
    )
    const held = claims.filter((one) => one !== undefined)
    expect(held).toHaveLength(1)
    expect(held[0]!.isHeld()).toBe(true)
    expect([...(await b.holders('main')).keys()]).toContain('source one')
    await held[0]!.release()
    expect(held[0]!.isHeld()).toBe(false)
    const next = await b.claim({ site: 'main', source: 'source one' }, () => {})
    expect(next!.fence > held[0]!.fence).toBe(true)
    await next!.release()
  })

  test('of another process is left alone: nothing is written that the servers would refuse', async () => {
    const [a, b] = [await open('a'), await open('b')]
    const name = { site: 'main', source: 'eight' } as const
    // a subscriber sees all that is published to the subjects of the bucket, also what the servers refuse to store
    const { nats } = buses[1]!
    const written: string[] = []
    nats.subscribe(`$KV.${leaseBucket}.>`, { callback: (_, message) => void written.push(message.string()) })
    const held = await a.claim(name, () => {})
    for (let n = 0; n < 5; n++) expect(await b.claim(name, () => {})).toBeUndefined()
    await held!.release()
    const next = await b.claim(name, () => {})
    await next!.release()
    await nats.flush()
    // claimed and returned by each; a renewal may come in between
    expect(written.filter((text, n) => text !== written[n - 1])).toEqual(['a', '', 'b', ''])
  })

  describe('of servers that do not find what they have acknowledged', () => {
    const stream = `KV_${leaseBucket}`
    const createdIn = async ({ manager }: Bus) => (await manager.streams.info(stream)).created
    /** `onGet` is called with each reading of an entry; true: it is found, as the first one of `a`. */
    const startForgetful = async (onGet: () => Promise<boolean> | boolean | void = () => {}) => {
      const forgetful = await startConfiguredNats(`
        jetstream {}
        no_auth_user: pulse
        accounts {
          PULSE { jetstream: enabled, users: [{ user: pulse, password: p }],
            mappings: { "$JS.API.STREAM.MSG.GET.${stream}": "forgotten" } } }`)
      onTestFinished(() => forgetful.remove())
      let aheadMs = 0
      const clock = { ...realClock, monotonic: () => realClock.monotonic() + aheadMs }
      const [a, b] = [await open('a', forgetful.port, clock), await open('b', forgetful.port, clock)]
      const [bus] = buses as [Bus]
      const notFound = { error: { code: 404, err_code: 10_037, description: 'no message found' } }
      bus.nats.subscribe('forgotten', {
        callback(_, message) {
          const entry = {
            subject: message.json<{ last_by_subj: string }>().last_by_subj,
            seq: 1,
            data: btoa('a'),
            time: new Date().toISOString(),
          }
          void Promise.resolve(onGet()).then((isFound) =>
            message.respond(JSON.stringify(isFound ? { message: entry } : notFound)),
          )
        },
      })
      return { a, b, bus, stop: (ms: number) => void (aheadMs += ms) }
    }

    test('is given to no one; a new bucket is made', async () => {
      const { a, b, bus } = await startForgetful()
      const before = await createdIn(bus)
      const name = { site: 'main', source: 'nine' } as const
      await expect(a.claim(name, () => {})).rejects.toThrow('does not find')
      expect(await b.claim(name, () => {})).toBeUndefined()
      expect(await createdIn(bus)).not.toBe(before)
    })

    test('may have been in a bucket that another process has replaced meanwhile: that one stays', async () => {
      let gets = 0
      let replaced: Promise<string> | undefined
      // the entry is written after the first one, and again after the fourth one
      const { a, bus } = await startForgetful(() => {
        const n = ++gets
        if (n === 2) replaced = replace()
        return n > 2 ? replaced!.then(() => n > 4) : false
      })
      async function replace() {
        await bus.manager.streams.delete(stream)
        await makeLeaseBucket(bus, leaseBucket, 1)
        return createdIn(bus)
      }
      const lease = await a.claim({ site: 'main', source: 'nine' }, () => {})
      expect(await createdIn(bus)).toBe(await replaced)
      expect(lease!.fence).toContain(String(Date.parse((await replaced)!)))
    })

    test('was made after it was looked for: servers that answer late take no time from it', async () => {
      let gets = 0
      const { a, stop } = await startForgetful(() => {
        stop(3_000)
        return ++gets > 1
      })
      const lease = await a.claim('leader', () => {}, { renewMs: 60_000, trustedMs: 5_900 })
      expect(lease!.isHeld()).toBe(true)
    })

    test('may simply have ended: a process that was stopped while it claimed one takes the bucket of no other', async () => {
      let gets = 0
      const { a, bus, stop } = await startForgetful(() => {
        // the first one is before the claim
        if (++gets === 2) stop(leaseMs)
      })
      const before = await createdIn(bus)
      expect(await a.claim({ site: 'main', source: 'nine' }, () => {})).toBeUndefined()
      expect(await createdIn(bus)).toBe(before)
    })
  })

  test('ends with its process, and its holder knows it before another one has it', async () => {
    const [a, b] = [await open('a'), await open('b')]
    let lost = false
    const first = await a.claim({ site: 'main', source: 'two' }, () => (lost = true))
    // as a process that is killed: nothing is renewed, nothing returned
    await buses[0]!.close()
    let second: Awaited<ReturnType<Leases['claim']>>
    await expect
      .poll(async () => {
        const heldBefore = first!.isHeld()
        second = await b.claim({ site: 'main', source: 'two' }, () => {})
        if (second) expect(heldBefore).toBe(false)
        return second !== undefined
      }, limit)
      .toBe(true)
    expect(second!.fence > first!.fence).toBe(true)
    expect(lost).toBe(true)
    await second!.release()
  })

  test('is renewed for as long as its process runs, and outlives a restart of the server', async () => {
    const [a, b] = [await open('a'), await open('b')]
    let losses = 0
    const own = await a.claim({ site: 'main', source: 'three' }, () => losses++)
    await server.halt()
    await server.rise()
    await expect.poll(() => buses.every(({ isUp }) => isUp), limit).toBe(true)
    const from = performance.now()
    const heldMs = async () => {
      expect(await b.claim({ site: 'main', source: 'three' }, () => {})).toBeUndefined()
      return performance.now() - from
    }
    await expect.poll(heldMs, { ...limit, interval: 500 }).toBeGreaterThan(leaseMs + 3_000)
    expect([losses, own!.isHeld()]).toEqual([0, true])
    await own!.release()
  })

  test('goes on when the answer to a renewal was lost', async () => {
    const relay = await startTcpRelay(server.port)
    const clock = fakeClock()
    const a = await open('a', relay.port, clock)
    const revision = () => lastRevision(buses[0]!)
    let losses = 0
    const own = await a.claim({ site: 'main', source: 'five' }, () => losses++)
    const b = await open('b')
    const claimed = await lastRevision(buses[1]!)
    relay.freezeAnswers()
    await clock.advance(2_000)
    await expect.poll(() => lastRevision(buses[1]!), limit).toBe(claimed + 1)
    // the next renewal begins when the client waits for the answer no more
    const { outMsgs } = buses[0]!.nats.stats()
    await clock.advance(2_000)
    await expect.poll(() => buses[0]!.nats.stats().outMsgs, limit).toBeGreaterThan(outMsgs)
    relay.thaw()
    await expect.poll(revision, limit).toBe(claimed + 2)
    await clock.advance(4_000)
    expect([losses, own!.isHeld()]).toEqual([0, true])
    expect(await b.claim({ site: 'main', source: 'five' }, () => {})).toBeUndefined()
    await own!.release()
    expect((await b.holders('main')).has('five')).toBe(false)
    relay.close()
  })

  test('that its process could not renew in time is its own again at once', async () => {
    const clock = fakeClock()
    const a = await open('a', server.port, clock)
    let isTaken: boolean | undefined
    const before = await a.claim({ site: 'main', source: 'six' }, (taken) => (isTaken = taken), {
      renewMs: 60_000,
      trustedMs: 1_000,
    })
    await clock.advance(1_000)
    expect([isTaken, before!.isHeld()]).toEqual([false, false])
    const after = await a.claim({ site: 'main', source: 'six' }, () => {})
    expect(after!.fence > before!.fence).toBe(true)
    await after!.release()
  })

  test('is lost while the server hangs, by the clock of its holder', async () => {
    const a = await open('a')
    let lost = false
    const own = await a.claim({ site: 'main', source: 'four' }, () => (lost = true))
    server.freeze()
    await expect.poll(() => lost, limit).toBe(true)
    expect(own!.isHeld()).toBe(false)
    server.thaw()
    await expect.poll(() => buses.at(-1)!.isUp, limit).toBe(true)
  })
})
