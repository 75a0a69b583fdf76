import {
  type Alert,
  type AlertHistoryEntry,
  overrideKey,
  type OverrideKind,
  overrideKinds,
} from '@pulse/contract'
import type { AlertChange, Restored, StoredAlert, StoredGone } from '@pulse/domain'
import type { AlertHistoryRow, AlertRow } from '../db/schema.ts'

/** What is over is kept with how it ended. */
export function toAlertRow({ stored, at, ending }: AlertChange): AlertRow {
  const { id } = stored.alert
  if (ending === undefined) return { id, stored: JSON.stringify(stored), resolved_at: null }
  const gone: StoredGone = { stored, ending, endedAt: at }
  return { id, stored: JSON.stringify(gone), resolved_at: at }
}

/** What cannot be read is told, and the rest goes on. */
export function fromAlertRows(rows: readonly AlertRow[], onUnreadable: (id: string) => void): Restored {
  const alerts: StoredAlert[] = []
  const gone: StoredGone[] = []
  for (const { id, stored, resolved_at } of rows) {
    try {
      if (resolved_at === null) alerts.push(JSON.parse(stored) as StoredAlert)
      else gone.push(JSON.parse(stored) as StoredGone)
    } catch {
      onUnreadable(id)
    }
  }
  return { alerts, gone }
}

export function toHistoryRow(change: AlertChange): AlertHistoryRow {
  const { alert, episode, kind, record } = change.stored
  const started_at = Date.parse(alert.startTime)
  const level = alert.level === 'critical' ? 'critical' : 'warning'
  const ended =
    change.ending !== undefined
      ? { ended_at: change.at, duration_ms: Math.max(0, change.durationMs ?? change.at - started_at) }
      : { ended_at: null, duration_ms: null }
  return {
    episode,
    alert_id: alert.id,
    resource_id: alert.resourceId,
    resource_key: resourceKeyOf(kind, record),
    level,
    peak_level: level,
    started_at,
    ...ended,
    alert: JSON.stringify(alert),
  }
}

/** As overrides have it, where the kind can have some. */
export const resourceKeyOf = (kind: string, record: string): string =>
  Object.hasOwn(overrideKinds, kind) ? overrideKey(kind as OverrideKind, record) : `${kind}:${record}`

/** `live` is how the alert is now, while it lasts. */
export function toHistoryEntry(row: AlertHistoryRow, live: Alert | undefined): AlertHistoryEntry {
  const alert = live ?? (JSON.parse(row.alert) as Alert)
  const level = (name: string) => (name === 'critical' ? 'critical' : 'warning')
  const last = row.ended_at ?? Date.parse(alert.lastSeen ?? alert.startTime)
  const durationMs = row.duration_ms ?? Math.max(0, last - row.started_at)
  return {
    ...alert,
    peakLevel: alert.level === 'critical' ? 'critical' : level(row.peak_level),
    status: row.ended_at === null ? 'active' : alert.acknowledged ? 'acknowledged' : 'resolved',
    ...(row.ended_at !== null && { endTime: new Date(row.ended_at).toISOString() }),
    duration: Math.round(durationMs / 1000),
  }
}
