// @vitest-environment happy-dom
import type { Alert } from '@pulse/contract'
import { anAlert } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { click, row, showAlerts } from '../fake-alerts.tsx'
import { eachOnItsOwn } from '../fake-overview.tsx'

const cpu = anAlert({ id: 'cpu', resourceName: 'web', node: 'pve1', message: 'CPU at 92 %' })
const old = anAlert({
  id: 'old',
  resourceName: 'db',
  node: 'pve2',
  message: 'CPU at 85 %',
  acknowledged: true,
  ackUser: 'zoe',
  ackTime: '2026-01-01T11:30:00Z',
})
const acknowledge = 'POST /api/alerts/cpu/acknowledge'

/** Renders in a phone-sized or a wide window. */
function show(narrow: boolean, alerts: readonly Alert[], replies: Record<string, unknown> = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: narrow, addEventListener() {}, removeEventListener() {} }))
  const activeAlerts = Object.fromEntries(alerts.map((alert) => [alert.id, alert]))
  return showAlerts('/alerts/overview', { live: aLive({ activeAlerts }), replies })
}

eachOnItsOwn()

test('[spec 3 §2] on a phone too an acknowledged alert has its badge, which says by whom', async () => {
  await show(true, [cpu, old])
  expect(within(row('old')).getByText('Acknowledged')).toBeDefined()
  expect(row('old').querySelector('[data-tip^="by zoe"]')).not.toBeNull()
  expect(within(row('cpu')).queryByText('Acknowledged')).toBeNull()
})

test('[spec 3 §2] a line of two shows all that a wide one shows', async () => {
  await show(true, [cpu])
  expect(row('cpu').querySelector('[role=img]')!.getAttribute('aria-label')).toBe('Warning')
  for (const text of ['web', 'CPU', 'pve1', 'CPU at 92 %', 'Started ']) {
    expect(row('cpu').textContent).toContain(text)
  }
})

describe.each([
  ['a line of two', true],
  ['a wide line', false],
])('in %s', (_title, narrow) => {
  test('[spec 3 §4] the button is called Processing... while it is locked, and its mark turns', async () => {
    await show(narrow, [cpu], { [acknowledge]: { success: true } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const button = (name: string) =>
      within(row('cpu')).getByRole<HTMLButtonElement>('button', { name: `${name} web: CPU at 92 %` })
    fireEvent.click(button('Acknowledge'))
    await act(async () => vi.advanceTimersByTimeAsync(1_400))
    expect(button('Processing...').disabled).toBe(true)
    expect(button('Processing...').querySelector('svg.spin')).not.toBeNull()
    await act(async () => vi.advanceTimersByTimeAsync(200))
    expect(button('Unacknowledge').disabled).toBe(false)
    expect(row('cpu').querySelector('svg.spin')).toBeNull()
  })

  test('the button for several is called so too', async () => {
    const bulk = 'POST /api/alerts/bulk/acknowledge'
    let answer = (_reply: unknown) => {}
    await show(narrow, [cpu, { ...cpu, id: 'other', resourceName: 'mail' }], {
      [bulk]: () => new Promise((done) => (answer = done)),
    })
    await click('Select web: CPU at 92 %', 'checkbox')
    await click('Acknowledge selected (1)')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Processing...' }).disabled).toBe(true)
    await act(async () => answer({ results: [{ alertId: 'cpu', success: true }] }))
    expect(screen.queryByRole('button', { name: 'Processing...' })).toBeNull()
  })
})
