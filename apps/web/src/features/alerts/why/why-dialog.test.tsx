// @vitest-environment happy-dom
import { anAlert } from '@pulse/testkit'
import { cleanup, screen, within } from '@testing-library/react'
import { act, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { click, showAlerts } from '../fake-alerts.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('why an alert: the dialog shows the alert itself, too', async () => {
  const alert = anAlert({ id: 'a', resourceName: 'web', message: 'CPU of web is at 92%' })
  await showAlerts('/alerts/overview', {
    live: aLive({ activeAlerts: { a: alert } }),
    replies: { 'GET /api/alerts/trace': { gates: [], conditions: [] } },
  })
  await click(/^Why/)
  const dialog = within(screen.getByRole('dialog', { name: 'Why this alert?' }))
  expect(dialog.getByText('web')).toBeDefined()
  expect(dialog.getByText('CPU of web is at 92%')).toBeDefined()
})

test('it counts down, and asks again when the time is over', async () => {
  const alert = anAlert({ id: 'a', resourceName: 'web', message: 'CPU of web is at 92%' })
  const condition = { alertId: 'a', type: 'cpu', resourceId: 'r', resourceName: 'web', steps: [] }
  const at = '2026-01-01T12:00:00.000Z'
  const grouped = {
    at,
    channel: 'Email',
    text: 'Grouped: it is sent with others when the window ends.',
    wait: { reason: 'grouping', until: '2026-01-01T12:04:10.000Z' },
  }
  const reminder = {
    at,
    channel: 'Slack',
    text: 'Sent.',
    next: { kind: 'repeated', at: '2026-01-01T12:12:00.000Z' },
  }
  const delay = { seconds: 5, passedSeconds: 2, origin: { from: 'defaults' } }
  const pending = { ...condition, state: 'pending', delay, notices: [grouped, reminder] }
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2030-01-01T00:00:00Z') })
  const view = await showAlerts('/alerts/overview', {
    live: aLive({ activeAlerts: { a: alert } }),
    replies: { 'GET /api/alerts/trace': { gates: [], conditions: [pending] } },
  })
  await click(/^Why/)
  const dialog = screen.getByRole('dialog', { name: 'Why this alert?' })
  await waitFor(() => expect(dialog.textContent).toMatch(/Becomes an alertin [23] s/))
  expect(dialog.textContent).toMatch(
    /Email: Grouped: it is sent with others when the window ends\. Goes out in 4 min (10|9) s\./,
  )
  expect(dialog.textContent).toMatch(/Slack: Sent\. Next reminder in (12 min|11 min 59 s)\./)
  view.answers['GET /api/alerts/trace'] = { gates: [], conditions: [{ ...condition, state: 'active' }] }
  await act(async () => vi.advanceTimersByTime(4_000))
  await view.settled()
  await waitFor(() => expect(dialog.textContent).not.toContain('Becomes an alert'))
  expect(within(dialog).getByText('Alert')).toBeDefined()
})
