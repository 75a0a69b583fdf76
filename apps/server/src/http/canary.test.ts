import { type Lab, startLab } from '@pulse/lab'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../testing/access-matrix.ts'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { addToken, login, signIn, steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
const proxySecret = 'canary-proxy-secret-815'
const environmentToken = 'canary-environment-token-42'
const environmentPassword = 'canary-environment-password'
const env = {
  API_TOKENS: environmentToken,
  PULSE_AUTH_USER: 'root',
  PULSE_AUTH_PASS: environmentPassword,
  PROXY_AUTH_SECRET: proxySecret,
  PROXY_AUTH_USER_HEADER: 'X-User',
  PULSE_TRUSTED_PROXIES: '127.0.0.1',
}

let lab: Lab
let server: TestServer
beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 2, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock, env)
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

/** As it is, and in the forms in which a secret likes to hide. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
  secret.split('').toReversed().join(''),
]

test('[S16] no secret in any answer, live frame, log line or stored file', async () => {
  const asRoot = server.as({ 'x-api-token': environmentToken })
  const user = 'canary-user-password-99'
  const oidcSecret = 'canary-oidc-client-secret-7'
  const wrongPassword = 'canary-mistyped-password-3'
  await asRoot('POST', '/api/security/users', { name: 'anna', password: user, role: 'admin' })
  const session = await signIn(server, 'anna', user)
  const live: LiveClient = await connectLive(server.url, { headers: { ...session, origin: server.url } })
  const made = await addToken(server.as(session), { name: 'made' })
  const [node] = lab.clusters[0]!.nodes
  const nodeInput = {
    type: 'pve',
    name: 'lab',
    host: node!.url,
    tokenName: lab.credentials.tokenId,
    tokenValue: lab.credentials.tokenSecret,
    fingerprint: node!.fingerprint,
  }
  const { body } = await asRoot('POST', '/api/config/nodes', nodeInput)
  const { id } = body as { id: string }
  await asRoot('POST', `/api/config/nodes/${id}/test`)
  await asRoot('POST', '/api/config/nodes/test-connection', {
    ...nodeInput,
    tokenValue: 'canary-wrong-node-token',
  })
  await asRoot('PUT', '/api/security/oidc', {
    issuerUrl: 'https://127.0.0.1:1',
    clientId: 'pulse',
    clientSecret: oidcSecret,
  })
  await login(server, 'anna', wrongPassword)
  await server.as({ authorization: `Basic ${Buffer.from(`anna:${wrongPassword}`).toString('base64')}` })(
    'GET',
    '/api/state',
  )
  await server.as({ 'x-proxy-secret': proxySecret, 'x-user': 'pia' })('GET', '/api/state')
  await expect.poll(() => live.texts.some(({ type }) => type === 'initialState')).toBe(true)

  const cookie = /pulse_session=([0-9a-f]+)/.exec(session['cookie']!)![1]!
  const secrets = {
    user,
    oidcSecret,
    wrongPassword,
    proxySecret,
    environmentToken,
    environmentPassword,
    cookie,
    csrf: session['x-csrf-token']!,
    made: made.token,
    node: lab.credentials.tokenSecret,
    wrongNode: 'canary-wrong-node-token',
    key: fs.readFileSync(path.join(server.dataDir, '.encryption.key'), 'utf8').trim(),
    sessionHash: createHash('sha256').update(cookie).digest('hex'),
    tokenHash: createHash('sha3-256').update(made.token).digest('hex'),
  }
  const texts: [string, string][] = [
    ['live frames', JSON.stringify(live.texts)],
    ['log', server.logLines.join('')],
  ]
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    clock.pass(7_000)
    const { text, headers } = await asRoot('GET', endpoint.path.replace(/:\w+/g, id))
    texts.push([endpoint.path, text + JSON.stringify([...headers])])
  }
  const files = fs
    .readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.encryption.key')
  for (const { name, parentPath } of files) {
    texts.push([name, fs.readFileSync(path.join(parentPath, name), 'latin1')])
  }
  live.close()

  const isStoredHash = (where: string, name: string) => where.startsWith('pulse.db') && name.endsWith('Hash')
  for (const [where, text] of texts) {
    for (const [name, secret] of Object.entries(secrets)) {
      for (const form of formsOf(secret)) {
        if (!isStoredHash(where, name)) expect(text.includes(form), `${name} in ${where}`).toBe(false)
      }
    }
  }
  expect(texts.length).toBeGreaterThan(20)
})

test('[S16] what is read and saved back keeps the secret', async () => {
  const asRoot = server.as({ 'x-api-token': environmentToken })
  const { body } = await asRoot('GET', '/api/security/oidc')
  const {
    clientSecretSet,
    defaultRedirect: _redirect,
    envOverrides: _locks,
    ...settings
  } = body as Record<string, unknown>
  expect(clientSecretSet).toBe(true)
  const saved = await asRoot('PUT', '/api/security/oidc', { ...settings, clientSecret: '' })
  expect(saved.body).toMatchObject({ clientSecretSet: true })
  expect((await asRoot('PUT', '/api/security/oidc', { clearClientSecret: true })).body).toMatchObject({
    clientSecretSet: false,
  })
})
