import { type Webhook, webhookServices, type WebhookService } from '@pulse/contract'
import { type Notice, webhookTemplates } from '@pulse/domain'
import { startWebhookSink, type WebhookSink } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anAlert, aNotice, aWebhook, many, never, sendersFor } from '../fixtures.ts'
import type { ChannelEdges } from '../module.ts'
import { createWebhookModule } from './index.ts'

let sink: WebhookSink
beforeAll(async () => {
  sink = await startWebhookSink()
})
beforeEach(() => {
  sink.clear()
  sink.behave({ kind: 'take' })
})
afterAll(() => sink.close())

/** The fields that each service needs in addition to its address. */
const needed: Partial<Record<WebhookService, Record<string, string>>> = {
  pagerduty: { routing_key: 'canaryRoutingKey0123456789abcdef' },
  pushover: { app_token: 'canaryAppToken0123456789abcdef', user_token: 'canaryUserToken0123456789abcde' },
}
const addressOf = (service: WebhookService) => sink.urls[service] ?? `${sink.origin}/json/${service}`
const webhook = (service: WebhookService, change: Partial<Webhook> = {}) =>
  aWebhook(addressOf(service), { service, customFields: needed[service] ?? {}, ...change })
const send = (settings: Webhook, notice: Notice, channels = sendersFor()) =>
  channels.webhook.send(settings, notice, never)
const lastJson = () => sink.received().at(-1)!.json as Record<string, never>

const awkward = anAlert({
  id: 'main/100 "cpu"',
  resourceName: 'a_b*c`d[e]<!channel>|&"\\\n@everyone\u0000é🚨',
  node: '<script>alert(1)</script>',
  message: `_*\`[ "quoted" \\ ${'ä'.repeat(5000)}`,
  metadata: { unit: 'min', deep: { a: ['"'] } },
})
const notices: [string, Notice][] = [
  ['raised', aNotice()],
  ['resolved', aNotice({ kind: 'resolved' })],
  ['repeated', aNotice({ kind: 'repeated' })],
  ['escalated', aNotice({ kind: 'escalated' })],
  ['a test', aNotice({ kind: 'test' })],
  [
    'of a state',
    aNotice({ alerts: [{ alert: anAlert({ type: 'offline', value: 0, threshold: 0, node: '' }) }] }),
  ],
  ['of awkward names', aNotice({ alerts: [{ alert: awkward }] })],
  [
    'of awkward names, over',
    aNotice({ kind: 'resolved', alerts: [{ alert: awkward, resolvedAt: '2026-01-01T12:00:00Z' }] }),
  ],
  ['of three', aNotice({ alerts: many(3) })],
  ['of three, over', aNotice({ kind: 'resolved', alerts: many(3) })],
  ['of 5,000', aNotice({ alerts: many(5000) })],
  ...['&', '<', '*', '\\', '🚨', '"'].map((one): [string, Notice] => [
    `of nothing but ${one}`,
    aNotice({ alerts: [{ alert: anAlert({ resourceName: one.repeat(5000), message: one.repeat(5000) }) }] }),
  ]),
  [
    'of halves of characters',
    aNotice({
      alerts: [{ alert: anAlert({ node: '\ud83d', instance: '\ud83d', metadata: { unit: '\ud83d' } }) }],
    }),
  ],
  ['without a public address', (({ publicUrl: _, ...rest }) => rest)(aNotice())],
]

