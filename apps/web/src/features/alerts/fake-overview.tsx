import type { Alert } from '@pulse/contract'
import { anAlert } from '@pulse/testkit'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { showAlerts, toasts } from './fake-alerts.tsx'

export const cpu = anAlert({ id: 'guest/100-cpu', resourceName: 'web', node: 'pve1', message: 'CPU at 92 %' })
export const off = anAlert({
  id: 'off',
  resourceName: 'mail',
  type: 'powered-off',
  level: 'critical',
  message: 'mail is off',
  startTime: '2026-01-01T11:00:00Z',
})
export const old = anAlert({
  id: 'old',
  resourceName: 'db',
  message: 'CPU at 85 %',
  acknowledged: true,
  ackUser: 'zoe',
  ackTime: '2026-01-01T11:30:00Z',
})
export const liveOf = (...alerts: Alert[]) =>
  aLive({ activeAlerts: Object.fromEntries(alerts.map((alert) => [alert.id, alert])) })
export const show = (alerts: readonly Alert[], given: Parameters<typeof showAlerts>[1] = {}) =>
  showAlerts('/alerts/overview', { live: liveOf(...alerts), ...given })
export const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].map((one) => one.dataset['row'])
export const figures = () =>
  [...document.querySelectorAll('dl > *')].map((one) => [
    one.querySelector('dt')!.textContent,
    one.querySelector('dd')!.textContent,
  ])

/** Isolates tests from each other. */
export function eachOnItsOwn(): void {
  beforeEach(() => {
    localStorage.clear()
    toasts()
    vi.stubGlobal('scrollTo', () => {})
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
