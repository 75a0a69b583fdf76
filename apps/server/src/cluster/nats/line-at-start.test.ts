import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { urlOf } from '../../testing/database-of-tests.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts'
import { startTestServer } from '../../testing/server.ts'
import { startTcpRelay, type TcpRelay } from '../../testing/tcp-relay.ts'
import { type Bus, openBus } from './bus.ts'
import { makePresenceBucket, type ProcessCard } from '../presence.ts'
import { presenceBucket, token } from './subjects.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(30_000) }

describe.skipIf(!found)('[N 2] a process', () => {
  let [postgres, nats]: [PostgresServer, NatsServer] = [] as never
  let relay: TcpRelay
  let bus: Bus
  beforeAll(async () => {
    ;[postgres, nats] = await Promise.all([startPostgres(), startNats()])
    relay = await startTcpRelay(nats.port)
    const settings = { servers: [`127.0.0.1:${nats.port}`], isEncrypted: false }
    bus = await openBus(settings, { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} })
  })
  afterAll(async () => {
    await bus?.close()
    relay?.close()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

  test('whose line is cut and comes back while it starts notices when it is cut again', async () => {
    const { kv } = await makePresenceBucket(bus, presenceBucket, 1)
    // of another installation that has ended: the start waits whether it says something more
    const card: ProcessCard = {
      id: 'ended',
      installation: 'another',
      host: 'box',
      version: '1.0.0',
      site: 'main',
      roles: ['judge'],
      startedAt: 1,
      leads: false,
      sources: 0,
      waiting: 0,
    }
    await kv.put(`${token('main')}.ended`, JSON.stringify(card))
    const starting = startTestServer(realClock, {
      PULSE_DATABASE_URL: urlOf(await postgres.database()),
      PULSE_NATS_URL: `nats://127.0.0.1:${relay.port}`,
    })
    const cards = async () => (await bus.manager.streams.info(`KV_${presenceBucket}`)).state.num_subjects
    await expect.poll(cards, { ...limit, interval: 20 }).toBe(2)
    relay.cut()
    relay.thaw()
    const server = await starting
    const isReady = async () => (await server.as({})('GET', '/api/health/ready')).status === 200
    await expect.poll(isReady, limit).toBe(true)
    relay.cut()
    await expect.poll(isReady, limit).toBe(false)
    await server.stop()
  })
})