describe.each(webhookServices)('[facts/alerts 10.4] %s takes', (service) => {
  test.each(notices)('a message %s', async (_what, notice) => {
    const outcome = await send(webhook(service), notice)
    expect(sink.received().flatMap(({ problems }) => problems)).toEqual([])
    expect(outcome).toMatchObject({ delivered: true, bytes: expect.any(Number) })
    for (const { headers, service: at, text } of sink.received()) {
      expect(text).not.toMatch(/\\ud[89ab]/i)
      expect(headers['x-pulse-event-id']).toBe('event-0001')
      expect(at).toBe(service === 'teams-adaptive' ? 'teams' : sink.urls[service] ? service : 'json')
    }
    if (service !== 'pagerduty') expect(sink.received()).toHaveLength(1)
  })

  test('its template, with which pages begin, in every case', async () => {
    const { payloadTemplate } = webhookTemplates.find((one) => one.service === service)!
    // a generic receiver gets the configured form
    const url = service === 'generic' ? `${sink.origin}/any` : addressOf(service)
    const settings = webhook(service, { url, template: payloadTemplate })
    expect(sendersFor().webhook.problems(settings)).toEqual({})
    const parts = notices
      .filter(([what]) => !/awkward|5,000|nothing but|halves/.test(what))
      .map(([, notice]) => notice)
    for (const notice of parts) {
      expect(await send(settings, notice)).toMatchObject({ delivered: true })
    }
    expect(sink.received().flatMap(({ problems }) => problems)).toEqual([])
  })
})

