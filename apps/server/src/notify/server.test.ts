import { secretMask, type Webhook } from '@pulse/contract'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { connectLive } from '../testing/live-client.ts'
import { addUser, signIn, steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

interface Received {
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}

/** A stepping clock, so that the rate limit does not refuse the many saves. */
const clock = steppedClock()
let server: TestServer
let sink: http.Server
let origin: string
let received: Received[]
let status: number
async function take(request: http.IncomingMessage, response: http.ServerResponse) {
  received.push({ path: request.url ?? '', headers: request.headers, body: await text(request) })
  response.writeHead(status).end('canary answer')
}

beforeAll(async () => {
  sink = http.createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
  server = await startTestServer(clock)
  await server.call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
})
afterAll(async () => {
  await server.stop()
  sink.close()
})
afterEach(async () => {
  clock.pass(60_000)
  for (const { id } of await webhooks()) await server.call('DELETE', `/api/notifications/webhooks/${id}`)
})
const fresh = () => {
  received = []
  status = 200
}
const webhooks = async () => (await server.call('GET', '/api/notifications/webhooks')).body as Webhook[]

async function aWebhook(change: Partial<Webhook> = {}): Promise<Webhook> {
  fresh()
  const body = {
    name: 'Receiver',
    url: `${origin}/hook/canary-path-0123456789?token=canary-query`,
    ...change,
  }
  const answer = await server.call('POST', '/api/notifications/webhooks', body)
  expect(answer.text).not.toContain('canary')
  expect(answer.status).toBe(200)
  return answer.body as Webhook
}
const secretHeader = { 'X-Api-Key': 'canary-header', 'Content-Type': 'application/json' }

test('a value that cannot be used is refused with a sentence, not with the words of the validation', async () => {
  const answer = await server.call('POST', '/api/notifications/test', {
    type: 'email',
    config: { port: 'none' },
  })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('This value cannot be used here.')
  expect(answer.text).not.toMatch(/invalid input|expected/i)
})

describe('[S16] secrets of webhooks', () => {
  test('are masked in every answer, and a masked value stands for the stored one', async () => {
    const made = await aWebhook({ headers: secretHeader, customFields: { team: 'canary-field' } })
    expect(made.url).toBe(`${origin}/hook/${secretMask}?token=${secretMask}`)
    expect(made.headers).toEqual({ 'X-Api-Key': secretMask, 'Content-Type': 'application/json' })
    const changed = await server.call('PUT', `/api/notifications/webhooks/${made.id}`, {
      ...made,
      name: 'Other',
    })
    expect(changed.status).toBe(200)
    expect(changed.text).not.toContain('canary')
    await server.call('PUT', `/api/notifications/webhooks/${made.id}`, { enabled: false })
    const tried = await server.call('POST', '/api/notifications/test', {
      type: 'webhook',
      webhookId: made.id,
    })
    expect(tried.body).toMatchObject({ status: 'success' })
    expect(received[0]).toMatchObject({
      path: '/hook/canary-path-0123456789?token=canary-query',
      headers: { 'x-api-key': 'canary-header' },
    })
    expect(await webhooks()).toMatchObject([{ name: 'Other', enabled: false }])
  })

  test('never go to a changed destination: they are asked for again by name', async () => {
    const made = await aWebhook({ headers: secretHeader, customFields: { team: 'canary-field' } })
    const { port } = new URL(origin)
    const elsewhere = { ...made, url: `http://localhost:${port}/hook` }
    for (const [method, where] of [
      ['PUT', `/api/notifications/webhooks/${made.id}`],
      ['POST', '/api/notifications/webhooks/test'],
    ] as const) {
      const refused = await server.call(method, where, elsewhere)
      expect(refused).toMatchObject({ status: 400, body: { code: 'secret_required' } })
      expect(Object.keys((refused.body as { details: object }).details)).toEqual([
        'headers.X-Api-Key',
        'customFields.team',
      ])
      const partly = await server.call(method, where, { ...made, url: `${made.url}/more` })
      expect(partly.body).toMatchObject({ code: 'secret_required', details: { url: expect.any(String) } })
    }
    expect(received).toEqual([])
    const given = { ...elsewhere, headers: {}, customFields: {} }
    expect((await server.call('PUT', `/api/notifications/webhooks/${made.id}`, given)).status).not.toBe(500)
  })

  test('never go to another address at the same host, which may belong to another user', async () => {
    const made = await aWebhook({ headers: secretHeader, customFields: { team: 'canary-field' } })
    const elsewhere = { url: `${origin}/hook/0123456789-of-a-stranger`, template: '"{{.CustomFields.team}}"' }
    for (const [method, where, body] of [
      ['PUT', `/api/notifications/webhooks/${made.id}`, elsewhere],
      ['POST', '/api/notifications/webhooks/test', { id: made.id, ...elsewhere }],
    ] as const) {
      const refused = await server.call(method, where, body)
      expect(refused).toMatchObject({ status: 400, body: { code: 'secret_required' } })
      expect(refused.text).not.toMatch(/canary|stranger/)
    }
    expect(received).toEqual([])
  })

  test('are masked beside placeholders too', async () => {
    const url = `${origin}/hook/canary-{{.Level}}?token=canary-{{.Level}}&level={{.Level}}`
    const made = await aWebhook({ url })
    expect(made.url).toBe(`${origin}/hook/${secretMask}?token=${secretMask}&level={{.Level}}`)
  })

  test('a host cannot come from a placeholder', async () => {
    fresh()
    const body = { name: 'Receiver', url: 'https://{{.ResourceName}}.example/hook' }
    expect(await server.call('POST', '/api/notifications/webhooks', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: { url: expect.any(String) } },
    })
  })
})

