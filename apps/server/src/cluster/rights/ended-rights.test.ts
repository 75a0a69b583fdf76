import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { urlOf } from '../../testing/database-of-tests.ts'
import { connectLive } from '../../testing/live-client.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { addToken, addUser, password, signIn, steppedClock } from '../../testing/people.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../../testing/server.ts'
import { startTcpRelay, type TcpRelay } from '../../testing/tcp-relay.ts'
import { existingBucket } from '../nats/bucket.ts'
import { openBus } from '../nats/bus.ts'
import { presenceBucket } from '../nats/subjects.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(30_000) }
/** Far below the time after which a line that hangs is given up. */
const soon = { timeout: within(2_500), interval: 20 }

describe.skipIf(!found)('[N 2] at a process whose line to NATS fails, a right ends:', () => {
  let [postgres, nats]: [PostgresServer, NatsServer] = [] as never
  /** from b */
  let [line, toDatabase]: [TcpRelay, TcpRelay] = [] as never
  let lineOfA: TcpRelay
  let [a, b]: [TestServer, TestServer] = [] as never
  const clock = steppedClock()
  beforeAll(async () => {
    ;[postgres, nats] = await Promise.all([startPostgres(), startNats()])
    ;[line, toDatabase] = await Promise.all([startTcpRelay(nats.port), startTcpRelay(postgres.port)])
    lineOfA = await startTcpRelay(nats.port)
    const settings = await postgres.database()
    const env = (port: number, databasePort: number) => ({
      API_TOKENS: adminToken,
      PULSE_DATABASE_URL: urlOf({ ...settings, port: databasePort }),
      PULSE_NATS_URL: `nats://127.0.0.1:${port}`,
    })
    a = await startTestServer(realClock, env(lineOfA.port, postgres.port))
    const PULSE_ENCRYPTION_KEY_FILE = path.join(a.dataDir, '.encryption.key')
    const PULSE_ROLES = 'serve'
    const variables = { ...env(line.port, toDatabase.port), PULSE_ENCRYPTION_KEY_FILE, PULSE_ROLES }
    b = await startTestServer(clock, variables)
    await addUser(a, 'anna', 'admin')
  })
  afterEach(() => {
    line.thaw()
    lineOfA.thaw()
    toDatabase.thaw()
  })
  afterAll(async () => {
    await b?.stop()
    await a?.stop()
    line?.close()
    lineOfA?.close()
    toDatabase?.close()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

  const isUp = async () => (await b.as({})('GET', '/api/health/ready')).status === 200
  const faults = { cut: () => line.cut(), frozen: () => line.freeze() }
  let people = 0

  async function person() {
    const name = `person${++people}`
    const id = await addUser(a, name, 'admin')
    return { headers: await signIn(a, name), id, user: `/api/security/users/${id}` }
  }
  async function removed(call: Promise<{ status: number; text: string }>) {
    const { status, text } = await call
    expect(status, text).toBeLessThan(300)
  }
  const rights = {
    'a token that is deleted': async () => {
      const { headers, id } = await addToken(a.call)
      return { headers, remove: () => a.call('DELETE', `/api/security/tokens/${id}`) }
    },
    'the session of a user that is deleted': async () => {
      const { headers, user } = await person()
      return { headers, remove: () => a.call('DELETE', user) }
    },
    'the role of a user': async () => {
      const { headers, user } = await person()
      return { headers, remove: () => a.call('PUT', user, { role: 'viewer' }) }
    },
    'the session of a user whose password changes': async () => {
      const { headers, user } = await person()
      return { headers, remove: () => a.call('PUT', user, { password: `${password} battery` }) }
    },
    'a session that signs out': async () => {
      const { headers } = await person()
      return { headers, remove: () => a.as(headers)('POST', '/api/logout') }
    },
  }

  const cases = Object.entries(rights).flatMap(([right, given]) =>
    Object.entries(faults).map(([fault, fail]) => [right, fault, given, fail] as const),
  )
  test.each(cases)('%s, with the line %s', async (_right, _fault, given, fail) => {
    await expect.poll(isUp, limit).toBe(true)
    const { headers, remove } = await given()
    const socket = await connectLive(b.url, { headers: { ...headers, origin: b.url } })
    let isOpen = true
    void socket.closed.then(() => (isOpen = false))
    expect((await b.as(headers)('GET', '/api/state')).status).toBe(200)
    fail()
    await removed(remove())
    await expect.poll(() => isOpen, soon).toBe(false)
    await expect.poll(async () => (await b.as(headers)('GET', '/api/state')).status, soon).toBe(401)
  })

  test('every right, when neither the database nor NATS has answered for a minute, until the database does', async () => {
    await expect.poll(isUp, limit).toBe(true)
    const { headers } = await person()
    const status = async () => (await b.as(headers)('GET', '/api/state')).status
    await expect.poll(status, limit).toBe(200)
    const socket = await connectLive(b.url, { headers: { ...headers, origin: b.url } })
    let isOpen = true
    void socket.closed.then(() => (isOpen = false))
    line.cut()
    toDatabase.cut()
    await expect.poll(isUp, limit).toBe(false)
    expect([await status(), isOpen]).toEqual([200, true])
    clock.pass(61_000)
    await expect.poll(() => isOpen, limit).toBe(false)
    const { body } = await b.as(headers)('GET', '/api/state')
    expect(body).toMatchObject({ code: 'database_unavailable' })
    expect((await b.as({})('GET', '/api/health')).status).toBe(200)
    toDatabase.thaw()
    await expect.poll(status, limit).toBe(200)
  })

  test('every right, as soon as it hears of a change that it cannot read, until the database answers', async () => {
    await expect.poll(isUp, limit).toBe(true)
    const [one, other] = [await person(), await person()]
    const answer = async () => (await b.as(other.headers)('GET', '/api/state')).body as { code?: string }
    await expect.poll(answer, limit).not.toHaveProperty('code')
    toDatabase.cut()
    await removed(a.call('DELETE', one.user))
    await expect.poll(answer, soon).toMatchObject({ code: 'database_unavailable' })
    toDatabase.thaw()
    await expect.poll(answer, limit).not.toHaveProperty('code')
    expect((await b.as(one.headers)('GET', '/api/state')).status).toBe(401)
  })

  test('every right, when the database has not answered for a minute and the one that leads cannot be seen', async () => {
    await expect.poll(isUp, limit).toBe(true)
    const { headers, user } = await person()
    const answer = async () => (await b.as(headers)('GET', '/api/state')).body as { code?: string }
    await expect.poll(answer, limit).not.toHaveProperty('code')
    const settings = { servers: [`127.0.0.1:${nats.port}`], isEncrypted: false }
    const bus = await openBus(settings, {
      name: 'test',
      clock: realClock,
      onLost: () => {},
      onBack: () => {},
    })
    const listed = async () =>
      (await bus.manager.streams.info(`KV_${presenceBucket}`, { subjects_filter: '>' })).state.num_subjects
    expect(await listed()).toBe(2)
    const cards = await existingBucket(bus, presenceBucket)
    const ages = async () =>
      [...(await cards.all()).values()].map(
        ({ text }) => (JSON.parse(text) as { databaseAgeMs?: number }).databaseAgeMs!,
      )
    toDatabase.cut()
    lineOfA.cut()
    // it leads on, with the database
    await removed(a.call('DELETE', user))
    await expect.poll(listed, limit).toBe(1)
    clock.pass(61_000)
    await expect.poll(answer, limit).toMatchObject({ code: 'database_unavailable' })
    // of b
    await expect.poll(async () => (await ages())[0], limit).toBeGreaterThan(61_000)
    await bus.close()
    toDatabase.thaw()
    await expect.poll(async () => (await b.as(headers)('GET', '/api/state')).status, limit).toBe(401)
  })
})
