import type { Alert } from '@pulse/contract'
import { anAlert } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { showAlerts, toasts } from './fake-alerts.tsx'

export const HOUR = 3_600_000
export const now = new Date(2026, 0, 31, 12).getTime()
export const historyCall = 'GET /api/alerts/history'

export const entry = (id: string, hoursAgo: number, over: Partial<Alert> & { endTime?: string } = {}) => ({
  ...anAlert({
    id,
    resourceName: id,
    startTime: new Date(now - hoursAgo * HOUR).toISOString(),
    ...over,
  }),
  endTime: new Date(now - (hoursAgo - 0.5) * HOUR).toISOString(),
})
export const history = [
  entry('web', 1, { level: 'critical', message: 'web is off', metadata: { resourceType: 'VM' } }),
  entry('mail', 2, { acknowledged: true, ackUser: 'zoe' }),
  entry('db', 30, { node: 'pve2' }),
]

export const show = (entries: unknown = history, given: Parameters<typeof showAlerts>[1] = {}) =>
  showAlerts('/alerts/history', { replies: { [historyCall]: entries }, ...given })
export const cells = () =>
  [...document.querySelectorAll<HTMLElement>('[data-row^="alert:"]')].map((one) =>
    within(one)
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent),
  )
export const names = () => cells().map(([, name]) => name)
export const days = () =>
  [...document.querySelectorAll('[data-row^="day:"]')].map(({ textContent }) => textContent)
export const choose = (name: string, group: string) =>
  act(
    async () =>
      void fireEvent.click(
        within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name }),
      ),
  )
export const bars = () =>
  within(screen.getByRole('group', { name: 'Alerts over time' })).getAllByRole('button')
export const pressed = () => bars().filter((bar) => bar.getAttribute('aria-pressed') === 'true').length

/** Each test has a time of its own and no stored choices. */
export function atThatTime() {
  beforeEach(() => {
    localStorage.clear()
    toasts()
    vi.stubGlobal('scrollTo', () => {})
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(now)
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