test('a test reports the answer of the receiver, and is in the delivery log', async () => {
  const made = await aWebhook()
  status = 418
  const failed = await server.call('POST', '/api/notifications/webhooks/test', made)
  expect(failed).toMatchObject({
    status: 400,
    body: {
      code: 'notification_failed',
      success: false,
      status: 418,
      response: expect.stringContaining('canary answer'),
    },
  })
  const log = await server.call('GET', '/api/notifications/deliveries?limit=1')
  expect(log.body).toMatchObject({
    channels: expect.arrayContaining([
      expect.objectContaining({ name: 'Receiver', enabled: true, waiting: 0 }),
    ]),
    deliveries: [{ kind: 'test', state: 'failed', channelName: 'Receiver', statusCode: 418, attempts: 1 }],
  })
  const [{ id }] = (log.body as { deliveries: [{ id: string }] }).deliveries
  expect(await server.call('POST', `/api/notifications/deliveries/${id}/retry`)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('was a test') },
  })
  const history = await server.call('GET', '/api/notifications/webhook-history')
  expect((history.body as unknown[])[0]).toMatchObject({
    webhookName: 'Receiver',
    statusCode: 418,
    success: false,
  })
  expect(history.text).not.toContain('canary-path')
  status = 200
  expect((await server.call('POST', '/api/notifications/webhooks/test', made)).body).toMatchObject({
    success: true,
    status: 200,
  })
  expect(
    await server.call('POST', '/api/notifications/test', { type: 'webhook', webhookId: 'none' }),
  ).toMatchObject({
    status: 404,
  })
})

describe('[S16] the password of the mail server', () => {
  const email = {
    enabled: false,
    server: 'mail.lan',
    port: 587,
    username: 'pulse',
    password: 'canary-password',
    from: 'pulse@lan.example',
    tls: false,
    startTLS: true,
  }
  const put = (body: object) => server.call('PUT', '/api/notifications/email', body)

  test('is never shown, is kept when blank or masked, and is required again for another destination', async () => {
    expect(await put(email)).toMatchObject({ status: 200, body: { status: 'success' } })
    const shown = await server.call('GET', '/api/notifications/email')
    expect(shown.text).not.toContain('canary')
    expect(shown.body).toMatchObject({ server: 'mail.lan', password: '', hasPassword: true, rateLimit: 60 })
    expect((await put({ ...email, password: secretMask, username: 'other' })).status).toBe(200)
    expect((await put({ ...(shown.body as object) })).status).toBe(200)
    const elsewhere = [{ server: 'mail.evil' }, { port: 25 }, { startTLS: false }]
    for (const change of elsewhere)
      expect(await put({ ...email, password: '', ...change })).toMatchObject({
        status: 400,
        body: { code: 'secret_required', details: { password: expect.any(String) } },
      })
    const body = { type: 'email', config: { enabled: true, server: 'mail.evil' } }
    expect((await server.call('POST', '/api/notifications/test', body)).body).toMatchObject({
      code: 'secret_required',
    })
    expect((await put({ ...email, tls: true })).body).toMatchObject({ code: 'validation_failed' })
    const relay = { server: 'relay.lan', port: 25, startTLS: false, username: '' }
    expect((await put({ ...email, ...relay, password: '' })).status).toBe(200)
    expect((await server.call('GET', '/api/notifications/email')).body).toMatchObject({ hasPassword: false })
    expect((await put(email)).status).toBe(200)
    await put({ clearPassword: true })
    expect((await put({ server: 'mail.other' })).status).toBe(200)
  })
})

