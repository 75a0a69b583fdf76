import { webhookServices } from '@pulse/contract'
import { startWebhookSink } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aNotice, aWebhook, never, sendersFor } from '../fixtures.ts'
import type { ChannelEdges } from '../module.ts'
import { aServiceSink, send } from './fixtures-sink.ts'
import { createWebhookModule } from './index.ts'

const { now, webhook } = aServiceSink()

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
    now.sink.behave({ kind: 'status', status, body: status === 304 ? '' : 'because' })
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
    now.sink.behave({ kind: 'status', status: 429, retryAfter })
    const outcome = await send(webhook('slack'), aNotice())
    expect(outcome.delivered ? 'delivered' : outcome.retryAfterMs).toBe(expected)
  })

  test('no answer, half an answer, an answer that is none', async () => {
    now.sink.behave({ kind: 'reset' })
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
    now.sink.behave({
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
    now.sink.behave({ kind: 'hang' })
    const channels = sendersFor()
    const outcome = send(webhook('slack'), aNotice(), channels)
    await expect.poll(() => now.sink.received().length).toBe(1)
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
      now.sink.behave({ kind: 'status', status: 403, body: quoted.join(' ') })
      const refused = await send(settings, aNotice())
      now.sink.behave({ kind: 'reset' })
      const broken = await send(settings, aNotice())
      expect(JSON.stringify([refused, broken])).not.toMatch(/canary/i)
      const outside = sendersFor({ allowed: [] }).webhook
      const found = [outside.problems(settings), await outside.send(settings, aNotice(), never)]
      expect(JSON.stringify(found)).not.toMatch(/canary/i)
    },
  )
})

test('the dialog waits 10 s for the answer of a test', () => {
  const document = { current: () => [aWebhook('http://127.0.0.1')] }
  const edges = { openDocument: () => document, clock: fakeClock() }
  const { channels } = createWebhookModule(edges as unknown as ChannelEdges)
  expect(channels().map(({ testTimeoutMs }) => testTimeoutMs)).toEqual([10_000])
})
