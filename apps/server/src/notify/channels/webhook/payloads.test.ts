import { webhookServices } from '@pulse/contract'
import { type Notice, webhookTemplates } from '@pulse/domain'
import { describe, expect, test } from 'vitest'
import { anAlert, aNotice, aWebhook, many, sendersFor } from '../fixtures.ts'
import { aServiceSink, needed, send } from './fixtures-sink.ts'

const { now, addressOf, webhook, lastJson } = aServiceSink()

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
    expect(now.sink.received().flatMap(({ problems }) => problems)).toEqual([])
    expect(outcome).toMatchObject({ delivered: true, bytes: expect.any(Number) })
    for (const { headers, service: at, text } of now.sink.received()) {
      expect(text).not.toMatch(/\\ud[89ab]/i)
      expect(headers['x-pulse-event-id']).toBe('event-0001')
      expect(at).toBe(service === 'teams-adaptive' ? 'teams' : now.sink.urls[service] ? service : 'json')
    }
    if (service !== 'pagerduty') expect(now.sink.received()).toHaveLength(1)
  })

  test('its template, with which pages begin, in every case', async () => {
    const { payloadTemplate } = webhookTemplates.find((one) => one.service === service)!
    // a generic receiver gets the configured form
    const url = service === 'generic' ? `${now.sink.origin}/any` : addressOf(service)
    const settings = webhook(service, { url, template: payloadTemplate })
    expect(sendersFor().webhook.problems(settings)).toEqual({})
    const parts = notices
      .filter(([what]) => !/awkward|5,000|nothing but|halves/.test(what))
      .map(([, notice]) => notice)
    for (const notice of parts) {
      expect(await send(settings, notice)).toMatchObject({ delivered: true })
    }
    expect(now.sink.received().flatMap(({ problems }) => problems)).toEqual([])
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
    const events = now.sink.received().map(({ json }) => json as { event_action: string; dedup_key: string })
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
    const keys = now.sink.received().map(({ text }) => (JSON.parse(text) as { dedup_key: string }).dedup_key)
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
    const outcome = await send(aWebhook(`${now.sink.origin}/any`, { template }), aNotice({ alerts }))
    const texts = now.sink.received().map(({ text }) => text)
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
    expect(now.sink.received()[0]!.headers['routing_key']).toBeUndefined()
  })

  test('Telegram: the chat is taken out of the address, and needed', async () => {
    await send(webhook('telegram'), aNotice())
    expect(now.sink.received()[0]!.url.search).toBe('')
    expect(lastJson()).toMatchObject({
      chat_id: -1_001_234_567_890,
      parse_mode: 'Markdown',
      disable_web_page_preview: true,
    })
    for (const url of [
      now.sink.urls['telegram']!.split('?')[0]!,
      `${now.sink.origin}/bot1:x/sendMessage?chat_id=@ops`,
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
    const { headers, text } = now.sink.received()[0]!
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
    expect(now.sink.received()[0]!.headers['title']).toBe(
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
