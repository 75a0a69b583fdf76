import type { Alert } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { anAlert, dispatcherFixture, email, hourMs, minuteMs, settings } from './fixtures.ts'
import { mailText } from './mail.ts'
import { toMessage } from './message.ts'
import type { Notice } from './notice.ts'
import { pastText } from './text.ts'
import { templateData } from './template-data.ts'
import { nodeText } from './text.ts'

const at = '2026-01-01T12:05:00.000Z'
const notice = (alerts: Notice['alerts'], change: Partial<Notice> = {}): Notice => ({
  eventId: 'e',
  kind: 'raised',
  at,
  alerts,
  ...change,
})
const cpu = anAlert({ message: 'CPU of web is at 90.0% (threshold 80%)' })
const offline = anAlert({
  id: 'db',
  level: 'critical',
  resourceName: 'db',
  type: 'offline',
  threshold: 0,
  value: 0,
  message: 'db is offline',
})

describe('a message', () => {
  test('about several alerts says which are critical, the worst first', () => {
    const both = notice([{ alert: cpu }, { alert: offline }])
    const { text } = mailText(both)
    expect(text).toContain('Critical – db is offline')
    expect(text).toContain('Warning – CPU of web is at 90.0%')
    expect(text.indexOf('db is offline')).toBeLessThan(text.indexOf('CPU of web'))
    expect(toMessage(both).text).toBe('Critical – db is offline')
    expect(toMessage(both).others).toEqual(['Warning – web: CPU 90.0%'])
  })

  test('about a resolved alert is in the past tense', () => {
    const over = notice([{ alert: cpu, resolvedAt: at }], { kind: 'resolved' })
    expect(toMessage(over).text).toBe('Resolved after 5m: CPU of web was at 90.0% (threshold 80%)')
    expect(mailText(over).text).toContain('CPU of web was at 90.0%')
    expect(mailText(over).text).not.toContain(' is at ')
  })

  test.each([
    ['db', 'db is offline', 'db was offline'],
    ['is', 'Container is is exited', 'Container is was exited'],
    ['has-a', 'Disk has-a has 3% of its life left', 'Disk has-a had 3% of its life left'],
    [
      'pbs',
      'Backup server pbs cannot be reached: no answer',
      'Backup server pbs could not be reached: no answer',
    ],
    ['mail', 'Deferred mails of mail: 501 messages', 'Deferred mails of mail: 501 messages'],
  ])('the past of %s: %s', (resourceName, message, past) =>
    expect(pastText({ resourceName, message })).toBe(past),
  )

  test('a message names a backup server or a mail gateway, not its address', () => {
    const address = { node: 'https://192.0.2.7:8007', instance: 'pbs1' }
    const textOf = (alert: Alert) => mailText(notice([{ alert }])).text
    expect(textOf(anAlert({ resourceName: 'main', ...address }))).toContain('Node: pbs1')
    expect(textOf(anAlert({ resourceName: 'pbs1', ...address }))).not.toMatch(/Node:|192\.0\.2\.7/)
    const data = templateData(toMessage(notice([{ alert: anAlert(address) }])), {}, '')
    expect(data).toMatchObject({ Node: 'pbs1' })
    expect(nodeText({ node: 'https://pbs1.lan:8007', instance: 'https://pbs1.lan:8007' })).toBe('pbs1.lan')
    expect(nodeText({ node: 'pve1', instance: 'prod' })).toBe('pve1')
  })

  test('a template can name the site of an alert, which is empty for the main one', () => {
    const dataOf = (alert: Alert) => templateData(toMessage(notice([{ alert }])), {}, '')
    expect(dataOf(anAlert({ site: 'Berlin' }))).toMatchObject({
      Site: 'Berlin',
      Alerts: [{ Site: 'Berlin' }],
    })
    expect(dataOf(anAlert())).toMatchObject({ Site: '' })
  })

  test('by mail links each alert, also below a path', () => {
    const publicUrl = 'https://pulse.lan/pulse'
    const startTime = '2026-01-01T12:04:31.400Z'
    const alerts = [cpu, offline].map((alert) => ({ alert: { ...alert, startTime } }))
    const { text, html } = mailText(notice(alerts, { publicUrl }))
    const links = text.match(/(?<=^ {2}Open alert: ).*$/gm)!.map((link) => new URL(link))
    const begin = Date.UTC(2026, 0, 1, 12, 4)
    expect(links.map(({ pathname }) => pathname)).toEqual(Array(2).fill('/pulse/alerts/history'))
    expect(links.map(({ searchParams }) => [...searchParams.values()])).toEqual(
      ['db', cpu.resourceName].map((name) => ['30d', 'all', name, String(begin), String(begin + 60_000)]),
    )
    expect(html.match(/Open alert/g)).toHaveLength(2)
  })

  test('by mail links an alert with any name', () => {
    const alert = { ...cpu, resourceName: 'a&b #1\ud800' }
    const { text } = mailText(notice([{ alert }], { publicUrl: 'https://pulse.lan' }))
    const link = new URL(/Open alert: (.*)/.exec(text)![1]!)
    expect(link.searchParams.get('search')).toBe('a&b #1\ufffd')
  })

  test.each([
    ['without an address of Pulse', {}],
    ['as a test', { publicUrl: 'https://pulse.lan', kind: 'test' }],
  ] as const)('by mail links no alert %s', (_when, change) => {
    const { text, html } = mailText(notice([{ alert: cpu }], change))
    expect(text + html).not.toContain('Open alert')
  })

  test('shows times of people in their zone, and the host of an address', () => {
    const server = anAlert({ resourceName: 'main', node: 'https://pbs1.lan:8007', instance: '' })
    const { text } = mailText(notice([{ alert: server }], { timezone: 'Europe/Berlin' }))
    expect(text).toContain('Sent by Pulse on 1 January 2026, 13:05 (Europe/Berlin).')
    expect(text).toContain('Node: pbs1.lan')
    expect(text).not.toContain('https://')
  })
})

