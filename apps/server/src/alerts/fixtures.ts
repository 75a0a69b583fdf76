import type { Alert } from '@pulse/contract'
import type { AlertChange } from '@pulse/domain'
import { anAlert } from '@pulse/testkit'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** A change of a guest's alert. */
export function aChange(
  change: Partial<Alert> = {},
  rest: Partial<Omit<AlertChange, 'stored'>> & { episode?: string; record?: string } = {},
): AlertChange {
  const { episode, record = 'pve-1:100', ...said } = rest
  const alert = anAlert(change)
  return {
    what: 'raised',
    at: Date.parse(alert.startTime),
    stored: {
      alert,
      episode: episode ?? `of ${alert.id}`,
      kind: 'guests',
      record,
      source: record.split(':')[0]!,
      rule: 'guest.cpu',
      trigger: 80,
      steps: [],
    },
    ...said,
  }
}