test('[S16] targets of Apprise are masked, and not sent to another server', async () => {
  const put = (body: object) => server.call('PUT', '/api/notifications/apprise', body)
  const targets = [
    'discord://canary-id-12345/canary-token-1234567890',
    ' discord://canary-ID-12345/canary-token-1234567890',
  ]
  const made = await put({ enabled: true, targets, cliPath: '/bin/sh', timeoutSeconds: 500 })
  expect(made.text).not.toContain('canary')
  expect(made.body).toMatchObject({
    enabled: true,
    targets: [`discord://${secretMask}7890`],
    timeoutSeconds: 120,
  })
  const again = await put({ ...(made.body as object), timeoutSeconds: 20 })
  expect(again.body).toMatchObject({ enabled: true, timeoutSeconds: 20 })
  const elsewhere = await put({
    ...(made.body as object),
    mode: 'http',
    serverUrl: 'http://apprise.lan:8000',
  })
  expect(elsewhere).toMatchObject({
    status: 400,
    body: { code: 'secret_required', details: { targets: expect.any(String) } },
  })
  expect(await put({ targets: ['', ' ntfy://topic ', '  ', 'NTFY://Topic', 'ntfy://topic'] })).toMatchObject({
    status: 200,
    body: { targets: [expect.stringMatching(/^ntfy:/)] },
  })
  expect((await put({ targets: [] })).body).toMatchObject({ enabled: false })
  // paths on one host may belong to different users
  const shared = { mode: 'http', serverUrl: 'http://apprise.lan:8000/mine', targets, apiKey: 'canary-key' }
  expect((await put(shared)).body).toMatchObject({ hasApiKey: true })
  expect((await put({ serverUrl: `${shared.serverUrl}/` })).status).toBe(200)
  for (const serverUrl of ['http://apprise.lan:8000/yours', 'http://apprise.lan:8000/mine?to=']) {
    const refused = await put({ serverUrl })
    expect(refused).toMatchObject({ status: 400, body: { code: 'secret_required' } })
    expect(Object.keys((refused.body as { details: object }).details)).toEqual(['apiKey', 'targets'])
  }
})

test('an export contains the channels', async () => {
  await aWebhook()
  const passphrase = 'a long passphrase'
  const { data } = (await server.call('POST', '/api/config/export', { passphrase })).body as { data: string }
  await server.call('DELETE', `/api/notifications/webhooks/${(await webhooks())[0]!.id}`)
  const imported = await server.call('POST', '/api/config/import', { passphrase, data })
  expect(imported.text).toContain('1 webhook')
  const [webhook] = await webhooks()
  await server.call('POST', '/api/notifications/test', { type: 'webhook', webhookId: webhook!.id })
  expect(received.at(-1)!.path).toContain('canary-path')
})

test.skipIf(isForOneProcess('each process has seen its own visitors; several have PULSE_PUBLIC_URL'))(
  'a message links to where an administrator opened Pulse last, never to where another user says it is',
  async () => {
    const { id } = await aWebhook()
    const open = async (name: string, host: string) => {
      const headers = { ...(await signIn(server, name)), host, origin: `http://${host}` }
      ;(await connectLive(server.url, { headers })).close()
    }
    const linked = async () => {
      await server.call('POST', '/api/notifications/test', { type: 'webhook', webhookId: id })
      return received.at(-1)!.body
    }
    await addUser(server, 'ann', 'admin')
    await addUser(server, 'vic', 'viewer')
    await open('vic', 'planted.example.com')
    await server.as({ host: 'planted.example.com' })('GET', '/api/health')
    expect(await linked()).not.toContain('http')
    await open('ann', 'pulse.example.com')
    await open('vic', 'planted.example.com')
    expect(await linked()).toContain('http://pulse.example.com')
    expect(await linked()).not.toContain('planted')
  },
)
