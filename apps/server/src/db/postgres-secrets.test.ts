import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlOf } from '../testing/database-of-tests.ts'
import { addUser, password } from '../testing/people.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import type { PostgresSettings } from './postgres-settings.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

const secrets = {
  node: 'canary-token-of-a-node',
  mailGateway: 'canary-password-of-a-gateway',
  oidc: 'canary-client-secret',
  mail: 'canary-password-of-the-mail-server',
  webhookPath: 'canary-path-of-a-webhook',
  webhookHeader: 'canary-header-of-a-webhook',
  appriseTarget: 'canary-apprise-target',
  appriseKey: 'canary-apprise-key',
  environment: adminToken,
  user: password,
}

let postgres: PostgresServer
let settings: PostgresSettings
let server: TestServer
beforeAll(async () => {
  if (!found) return
  postgres = await startPostgres()
  settings = await postgres.database()
  const env = { API_TOKENS: adminToken, PULSE_DATABASE_URL: urlOf(settings) }
  server = await startTestServer(undefined, env, fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-secrets-')))
})
afterAll(async () => {
  await server?.stop()
  await postgres?.remove()
})

async function set(method: string, where: string, body: object): Promise<unknown> {
  const answer = await server.call(method, where, body)
  expect(answer.status, `${where}: ${answer.text}`).toBeLessThan(300)
  return answer.body
}

/** Every way of the API to store a secret. Returns the secrets that Pulse has made itself. */
async function storeAll(): Promise<Record<string, string>> {
  const node = { name: 'a', host: 'https://127.0.0.1:1', verifySSL: false }
  const token = { tokenName: 'pulse@pam!monitor', tokenValue: secrets.node }
  await set('POST', '/api/config/nodes', { ...node, type: 'pve', ...token })
  const login = { user: 'pulse@pmg', password: secrets.mailGateway }
  await set('POST', '/api/config/nodes', {
    ...node,
    type: 'pmg',
    name: 'b',
    host: 'https://127.0.0.1:2',
    ...login,
  })
  const oidc = { issuerUrl: 'https://127.0.0.1:1', clientId: 'pulse', clientSecret: secrets.oidc }
  await set('PUT', '/api/security/oidc', oidc)
  await set('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
  const mail = { server: '127.0.0.1', port: 25, from: 'pulse@example.test', to: ['a@example.test'] }
  await set('PUT', '/api/notifications/email', { ...mail, username: 'pulse', password: secrets.mail })
  await set('POST', '/api/notifications/webhooks', {
    name: 'Receiver',
    url: `http://127.0.0.1:8080/hook/${secrets.webhookPath}`,
    headers: { 'X-Api-Key': secrets.webhookHeader },
  })
  await set('PUT', '/api/notifications/apprise', {
    mode: 'http',
    serverUrl: 'http://127.0.0.1:8080',
    targets: [`tgram://${secrets.appriseTarget}/1`],
    apiKey: secrets.appriseKey,
  })
  await addUser(server, 'anna', 'viewer')
  const { token: apiToken } = (await set('POST', '/api/security/tokens', {})) as { token: string }
  return { apiToken }
}

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

const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
]

test.skipIf(!found)(
  '[N 1, S16] no table of a PostgreSQL database has a secret that can be read',
  async () => {
    const all = { ...secrets, ...(await storeAll()) }
    const contents = await readTables()
    for (const table of ['connections', 'settings', 'users', 'api_tokens', 'audit'])
      expect(contents.get(table), table).toBeTruthy()
    expect(contents.get('users')).toContain('anna')
    for (const [table, text] of contents)
      for (const [name, secret] of Object.entries(all))
        for (const form of formsOf(secret)) expect(text.includes(form), `${name} in ${table}`).toBe(false)
  },
)
