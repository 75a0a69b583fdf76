import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { urlOf } from '../../testing/database-of-tests.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { addToken, login, password, sessionOf } from '../../testing/people.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(30_000) }

describe.skipIf(!found)('[N 2] of several processes', () => {
  let [postgres, nats]: [PostgresServer, NatsServer] = [] as never
  let servers: TestServer[] = []
  const apiToken = randomBytes(24).toString('hex')
  const setupFile = ({ dataDir }: TestServer) => path.join(dataDir, '.bootstrap_token')

  beforeAll(async () => {
    ;[postgres, nats] = await Promise.all([startPostgres(), startNats()])
    const env: NodeJS.ProcessEnv = {
      PULSE_DATABASE_URL: urlOf(await postgres.database()),
      PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    }
    servers = [await startTestServer(realClock, env)]
    env['PULSE_ENCRYPTION_KEY_FILE'] = path.join(servers[0]!.dataDir, '.encryption.key')
    for (const PULSE_ROLES of ['serve', 'judge,serve'])
      servers.push(await startTestServer(realClock, { ...env, PULSE_ROLES }))
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    await Promise.all([nats?.remove(), postgres?.remove()])
  })

  test('one with a database of its own is refused: it would be another installation', async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-other-'))
    const env = {
      PULSE_DATABASE_URL: urlOf(await postgres.database()),
      PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    }
    await expect(startTestServer(realClock, env, dataDir)).rejects.toThrow('another Pulse')
    fs.rmSync(dataDir, { recursive: true })
  })

  test('each has the file of the first run until it is set up at one of them', async () => {
    const [first] = servers.map((server) => fs.readFileSync(setupFile(server), 'utf8'))
    for (const server of servers) expect(fs.readFileSync(setupFile(server), 'utf8')).toBe(first)
    const input = { username: 'anna', password, apiToken, setupToken: first!.trim() }
    const { status } = await servers[1]!.as({})('POST', '/api/security/quick-setup', input)
    expect(status).toBe(200)
    await expect.poll(() => servers.filter((server) => fs.existsSync(setupFile(server))), limit).toEqual([])
  })

  test('each takes a session or a token as soon as another one has answered with it', async () => {
    const statuses: number[] = []
    for (const at of servers) {
      const session = sessionOf((await login(at, 'anna')).headers)
      const token = await addToken(at.as({ 'x-api-token': apiToken }))
      for (const other of servers)
        for (const credential of [session, token.headers])
          statuses.push((await other.as(credential)('GET', '/api/state')).status)
    }
    expect(statuses).toEqual(statuses.map(() => 200))
  })
})
