import type { Alert } from '@pulse/contract'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'

export type AlertLevel = 'critical' | 'warning'
export type AlertLevels = ReadonlyMap<string, AlertLevel>

/** The worst unacknowledged active alert of each resource, by the resource's wire id. */
export function selectAlertLevels(live: LiveReader): AlertLevels {
  const levels = new Map<string, AlertLevel>()
  for (const alert of live.records('activeAlerts').values()) {
    if (alert.acknowledged || levels.get(alert.resourceId) === 'critical') continue
    levels.set(alert.resourceId, levelOfAlert(alert))
  }
  return levels
}

const levelOfAlert = (alert: Alert): AlertLevel => (alert.level === 'critical' ? 'critical' : 'warning')

export function sameLevels(a: AlertLevels, b: AlertLevels): boolean {
  if (a.size !== b.size) return false
  for (const [id, level] of a) if (b.get(id) !== level) return false
  return true
}

/** Keeps its identity while no level changes. */
export const alertLevels = perVersion(['activeAlerts'], selectAlertLevels, sameLevels)
