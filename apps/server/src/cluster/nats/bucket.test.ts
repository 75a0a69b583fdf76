import { StorageType } from '@nats-io/jetstream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { hasNats, type NatsServer, startNats, startNatsCluster } from '../../testing/nats-server.ts'
import { openBucket } from './bucket.ts'
import { type Bus, openBus } from './bus.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const open = ({ port }: NatsServer): Promise<Bus> =>
  openBus(
    { servers: [`127.0.0.1:${port}`], isEncrypted: false },
    { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
  )
const options = { ttlMs: 60_000, storage: StorageType.Memory, replicas: 3 }
const limit = { timeout: within(60_000) }
const first = { text: 'first', saidAt: expect.any(Number) as number }

describe.skipIf(!found)('[N 6] a bucket on three NATS servers', () => {
  let servers: NatsServer[]
  let bus: Bus
  beforeAll(async () => {
    servers = await startNatsCluster(3)
    bus = await open(servers[0]!)
  })
  afterAll(async () => {
    await bus?.close()
    await Promise.all((servers ?? []).map((server) => server.remove()))
  })

  test('gives all entries, and no ended ones', async () => {
    const { kv, all } = await openBucket(bus, 'entries', options)
    expect(await all()).toEqual(new Map())
    await kv.put('a', 'first')
    await kv.put('b', 'second')
    await kv.delete('b')
    expect(await all()).toEqual(new Map([['a', first]]))
  })

  test('made with one copy has three when three are asked for', async () => {
    await openBucket(bus, 'grown', { ...options, replicas: 1 })
    const { kv } = await openBucket(bus, 'grown', options)
    expect((await kv.status()).streamInfo.config.num_replicas).toBe(3)
  })

  test('is read without fail while one of them hangs', async () => {
    const { kv, all } = await openBucket(bus, 'hanging', options)
    await kv.put('a', 'first')
    servers[2]!.freeze()
    await expect.poll(() => all().catch(() => undefined), limit).toEqual(new Map([['a', first]]))
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => all()))
    servers[2]!.thaw()
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  })
})

describe.skipIf(!found)('[N 6] a bucket on one NATS server', () => {
  test('has one copy', async () => {
    const server = await startNats()
    const bus = await open(server)
    const { kv, all } = await openBucket(bus, 'alone', { ...options, replicas: 1 })
    await kv.put('a', 'first')
    expect(await all()).toEqual(new Map([['a', first]]))
    await bus.close()
    await server.remove()
  })
})
