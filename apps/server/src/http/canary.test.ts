import { type Lab, startLab } from '@pulse/lab'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../testing/access-matrix.ts'
import { type Echoes, startEchoes } from '../testing/echoes.ts'
import { readFiles } from '../testing/files.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, login, signIn, steppedClock } from '../testing/people.ts'
import { runMain } from '../testing/run-main.ts'
import { type Answer, startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
/** Secrets that Pulse receives in any way. None may appear in its output. */
const given = {
  proxySecret: 'canary-proxy-secret-815',
  environmentToken: 'canary-environment-token-42',
  environmentPassword: 'canary-environment-password',
  environmentFile: 'canary-smtp-password-in-dot-env',
  yamlPassword: 'canary-password-in-pulse-yaml',
  yamlSecretFile: 'canary-password-in-a-secret-file',
  yamlNodeSecret: 'canary-password-of-a-declared-node',
  user: 'canary-user-password-99',
  changedPassword: 'canary-changed-password-98',
  oidcSecret: 'canary-oidc-client-secret-7',
  mistyped: 'canary-mistyped-password-3',
  basic: 'canary-password-by-basic-4',
  wrongNode: 'canary-wrong-node-token',
  nodePassword: 'canary-node-password-12',
  wrongToken: 'canary-wrong-token-in-a-header',
  wrongBearer: 'canary-wrong-bearer-token-in-it',
  queryToken: 'canary-token-in-the-query',
  wrongProxySecret: 'canary-wrong-proxy-secret',
  passphrase: 'canary-export-passphrase-5',
  wrongPassphrase: 'canary-import-passphrase-6',
  wrongSetupToken: 'canary-one-time-token-guess',
  wrongSetupCode: 'canary-setup-code-guess',
  autoRegistered: 'canary-auto-registered-secret',
  mailPassword: 'canary-password-of-the-mail-server',
  webhookPath: 'canary-token-in-the-path-of-a-webhook',
  webhookQuery: 'canary-token-in-its-query',
  webhookHeader: 'canary-token-in-a-header-of-it',
  webhookField: 'canary-custom-field-of-it',
  appriseTarget: 'canary-token-of-an-apprise-target',
  appriseKey: 'canary-key-of-the-apprise-server',
}
const env = {
  API_TOKENS: given.environmentToken,
  PULSE_AUTH_USER: 'root',
  PULSE_AUTH_PASS: given.environmentPassword,
  PROXY_AUTH_SECRET: given.proxySecret,
  PROXY_AUTH_USER_HEADER: 'X-User',
  PULSE_TRUSTED_PROXIES: '127.0.0.1',
}
/** Files written by an administrator may contain the secrets. */
const laidDown = ['.env', 'pulse.yaml', 'wall.secret', 'pmg.secret', '.encryption.key']

let lab: Lab
let server: TestServer
let echoes: Echoes
const messages: string[] = []
const noteMessages = (worker: Worker) => {
  const post = worker.postMessage.bind(worker)
  worker.postMessage = (message: unknown) => {
    messages.push(JSON.stringify(message))
    post(message)
  }
}

function aDeclaredFolder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-canary-'))
  const write = (name: string, text: string) => fs.writeFileSync(path.join(dir, name), text, { mode: 0o600 })
  write('.env', `SMTP_PASSWORD=${given.environmentFile}\n`)
  write('wall.secret', given.yamlSecretFile)
  write('pmg.secret', given.yamlNodeSecret)
  write(
    'pulse.yaml',
    `users:
  - { name: wall, role: viewer, passwordFile: wall.secret }
nodes:
  - { type: pmg, name: mail, host: "https://127.0.0.1:1", user: root@pam, passwordFile: pmg.secret }
  - { type: pbs, name: vault, host: "https://127.0.0.1:3", user: root@pam, password: ${given.yamlPassword} }
`,
  )
  return dir
}

