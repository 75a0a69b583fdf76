import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlOf } from '../testing/database-of-tests.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { storeSecrets } from '../testing/stored-secrets.ts'
import type { PostgresSettings } from './postgres-settings.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

let postgres: PostgresServer
let settings: PostgresSettings
let server: TestServer
beforeAll(async () => {
  if (!found) return
  postgres = await startPostgres()
  settings = await postgres.database()
  server = await startTestServer(undefined, { API_TOKENS: adminToken, PULSE_DATABASE_URL: urlOf(settings) })
})
afterAll(async () => {
  await server?.stop()
  await postgres?.remove()
})

/** The rows of each table as text, as anyone who may read the database sees them. */
async function readTables(): Promise<Map<string, string>> {
  const query = (sql: string) => postgres.admin(sql, settings.database)
  const tables = await query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)
  const contents = new Map<string, string>()
  for (const { name } of tables) {
    const rows = await query(`SELECT row_to_json(t)::text AS row FROM ${String(name)} t`)
    contents.set(String(name), rows.map(({ row }) => row).join('\n'))
  }
  return contents
}

/** A secret itself, and as encodings have it anywhere in a text: base64 depends on the number of bytes before. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
  ...[0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
    return before === 0 ? whole : whole.slice(4)
  }),
]

test.skipIf(!found)(
  '[N 1, S16] no table of a PostgreSQL database has a secret that can be read',
  async () => {
    const secrets = await storeSecrets(server)
    const contents = await readTables()
    for (const table of ['connections', 'settings', 'users', 'api_tokens', 'audit'])
      expect(contents.get(table), table).toBeTruthy()
    expect(contents.get('users')).toContain('anna')
    for (const [table, text] of contents)
      for (const [name, secret] of Object.entries(secrets))
        for (const form of formsOf(secret)) expect(text.includes(form), `${name} in ${table}`).toBe(false)
  },
)