test('the end of an alert names the figure and the threshold that it was sent with', () => {
  const now = dispatcherFixture(settings({ cooldown: 30 }), [email])
  const episode = now.raise({ message: 'CPU of web is at 82% (threshold 80%)', value: 82 })
  now.pass(minuteMs)
  const later = { message: 'CPU of web is at 92% (threshold 90%)', value: 92, threshold: 90 }
  now.change(episode, 'refreshed', later)
  now.pass(hourMs)
  now.resolve(episode)
  const { kind, items } = now.received.at(-1)!
  expect([kind, items[0]!.alert.threshold, items[0]!.alert.message]).toEqual([
    'resolved',
    80,
    'CPU of web is at 82% (threshold 80%)',
  ])
})

const endedAt = '2026-01-01T12:10:00.000Z'
const alert = anAlert({
  startTime: '2026-01-01T12:00:00.000Z',
  type: 'cpu',
  resourceName: 'vm-100',
  message: 'CPU of vm-100 is at 95% (threshold 80%)',
})
const ended = (...ends: Partial<typeof alert>[]) =>
  toMessage({
    eventId: 'e',
    kind: 'resolved',
    at: endedAt,
    alerts: ends.map((end) => ({ alert: { ...alert, ...end }, resolvedAt: endedAt })),
  })

test('only an alert whose condition ended is called resolved', () => {
  expect(ended({ endReason: 'condition' })).toMatchObject({
    title: 'Resolved: CPU on vm-100',
    text: 'Resolved after 10m: CPU of vm-100 was at 95% (threshold 80%)',
  })
  expect(ended({ endReason: 'unwatched', endNote: 'Its threshold is now 99.' })).toMatchObject({
    title: 'No longer watched: CPU on vm-100',
    text: 'No longer watched after 10m (Its threshold is now 99.): CPU of vm-100 was at 95% (threshold 80%)',
  })
  expect(ended({ endReason: 'gone' }).title).toBe('No longer there: CPU on vm-100')
  expect(ended({ endReason: 'cleared' }).title).toBe('Cleared: CPU on vm-100')
})

test('of several that ended each says how', () => {
  expect(ended({ endReason: 'condition' }, { endReason: 'condition' }).title).toBe('2 alerts resolved')
  const { title, others } = ended({ endReason: 'condition' }, { endReason: 'unwatched' })
  expect(title).toBe('2 alerts ended')
  expect(others[0]).toContain('no longer watched after 10m')
})
