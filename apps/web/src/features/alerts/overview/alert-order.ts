import type { Alert } from '@pulse/contract'

interface Ordered {
  /** from top to bottom */
  ids: readonly string[]
  unacknowledged: readonly string[]
  acknowledged: number
}

/** What nobody looks after first, then what is critical, then what is new. */
export function orderAlerts(
  alerts: ReadonlyMap<string, Alert>,
  isAcknowledged: (alert: Alert) => boolean,
  showsAcknowledged: boolean,
): Ordered {
  const all = [...alerts].map(([id, alert]) => ({
    id,
    acknowledged: isAcknowledged(alert),
    isCritical: alert.level === 'critical',
    startTime: alert.startTime,
  }))
  const unacknowledged = all.filter(({ acknowledged }) => !acknowledged).map(({ id }) => id)
  const shown = showsAcknowledged ? all : all.filter(({ acknowledged }) => !acknowledged)
  return {
    ids: shown
      .toSorted(
        (a, b) =>
          Number(a.acknowledged) - Number(b.acknowledged) ||
          Number(b.isCritical) - Number(a.isCritical) ||
          Date.parse(b.startTime) - Date.parse(a.startTime) ||
          (a.id < b.id ? -1 : 1),
      )
      .map(({ id }) => id),
    unacknowledged,
    acknowledged: all.length - unacknowledged.length,
  }
}
