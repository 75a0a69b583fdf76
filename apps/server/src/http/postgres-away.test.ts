import { Health } from '@pulse/contract'
import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { urlOf } from '../testing/database-of-tests.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

describe.skipIf(!found)('[N 1] while the PostgreSQL server is away', () => {
  let postgres: PostgresServer
  let server: TestServer
  const change = (value: number) =>
    server.call('POST', '/api/system/settings/update', { backupPollingInterval: value })
  const stored = async () =>
    ((await server.call('GET', '/api/system/settings')).body as { backupPollingInterval: number })
      .backupPollingInterval
  const health = async () => Health.parse((await server.call('GET', '/api/health')).body)

  beforeAll(async () => {
    postgres = await startPostgres()
    const PULSE_DATABASE_URL = urlOf(await postgres.database())
    server = await startTestServer(realClock, { API_TOKENS: adminToken, PULSE_DATABASE_URL })
  })
  afterAll(async () => {
    await server.stop()
    await postgres.remove()
  })

  test('pages go on, changes are refused with the reason, and both go on by themselves when it returns', async () => {
    expect((await change(300)).status).toBe(200)
    // a process that could not read a change of rights lets no one in
    expect(await stored()).toBe(300)
    await postgres.halt('crash')
    const refused = await change(600)
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ code: 'database_unavailable' })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await server.call('GET', '/api/state')).status).toBe(200)
    expect(await health()).toMatchObject({
      status: 'degraded',
      troubles: [
        {
          id: 'database-server',
          current: true,
          message: expect.stringContaining('The PostgreSQL server does not answer'),
        },
      ],
    })
    expect(await stored()).toBe(300)
    const diagnostics = await server.call('GET', '/api/diagnostics')
    expect(diagnostics).toMatchObject({
      status: 200,
      body: { alerts: { notes: expect.arrayContaining([expect.stringContaining('could not be counted')]) } },
    })

    await postgres.rise()
    await expect.poll(async () => (await health()).status, { timeout: within(30_000) }).toBe('healthy')
    expect((await change(900)).status).toBe(200)
    await server.restart()
    expect(await stored()).toBe(900)
  })

  test('the data folder has no database, but the key', () => {
    const names = fs.readdirSync(server.dataDir)
    expect(names.filter((name) => name.startsWith('pulse.db'))).toEqual([])
    expect(names).toContain('.encryption.key')
  })
})