describe('[facts/alerts 10.4] their payloads', () => {
  test('Discord: red, orange, and green when it is over, by its template too', async () => {
    const template = webhookTemplates.find(({ service }) => service === 'discord')!.payloadTemplate
    const found: unknown[] = []
    for (const notice of [
      aNotice(),
      aNotice({ alerts: [{ alert: anAlert({ level: 'warning' }) }] }),
      aNotice({ kind: 'resolved' }),
    ]) {
      for (const form of ['', template]) {
        await send(webhook('discord', { template: form }), notice)
        found.push((lastJson()['embeds'] as unknown as { color: number }[])[0]!.color)
      }
    }
    const [red, orange, green] = [15_158_332, 15_105_570, 3_066_993]
    expect(found).toEqual([red, red, orange, orange, green, green])
  })

  test('PagerDuty: an incident for each alert, which ends under the same key', async () => {
    await send(webhook('pagerduty'), aNotice({ alerts: many(3) }))
    await send(webhook('pagerduty'), aNotice({ kind: 'resolved', alerts: many(3) }))
    const events = sink.received().map(({ json }) => json as { event_action: string; dedup_key: string })
    const keys = ['main-0-cpu', 'main-1-cpu', 'main-2-cpu']
    expect(events.map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
      ...keys.map((key) => ['trigger', key]),
      ...keys.map((key) => ['resolve', key]),
    ])
  })

  test('PagerDuty: of a storm the most severe 25 get an incident under their own key, and only those count as sent', async () => {
    const warnings = many(5000).map(({ alert }) => ({ alert: { ...alert, level: 'warning' as const } }))
    const worst = { alert: anAlert({ id: 'worst', level: 'critical' }) }
    const outcome = await send(webhook('pagerduty'), aNotice({ alerts: [...warnings, worst] }))
    const keys = sink.received().map(({ text }) => (JSON.parse(text) as { dedup_key: string }).dedup_key)
    expect(keys).toEqual(['worst', ...warnings.slice(0, 24).map(({ alert }) => alert.id)])
    expect(outcome).toMatchObject({ delivered: true, named: 25 })
  })

  test.each([
    ['the first alert', '{"name": "{{.ResourceName}}"}', 3, 3],
    ['every alert', '{"names": "{{range .Alerts}}{{.ResourceName}} {{end}}"}', 1, 3],
    ['the lines of a message', '{"text": "{{.Message}}"}', 1, 3],
  ])('a template that shows %s names every alert', async (_, template, requests, named) => {
    const names = ['web-0', 'web-1', 'web-2']
    const alerts = names.map((name) => ({
      alert: anAlert({ id: name, resourceName: name, message: `CPU of ${name} is at 93%` }),
    }))
    const outcome = await send(aWebhook(`${sink.origin}/any`, { template }), aNotice({ alerts }))
    const texts = sink.received().map(({ text }) => text)
    expect(texts).toHaveLength(requests)
    for (const name of names) expect(texts.join(' ')).toContain(name)
    expect(outcome).toMatchObject({ delivered: true, named })
  })

  test('of more than 500 alerts a receiver of its own counts as having those it got', async () => {
    const outcome = await send(webhook('generic'), aNotice({ alerts: many(620) }))
    expect(lastJson()['alerts']).toHaveLength(500)
    expect(outcome).toMatchObject({ delivered: true, named: 500 })
  })

  test('PagerDuty: an all-clear never opens an incident, whatever a template says; the key may be a header', async () => {
    const template = '{"event_action": "trigger", "dedup_key": "{{.ID}}", "payload": {}}'
    const settings = webhook('pagerduty', {
      template,
      customFields: {},
      headers: { Routing_Key: needed.pagerduty!['routing_key']! },
    })
    expect(sendersFor().webhook.problems(settings)).toEqual({})
    await send(settings, aNotice({ kind: 'resolved' }))
    expect(lastJson()).toMatchObject({
      event_action: 'resolve',
      routing_key: needed.pagerduty!['routing_key'],
    })
    expect(sink.received()[0]!.headers['routing_key']).toBeUndefined()
  })

  test('Telegram: the chat is taken out of the address, and needed', async () => {
    await send(webhook('telegram'), aNotice())
    expect(sink.received()[0]!.url.search).toBe('')
    expect(lastJson()).toMatchObject({
      chat_id: -1_001_234_567_890,
      parse_mode: 'Markdown',
      disable_web_page_preview: true,
    })
    for (const url of [
      sink.urls['telegram']!.split('?')[0]!,
      `${sink.origin}/bot1:x/sendMessage?chat_id=@ops`,
    ]) {
      expect(sendersFor().webhook.problems(webhook('telegram', { url }))).toEqual({
        url: expect.stringContaining('?chat_id='),
      })
    }
  })

  test('Pushover: 1, 0 and -1, unix time, no device unless one is set', async () => {
    await send(webhook('pushover'), aNotice({ kind: 'resolved' }))
    expect(lastJson()).toMatchObject({
      priority: -1,
      sound: 'pushover',
      timestamp: Date.UTC(2026, 0, 1, 12) / 1000,
    })
    expect(lastJson()['device']).toBeUndefined()
    const customFields = { ...needed.pushover, device: 'phone' }
    await send(webhook('pushover', { customFields }), aNotice())
    expect(lastJson()).toMatchObject({ priority: 1, sound: 'siren', device: 'phone' })
    expect(sendersFor().webhook.problems(webhook('pushover', { customFields: {} }))).toEqual({
      'customFields.app_token': expect.any(String),
      'customFields.user_token': expect.any(String),
    })
  })

  test('Gotify: 10, 5 and 2', async () => {
    await send(webhook('gotify'), aNotice())
    expect(lastJson()).toMatchObject({
      priority: 10,
      extras: { 'pulse::alert': { level: 'critical', value: '93.4%' } },
    })
  })

  test('ntfy: title, priority and tags are headers', async () => {
    await send(webhook('ntfy'), aNotice({ alerts: [{ alert: anAlert({ resourceName: 'Küche' }) }] }))
    const { headers, text } = sink.received()[0]!
    expect(headers).toMatchObject({
      priority: 'urgent',
      tags: 'rotating_light,pulse,cpu',
      click: 'https://pulse.example.test',
    })
    expect(headers['title']).toBe('=?UTF-8?Q?Critical=3A=20CPU=20on=20K=C3=BCche?=')
    expect(text).toContain('Value: 93.4%')
  })

  test('[S14] ntfy: a name that looks like an encoded word is encoded', async () => {
    await send(webhook('ntfy'), aNotice({ alerts: [{ alert: anAlert({ resourceName: '=?utf-8?Q?ok?=' }) }] }))
    expect(sink.received()[0]!.headers['title']).toBe(
      '=?UTF-8?Q?Critical=3A=20CPU=20on=20=3D=3Futf=2D8=3FQ=3Fok=3F=3D?=',
    )
  })

  test('a receiver of its own: one shape, one alert or many', async () => {
    await send(webhook('generic'), aNotice())
    expect(lastJson()).toMatchObject({
      event: 'raised',
      eventId: 'event-0001',
      count: 1,
      grouped: false,
      source: 'pulse',
    })
    expect((lastJson()['alerts'] as unknown as unknown[])[0]).toEqual(anAlert())
  })
})

