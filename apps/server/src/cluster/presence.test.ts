import { fakeClock } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { hasNats, type NatsServer, startNats } from '../testing/nats-server.ts'
import { existingBucket } from './nats/bucket.ts'
import { type Bus, openBus } from './nats/bus.ts'
import { makePresenceBucket, openPresence, type Presence } from './presence.ts'
import { presenceBucket, presenceBucketOf, token } from './nats/subjects.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(30_000) }

describe.skipIf(!found)('[N 2] the list of processes', () => {
  let server: NatsServer
  let bus: Bus
  let opened: Presence[]
  async function start(id: string, installation: string, clock = realClock, over = bus): Promise<Presence> {
    const card = {
      id,
      installation,
      host: `host of ${id}`,
      site: 'main',
      version: '1.0.0',
      roles: ['judge'] as const,
      startedAt: 1,
      leads: false,
      sources: 0,
      waiting: 0,
    }
    const presence = await openPresence({
      bus: over,
      own: () => card,
      clock,
      onFault(error) {
        throw error
      },
    })
    opened.push(presence)
    return presence
  }
  const idsOf = async ({ list }: Presence) => (await list()).map(({ id }) => id)

  beforeAll(async () => {
    server = await startNats()
    const settings = { servers: [`127.0.0.1:${server.port}`], isEncrypted: false }
    bus = await openBus(settings, { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} })
  })
  afterAll(async () => {
    await bus?.close()
    await server?.remove()
  })
  beforeEach(() => void (opened = []))
  afterEach(async () => {
    for (const { leave } of opened) await leave()
  })

  test('has those of one installation; one of another is refused, and listed nowhere', async () => {
    const a = await start('a', 'one')
    await start('b', 'one')
    await expect(start('c', 'another')).rejects.toThrow('another Pulse with a database of its own')
    expect(await idsOf(a)).toEqual(['a', 'b'])
  })

  test('is none if a site cannot be read, but has the other sites for those who can do without it', async () => {
    const berlin = presenceBucketOf('Berlin')
    await makePresenceBucket(bus, berlin, 1)
    // sites are not looked for again while its clock stands
    const a = await start('a', 'one', fakeClock())
    expect(await idsOf(a)).toEqual(['a'])
    await bus.manager.streams.delete(`KV_${berlin}`)
    await expect(a.list()).rejects.toThrow()
    expect((await a.readable()).map(({ id }) => id)).toEqual(['a'])
  })

  test('is none while it is unknown for a while which sites there are, but has those of before for those who can do without it', async () => {
    let canFind = true
    const names: typeof bus.manager.streams.names = () => {
      if (!canFind) throw new Error('the servers elect')
      return bus.manager.streams.names()
    }
    const streams = Object.assign(Object.create(bus.manager.streams) as typeof bus.manager.streams, { names })
    const manager = Object.assign(Object.create(bus.manager) as typeof bus.manager, { streams })
    const clock = fakeClock()
    const a = await start('a', 'one', clock, Object.assign(Object.create(bus) as Bus, { manager }))
    expect(await idsOf(a)).toEqual(['a'])
    canFind = false
    clock.sleep(5_000)
    expect(await idsOf(a)).toEqual(['a'])
    clock.sleep(2_000)
    await expect(a.list()).rejects.toThrow('which sites there are')
    expect((await a.readable()).map(({ id }) => id)).toEqual(['a'])
    canFind = true
    expect(await idsOf(a)).toEqual(['a'])
  })

  test.each([
    ['startedAt', 1e300],
    ['startedAt', -1],
    ['startedAt', 1.5],
    ['sources', -1],
    ['sources', 1e300],
    ['waiting', 0.5],
    ['roles', Array.from({ length: 100 }, () => 'judge')],
    ['roles', ['x'.repeat(1_000)]],
    ['host', 'x'.repeat(1_000)],
  ])('has no card whose %s is out of bounds', async (field, value) => {
    const a = await start('a', 'one')
    const [card] = await a.list()
    const { kv } = await existingBucket(bus, presenceBucket)
    const key = `${token('main')}.forged`
    await kv.put(key, JSON.stringify({ ...card, id: 'forged', [field]: value }))
    expect(await idsOf(a)).toEqual(['a'])
    await kv.delete(key)
  })

  test('has no place for an installation that has ended, however it did', async () => {
    const stopped = fakeClock()
    const old = await start('old', 'one', stopped)
    const other = await start('new', 'another')
    expect(await idsOf(other)).toEqual(['new'])
    await expect.poll(() => idsOf(old), limit).toEqual([])
  })
})
