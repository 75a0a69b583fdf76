import type { Health, Readiness } from '@pulse/contract'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { urlOf } from '../../testing/database-of-tests.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../../testing/server.ts'
import { startTcpRelay, type TcpRelay } from '../../testing/tcp-relay.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 1] of two processes, the one that leads', () => {
  let [postgres, nats, relay]: [PostgresServer, NatsServer, TcpRelay] = [] as never
  let [a, b]: [TestServer, TestServer] = [] as never
  let urlAt: (port: number) => string
  const leads = async (one: TestServer) =>
    ((await one.call('GET', '/api/health/ready')).body as Readiness).leads

  beforeAll(async () => {
    ;[postgres, nats] = await Promise.all([startPostgres(), startNats()])
    relay = await startTcpRelay(postgres.port)
    const settings = await postgres.database()
    urlAt = (port) => urlOf({ ...settings, port })
    const env = (port: number) => ({
      API_TOKENS: adminToken,
      PULSE_DATABASE_URL: urlAt(port),
      PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    })
    a = await startTestServer(realClock, env(relay.port))
    const PULSE_ENCRYPTION_KEY_FILE = path.join(a.dataDir, '.encryption.key')
    b = await startTestServer(realClock, { ...env(postgres.port), PULSE_ENCRYPTION_KEY_FILE })
  })
  afterAll(async () => {
    await a?.stop()
    await b?.stop()
    relay?.close()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

  test('and alone cannot reach the database gives the lead to the other one, and begins again', async () => {
    await expect.poll(() => leads(a), limit).toBe(true)
    let why = ''
    a.server.onDeposed((text) => (why = text))
    relay.cut()
    await expect.poll(() => leads(b), limit).toBe(true)
    await expect.poll(() => why, limit).toBe('another process has taken the lead')
    expect(await leads(a)).toBe(false)
    expect((await b.call('POST', '/api/alerts/activate')).status).toBe(200)
  })

  test('[N 6] or could lead, and shows no pages, is not ready while it has no database', async () => {
    relay.thaw()
    const env = { API_TOKENS: adminToken, PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}` }
    const PULSE_ENCRYPTION_KEY_FILE = path.join(a.dataDir, '.encryption.key')
    const judge = await startTestServer(realClock, {
      ...env,
      PULSE_DATABASE_URL: urlAt(relay.port),
      PULSE_ENCRYPTION_KEY_FILE,
      PULSE_ROLES: 'judge',
    })
    const statusOf = async (one: TestServer) => (await one.call('GET', '/api/health/ready')).status
    await expect.poll(() => statusOf(judge), limit).toBe(200)
    relay.cut()
    await expect.poll(() => statusOf(judge), limit).toBe(503)
    relay.thaw()
    await expect.poll(() => statusOf(judge), limit).toBe(200)
    await judge.stop()
  })

  test('says that messages wait while neither NATS nor the database confirms it, and leads on afterwards', async () => {
    const waits = async () => {
      const { troubles } = (await b.call('GET', '/api/health')).body as Health
      return troubles!.some(
        ({ message, current }) => current && message.includes('Messages about alerts wait'),
      )
    }
    await postgres.halt()
    await expect.poll(() => waits(), limit).toBe(false)
    expect((await b.call('GET', '/api/health/ready')).status).toBe(200)
    await nats.halt()
    await expect.poll(waits, limit).toBe(true)
    await postgres.rise()
    await expect.poll(waits, limit).toBe(false)
    await nats.rise()
    expect(await leads(b)).toBe(true)
    await expect.poll(async () => (await b.call('POST', '/api/alerts/activate')).status, limit).toBe(200)
  })
})