beforeAll(async () => {
  process.on('worker', noteMessages)
  lab = await startLab({ nodes: 1, guests: 2, authDelayMs: 0, loadPeriodMs: 0 })
  echoes = await startEchoes()
  server = await startTestServer(clock, env, aDeclaredFolder())
})
afterAll(async () => {
  process.off('worker', noteMessages)
  await server.stop()
  await lab.close()
  echoes.close()
})

/** A secret itself and its encoded forms. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
  secret.split('').toReversed().join(''),
]

type Texts = [where: string, text: string][]

function expectNone(secrets: Record<string, string>, texts: Texts) {
  // hashes of random values may be stored
  const isStoredHash = (where: string, name: string) =>
    (where.startsWith('pulse.db') || where === 'messages to the database') && name.endsWith('Hash')
  for (const [where, text] of texts) {
    for (const [name, secret] of Object.entries(secrets)) {
      for (const form of formsOf(secret)) {
        if (!isStoredHash(where, name)) expect(text.includes(form), `${name} in ${where}`).toBe(false)
      }
    }
  }
}

/** Uses every input with its own secret, right or wrong, and collects the answers. */
async function useEverything(id: string, session: Record<string, string>, nodeInput: object): Promise<Texts> {
  const texts: Texts = []
  const asRoot = server.as({ 'x-api-token': given.environmentToken })
  const keep: Keep = async (where, answer) => {
    clock.pass(7_000)
    const { status, text, headers } = await answer
    texts.push([`${where} (${status})`, text + JSON.stringify([...headers])])
  }
  const as = (headers: Record<string, string>) => server.as(headers)('GET', '/api/state')
  const basic = Buffer.from(`anna:${given.basic}`).toString('base64')
  await keep('test of a node', asRoot('POST', `/api/config/nodes/${id}/test`))
  const testNode = (secret: object) =>
    asRoot('POST', '/api/config/nodes/test-connection', { ...nodeInput, ...secret })
  await keep('wrong token of a node', testNode({ tokenValue: given.wrongNode }))
  const byPassword = {
    tokenName: undefined,
    tokenValue: undefined,
    user: 'root@pam',
    password: given.nodePassword,
  }
  await keep('wrong password of a node', testNode(byPassword))
  const oidc = { issuerUrl: 'https://127.0.0.1:1', clientId: 'pulse', clientSecret: given.oidcSecret }
  await keep('oidc', asRoot('PUT', '/api/security/oidc', oidc))
  await sendEverything(asRoot, keep)
  await keep('login', login(server, 'anna', given.mistyped))
  await keep('basic', as({ authorization: `Basic ${basic}` }))
  await keep('token', as({ 'x-api-token': given.wrongToken }))
  await keep('bearer', as({ authorization: `Bearer ${given.wrongBearer}` }))
  await keep('proxy', as({ 'x-proxy-secret': given.proxySecret, 'x-user': 'pia' }))
  await keep('wrong proxy', as({ 'x-proxy-secret': given.wrongProxySecret, 'x-user': 'pia' }))
  await keep('query', server.as({})('GET', `/api/state?token=${given.queryToken}`))
  const refused = await connectLive(server.url, {
    headers: {},
    where: `/ws?token=${given.queryToken}`,
  }).catch((error: unknown) => String(error))
  texts.push(['refused socket', JSON.stringify(refused)])
  await keep('export', asRoot('POST', '/api/config/export', { passphrase: given.passphrase }))
  const file = (JSON.parse(texts.at(-1)![1].split('[["')[0]!) as { data: string }).data
  texts.push(['export, decoded', Buffer.from(file, 'base64').toString('latin1')])
  await keep(
    'import',
    asRoot('POST', '/api/config/import', { passphrase: given.wrongPassphrase, data: file }),
  )
  const setUp = {
    username: 'eve',
    password: given.mistyped,
    apiToken: 'ab'.repeat(32),
    setupToken: given.wrongSetupToken,
  }
  await keep('setup', server.as({})('POST', '/api/security/quick-setup', { ...setUp, force: true }))
  const registered = {
    type: 'pve',
    host: 'https://127.0.0.1:2',
    serverName: 'x',
    tokenId: 'a@pam!b',
    tokenValue: given.autoRegistered,
  }
  const withCode = { 'x-setup-code': given.wrongSetupCode }
  await keep('auto-register', server.as(withCode)('POST', '/api/auto-register', registered))
  await keep(
    'setup script',
    server.as(withCode)('GET', '/api/setup-script?type=pve&host=https://127.0.0.1:2'),
  )
  const change = { currentPassword: given.user, newPassword: given.changedPassword }
  await keep('password', server.as(session)('POST', '/api/security/change-password', change))
  await keep('broken json', asRoot('POST', '/api/config/export', `{"passphrase":"${given.passphrase}"`))
  return texts
}

