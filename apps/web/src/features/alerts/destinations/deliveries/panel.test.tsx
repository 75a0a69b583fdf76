// @vitest-environment happy-dom
import { DeliveryState, waitReasons } from '@pulse/contract'
import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { click, freshBrowser, toasts } from '../../fake-alerts.tsx'
import { aDelivery, aLog, card, choose, deliveriesCall, refusal, showDestinations } from '../fixtures.tsx'
import { aboutText, causeText, stateTexts, waitText } from './texts.ts'

const retryCall = 'POST /api/notifications/deliveries/delivery-1/retry'
const failed = aDelivery({ state: 'failed', attempts: 4, error: 'mail.lan does not answer' })
const show = (deliveries = [failed], more: Record<string, unknown> = {}) =>
  showDestinations({ [deliveriesCall]: aLog({ deliveries }), ...more })
const rows = () =>
  within(card('Delivery log').getByRole('table', { name: 'Deliveries' }))
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent))

freshBrowser()

test('each message has when, channel, what, status, attempts, cause and what can be done', async () => {
  const pager = aDelivery({
    id: 'delivery-2',
    kind: 'resolved',
    channelId: 'hook-1',
    channelKind: 'webhook',
    channelName: 'Pager',
    alertCount: 3,
  })
  await show([failed, pager])
  const [head, first, second] = rows()
  expect(head).toEqual(['When', 'Channel', 'What', 'Status', 'Attempts', 'Cause', 'Action'])
  expect(first!.slice(1)).toEqual([
    'Email',
    'Alert: web-1',
    'Failed',
    '4',
    'mail.lan does not answer',
    'Retry',
  ])
  expect(first![0]).toMatch(/ ago$/)
  expect(second!.slice(1)).toEqual(['PagerWebhook', 'All-clear: web-1 and 2 more', 'Delivered', '1', '', ''])
})

test('one that waits says until when, and can be sent now', async () => {
  await show([aDelivery({ state: 'waiting', nextAttemptAt: '2026-03-01T10:05:00Z', error: 'busy' })])
  expect(rows()[1]!.at(-2)).toMatch(/^busyNext attempt: /)
  expect(rows()[1]!.at(-1)).toBe('Retry')
})

test('a test cannot be sent again', async () => {
  await show([aDelivery({ kind: 'test', state: 'failed', error: 'busy' })])
  expect(rows()[1]!.at(-1)).toBe('')
})

describe('Retry', () => {
  test('sends it again', async () => {
    const view = await show([failed], { [retryCall]: { status: 'success' } })
    await click('Retry: web-1 to Email')
    await view.settled()
    expect([view.asked(retryCall).length, view.asked(deliveriesCall).length]).toEqual([1, 2])
    expect(toasts()).toEqual(['success: The message to Email is sent again'])
  })

  test('says why it could not', async () => {
    const view = await show([failed], { [retryCall]: () => refusal('It was delivered meanwhile', {}, 409) })
    await click('Retry: web-1 to Email')
    await view.settled()
    expect(toasts()).toEqual(['error: Failed to send the message again: It was delivered meanwhile'])
  })
})

test('one is opened for its alerts and every try', async () => {
  await show([
    aDelivery({
      state: 'failed',
      error: 'given up',
      payloadSize: 2048,
      alertCount: 30,
      log: [
        {
          at: '2026-03-01T10:00:00Z',
          success: false,
          statusCode: 503,
          duration: 120,
          response: '<h1>busy</h1>',
          error: 'hook.lan answered 503',
        },
      ],
    }),
  ])
  await click('Alert: web-1 and 29 more')
  const dialog = within(screen.getByRole('dialog'))
  expect(screen.getByRole('dialog').textContent).toContain('Alert to Email')
  expect(dialog.getByRole('list', { name: 'Alerts' }).textContent).toContain('critical web-1 CPU at 97%')
  expect(dialog.getByText('and 29 more')).toBeDefined()
  const tries = dialog.getByRole('list', { name: 'Attempts' }).textContent
  for (const text of ['Failed', 'Answered 503', '120 ms', 'hook.lan answered 503', '<h1>busy</h1>']) {
    expect(tries).toContain(text)
  }
  expect(document.querySelector('[role=dialog] h1')).toBeNull()
})

test('is filtered by state and channel, and says when nothing fits', async () => {
  const channel = { id: 'hook-1', kind: 'webhook' as const, name: 'Pager', enabled: true, waiting: 0 }
  const view = await show([failed], { [deliveriesCall]: aLog({ deliveries: [failed], channels: [channel] }) })
  expect(view.asked(deliveriesCall)[0]!.search).toBe('?limit=100')
  view.answers[deliveriesCall] = aLog({ channels: [channel] })
  await choose(card('Delivery log').getByRole('combobox', { name: 'State' }), 'Delivered')
  await view.settled()
  await choose(card('Delivery log').getByRole('combobox', { name: 'Channel' }), 'Pager')
  await view.settled()
  expect(view.asked(deliveriesCall).at(-1)!.search).toBe('?limit=100&state=delivered&channel=hook-1')
  expect(card('Delivery log').getByText('No such message')).toBeDefined()
})

test('older ones are shown when they are asked for', async () => {
  const view = await show([failed], { [deliveriesCall]: aLog({ deliveries: [failed], total: 150 }) })
  view.answers[deliveriesCall] = aLog({ deliveries: [failed], total: 1 })
  await click('Show older')
  await view.settled()
  expect(view.asked(deliveriesCall).at(-1)!.search).toBe('?limit=200')
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
})

test('messages beyond the queue are reported', async () => {
  const queue = { waiting: 10_000, limit: 10_000, overflowed: 12 }
  await show([failed], { [deliveriesCall]: aLog({ deliveries: [failed], queue }) })
  expect(card('Delivery log').getByText('12 messages were dropped')).toBeDefined()
})

test('a message that waits says what for, and when it goes out', async () => {
  const until = '2026-03-01T06:49:00Z'
  await show([
    aDelivery({ id: 'grouped', state: 'waiting', attempts: 0, wait: { reason: 'grouping', until } }),
    aDelivery({ id: 'full', state: 'waiting', attempts: 0, wait: { reason: 'room' } }),
  ])
  const [, grouped, full] = rows()
  expect(grouped![5]).toMatch(/^Grouped, goes out at .*\d/)
  expect(full![5]).toBe('Queue full')
  for (const reason of waitReasons)
    expect(waitText({ reason, until }, () => '6:49')).toContain(', goes out at 6:49')
})

test('every state has words; those that end a message without it arriving say why', () => {
  expect(Object.keys(stateTexts)).toEqual(DeliveryState.options)
  const cause = (state: DeliveryState) => causeText(aDelivery({ state }))
  expect([cause('cancelled'), cause('dropped')].every((text) => text !== undefined)).toBe(true)
  expect(causeText(aDelivery({ statusCode: 204 }))).toBe('Answered 204')
  expect(aboutText({ alerts: [], alertCount: 0 })).toBe('0 alerts')
})