describe('custom headers, method and address', () => {
  test('they are sent, but for those with placeholders', async () => {
    const headers = {
      Authorization: 'Bearer canary',
      'X-Later': '{{.Level}}',
      'content-type': 'application/vnd.x+json',
    }
    await send(aWebhook(`${sink.origin}/any`, { headers, method: 'PUT' }), aNotice())
    const { headers: sent, method } = sink.received()[0]!
    expect(method).toBe('PUT')
    expect(sent).toMatchObject({
      authorization: 'Bearer canary',
      'content-type': 'application/vnd.x+json',
      'user-agent': 'Pulse',
    })
    expect(sent['x-later']).toBeUndefined()
  })

  test('those of the connection itself are refused', () => {
    const headers = { Host: 'elsewhere.test', 'Transfer-Encoding': 'chunked' }
    expect(Object.keys(sendersFor().webhook.problems(aWebhook(sink.origin, { headers })))).toEqual([
      'headers.Host',
      'headers.Transfer-Encoding',
    ])
  })

  test('[S10] placeholders in an address are escaped, and never name who is called', async () => {
    const url = `${sink.origin}/any/{{.ResourceName}}?level={{.Level}}`
    const notice = aNotice({ alerts: [{ alert: anAlert({ resourceName: '../a b?c#d' }) }] })
    await send(aWebhook(url), notice)
    expect(sink.received()[0]!.url.href).toBe(`${sink.origin}/any/..%2Fa%20b%3Fc%23d?level=critical`)
    const { url: problem } = sendersFor().webhook.problems(aWebhook('http://{{.ResourceName}}/'))
    expect(problem).toMatch(/must be written out/)
  })

  test('an invalid template is reported with its line, when it is saved and when it is sent', async () => {
    const settings = aWebhook(sink.origin, { template: '{\n"a": {{.Nope}}}' })
    expect(sendersFor().webhook.problems(settings)['template']).toMatch(/^Line 2: there is no field \.Nope/)
    expect(await send(settings, aNotice())).toMatchObject({
      delivered: false,
      retry: 'never',
      reason: expect.stringContaining('Line 2'),
    })
  })

  test('[S11] where it may go is decided before and while it is sent', async () => {
    const { webhook: sender } = sendersFor({ allowed: [] })
    expect(sender.problems(webhook('discord'))['url']).toMatch(
      /is this machine itself; an administrator can allow 127\.0\.0\.1:\d+/,
    )
    expect(await sender.send(webhook('discord'), aNotice(), never)).toMatchObject({
      delivered: false,
      retry: 'never',
    })
    expect(sink.received()).toEqual([])
  })
})