type Keep = (where: string, answer: Promise<Answer>) => Promise<void>

/**
 * The receivers quote everything they were sent. Tests also try another destination for all stored secrets.
 */
async function sendEverything(asRoot: ReturnType<TestServer['as']>, keep: Keep) {
  const { origin, mailPort } = echoes
  const set = (what: string, body: object) => asRoot('PUT', `/api/notifications/${what}`, body)
  const tryOut = (type: string) => asRoot('POST', '/api/notifications/test', { type })
  await keep('allowed hosts', set('outbound', { allowedHosts: ['127.0.0.1'] }))
  const email = {
    enabled: true,
    server: '127.0.0.1',
    port: mailPort,
    username: 'pulse',
    password: given.mailPassword,
    from: 'pulse@lan.example',
    tls: false,
    startTLS: false,
  }
  await keep('mail server', set('email', email))
  await keep('another mail server', set('email', { server: 'localhost' }))
  await keep('mail', tryOut('email'))
  const webhook = {
    name: 'Echo',
    url: `${origin}/hook/${given.webhookPath}?token=${given.webhookQuery}`,
    headers: { 'X-Key': given.webhookHeader },
    customFields: { team: given.webhookField },
    template: '{"team": "{{.CustomFields.team}}"}',
  }
  const made = asRoot('POST', '/api/notifications/webhooks', webhook)
  await keep('webhook', made)
  const { id } = (await made).body as { id: string }
  const elsewhere = { id, url: `${origin}/elsewhere` }
  await keep('webhook elsewhere', set(`webhooks/${id}`, elsewhere))
  await keep('test elsewhere', asRoot('POST', '/api/notifications/webhooks/test', elsewhere))
  await keep('message', tryOut('webhook'))
  const apprise = { mode: 'http', serverUrl: origin, targets: [`discord://1/${given.appriseTarget}`] }
  await keep('apprise', set('apprise', { ...apprise, enabled: true, apiKey: given.appriseKey }))
  await keep('apprise elsewhere', set('apprise', { serverUrl: 'http://127.0.0.1:1' }))
  await keep('apprise message', tryOut('apprise'))
}

