import { addUser, password } from './people.ts'
import { adminToken, type Call, type TestServer } from './server.ts'

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

/** Stores a secret in every way of the API, and other settings. Returns all secrets. */
export async function storeSecrets(server: Pick<TestServer, 'call'>): Promise<Record<string, string>> {
  const set = (method: string, where: string, body: object) => made(server.call, method, where, body)
  const node = { name: 'a', host: 'https://127.0.0.1:1', verifySSL: false }
  const token = { tokenName: 'pulse@pam!monitor', tokenValue: secrets.node }
  await set('POST', '/api/config/nodes', { ...node, type: 'pve', ...token })
  const login = { user: 'pulse@pmg', password: secrets.mailGateway }
  await set('POST', '/api/config/nodes', { type: 'pmg', name: 'b', host: 'https://127.0.0.1:2', ...login })
  await set('PUT', '/api/guests/metadata/a-pve1-100', { customUrl: 'https://grafana.lan/d/1' })
  await set('POST', '/api/system/settings/update', { theme: 'dark', connectionTimeout: 30 })
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
  await addUser(server, 'anna', 'admin')
  await addUser(server, 'vera', 'viewer')
  const { token: apiToken } = (await set('POST', '/api/security/tokens', {})) as { token: string }
  return { ...secrets, apiToken }
}

async function made(call: Call, method: string, where: string, input: object): Promise<unknown> {
  const { status, text, body } = await call(method, where, input)
  if (status >= 300) throw new Error(`${method} ${where} was refused: ${text}`)
  return body
}