describe('a delivery', () => {
  test.each([
    [500, 'later', 'has an internal error'],
    [503, 'later', 'has an internal error'],
    [429, 'later', 'rate limit'],
    [400, 'never', 'rejected the message'],
    [401, 'never', 'Check the token'],
    [404, 'never', 'Check the URL'],
    [410, 'never', 'Check the URL'],
    [304, 'never', 'enter the final address'],
  ])('%d: %s', async (status, retry, words) => {
    sink.behave({ kind: 'status', status, body: status === 304 ? '' : 'because' })
    const outcome = await send(webhook('discord'), aNotice())
    expect(outcome).toMatchObject({ delivered: false, status, retry, reason: expect.stringContaining(words) })
    expect(outcome.delivered ? '' : outcome.reason).toMatch(/^Discord answered/)
  })

  test.each([
    ['7', 7000],
    ['0', 0],
    ['Thu, 01 Jan 2026 12:01:00 GMT', 60_000],
    ['86400', 3_600_000],
    ['soon', undefined],
  ])('the pause a receiver asks for is kept: %s', async (retryAfter, expected) => {
    sink.behave({ kind: 'status', status: 429, retryAfter })
    const outcome = await send(webhook('slack'), aNotice())
    expect(outcome.delivered ? 'delivered' : outcome.retryAfterMs).toBe(expected)
  })

  test('no answer, half an answer, an answer that is none', async () => {
    sink.behave({ kind: 'reset' })
    expect(await send(webhook('slack'), aNotice())).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringContaining('ECONNRESET'),
    })
    const closed = await startWebhookSink()
    await closed.close()
    expect(await send(aWebhook(`${closed.origin}/x`), aNotice())).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
    sink.behave({
      kind: 'status',
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
    })
    expect(await send(webhook('teams'), aNotice())).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringContaining('did not pass it on'),
    })
  })

  test('who hangs is given up after 30 s', async () => {
    sink.behave({ kind: 'hang' })
    const channels = sendersFor()
    const outcome = send(webhook('slack'), aNotice(), channels)
    await expect.poll(() => sink.received().length).toBe(1)
    await channels.clock.advance(30_000)
    expect(await outcome).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringContaining('within 30 s'),
    })
  })

  test('ten a minute for one address, then it says how long to wait', async () => {
    const channels = sendersFor()
    const outcomes: unknown[] = []
    for (let sent = 0; sent < 11; sent++) outcomes.push(await send(webhook('slack'), aNotice(), channels))
    expect(outcomes[9]).toMatchObject({ delivered: true })
    expect(outcomes[10]).toMatchObject({ delivered: false, retry: 'later', retryAfterMs: 60_000 })
    expect(await send(webhook('discord'), aNotice(), channels)).toMatchObject({ delivered: true })
    await channels.clock.advance(60_000)
    expect(await send(webhook('slack'), aNotice(), channels)).toMatchObject({ delivered: true })
  })

  test.each(webhookServices)(
    '[S16] %s: no secret shows in a result, even when the receiver quotes all of it',
    async (service) => {
      const headers = { Authorization: 'Bearer canary-bearer-token' }
      const settings = webhook(service, { headers })
      const quoted = [
        settings.url,
        ...Object.values(settings.customFields),
        headers.Authorization,
        encodeURIComponent(settings.url),
      ]
      sink.behave({ kind: 'status', status: 403, body: quoted.join(' ') })
      const refused = await send(settings, aNotice())
      sink.behave({ kind: 'reset' })
      const broken = await send(settings, aNotice())
      expect(JSON.stringify([refused, broken])).not.toMatch(/canary/i)
      const outside = sendersFor({ allowed: [] }).webhook
      const found = [outside.problems(settings), await outside.send(settings, aNotice(), never)]
      expect(JSON.stringify(found)).not.toMatch(/canary/i)
    },
  )
})

test('a header that no request could carry is refused before it is stored', () => {
  const { problems } = sendersFor().webhook
  expect(problems(webhook('generic', { headers: { 'X-Team': 'ключ 🔑' } }))).toMatchObject({
    'headers.X-Team': expect.stringContaining('use ASCII'),
  })
  expect(problems(webhook('generic', { headers: { 'X-Team': 'key' } }))).toEqual({})
})

test('the dialog waits 10 s for the answer of a test', () => {
  const document = { current: () => [aWebhook('http://127.0.0.1')] }
  const edges = { openDocument: () => document, clock: fakeClock() }
  const { channels } = createWebhookModule(edges as unknown as ChannelEdges)
  expect(channels().map(({ testTimeoutMs }) => testTimeoutMs)).toEqual([10_000])
})