test('[S16] none of thirty secrets in any answer, frame, log line, message, export, crash or stored file', async () => {
  const asRoot = server.as({ 'x-api-token': given.environmentToken })
  await asRoot('POST', '/api/security/users', { name: 'anna', password: given.user, role: 'admin' })
  const session = await signIn(server, 'anna', given.user)
  const live = await connectLive(server.url, { headers: { ...session, origin: server.url } })
  const browser = await connectLive(server.url, {
    delta: true,
    headers: { 'x-api-token': given.environmentToken },
  })
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
  const { id } = (await asRoot('POST', '/api/config/nodes', nodeInput)).body as { id: string }
  await expect.poll(() => live.texts.some(({ type }) => type === 'initialState')).toBe(true)
  const texts = await useEverything(id, session, nodeInput)
  const issued = await asRoot('POST', '/api/setup-script-url', { type: 'pve', host: node!.url })
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    clock.pass(7_000)
    const { text, headers } = await asRoot('GET', endpoint.path.replace(/:\w+/g, id))
    texts.push([endpoint.path, text + JSON.stringify([...headers])])
  }
  server.server.report('exception', Object.assign(new Error('boom'), { headers: given, cause: given }))
  server.server.report('rejection', given)
  const cookie = /pulse_session=([0-9a-f]+)/.exec(session['cookie']!)![1]!
  const file = (name: string) => path.join(server.dataDir, name)
  const secrets: Record<string, string> = {
    ...given,
    cookie,
    csrf: session['x-csrf-token']!,
    made: made.token,
    node: lab.credentials.tokenSecret,
    key: fs.readFileSync(file('.encryption.key'), 'utf8').trim(),
    setupCode: (issued.body as { setupCode: string }).setupCode,
    mailSignIn: Buffer.from(`\0pulse\0${given.mailPassword}`).toString('base64'),
    basicHeader: Buffer.from(`anna:${given.basic}`).toString('base64'),
    sessionHash: createHash('sha256').update(cookie).digest('hex'),
    tokenHash: createHash('sha3-256').update(made.token).digest('hex'),
  }
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(30)
  texts.push(
    ['live frames', JSON.stringify([live.texts, browser.texts, browser.deltas])],
    ['log', server.logLines.join('')],
    ['messages to the database', messages.join('\n')],
  )
  for (const { name, text } of readFiles(server.dataDir))
    if (!laidDown.includes(name)) texts.push([name, text])
  live.close()
  browser.close()
  // all secrets were sent once, to their own destinations
  const heard = echoes.heard.join('\n')
  const sent = ['webhookPath', 'webhookQuery', 'webhookHeader', 'webhookField', 'appriseKey', 'mailSignIn']
  for (const name of [...sent, 'appriseTarget']) expect(heard.split(secrets[name]!), name).toHaveLength(2)
  expect(texts.length).toBeGreaterThan(40)
  expectNone(secrets, texts)
})

// Placed before the next test, which takes long on a busy machine: a connection that was idle for a minute
// may just be closing.
test('[S16] what is read and saved back keeps the secret', async () => {
  const asRoot = server.as({ 'x-api-token': given.environmentToken })
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

test('[S16] the console, the process list and a start that fails show nothing', async () => {
  const dir = aDeclaredFolder()
  const texts: Texts = []
  const secrets: Record<string, string> = { ...given }
  const first = await runMain(dir, {
    env: { LOG_LEVEL: 'trace', PULSE_AUTH_USER: env.PULSE_AUTH_USER, PULSE_AUTH_PASS: env.PULSE_AUTH_PASS },
    onReady: () => {
      for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          texts.push(['process list', fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1')])
        } catch (error) {
          // the process has ended meanwhile
          expect(['ENOENT', 'ESRCH']).toContain((error as NodeJS.ErrnoException).code)
        }
      }
    },
  })
  texts.push(['console', first.output])
  expect(first.code).toBe(0)
  const failures: Record<string, Record<string, string>> = {
    'a token that is too short': { API_TOKENS: 'canary-short' },
    'a wrong address': { ...env, PULSE_LISTEN_ADDRESS: 'nowhere' },
    'a half-set proxy': { ...env, PROXY_AUTH_USER_HEADER: '' },
    'a folder that cannot be made': { ...env, PULSE_DATA_DIR: '/dev/null/data' },
  }
  secrets['shortToken'] = 'canary-short'
  for (const [what, variables] of Object.entries(failures)) {
    const { code, output } = await runMain(dir, { env: variables })
    expect(code, what).toBe(1)
    texts.push([what, output])
  }
  fs.writeFileSync(path.join(dir, 'pulse.yaml'), `users:\n  - ${given.yamlPassword}: [`)
  texts.push(['a broken pulse.yaml', (await runMain(dir)).output])
  expectNone(secrets, texts)
  fs.rmSync(dir, { recursive: true })
})
