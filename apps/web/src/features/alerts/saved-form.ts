import {
  type AgeDefaults,
  type AlertConfig,
  type AlertSchedule,
  pmgFigures,
  scheduleFallbacks,
} from '@pulse/contract'
import { tidyDelays } from './tidy-delays.ts'

/** The saved payload. It omits the activation state: these pages do not edit it. */
export type SavedConfig = Omit<AlertConfig, 'activationState' | 'activationTime'>

export function toSaved(config: AlertConfig): SavedConfig {
  const { activationState: _state, activationTime: _since, ...rest } = config
  const figures = pmgFigures.map((figure) => [figure, Math.max(0, Math.round(config.pmgDefaults[figure]))])
  return {
    ...rest,
    pmgDefaults: Object.fromEntries(figures) as AlertConfig['pmgDefaults'],
    backupDefaults: clampDays(config.backupDefaults),
    snapshotDefaults: clampDays(config.snapshotDefaults),
    metricTimeThresholds: tidyDelays(config.metricTimeThresholds),
    schedule: toSavedSchedule(config.schedule),
  }
}

/** Caps the warning days at the critical days. With 0 critical days, both start at the warning days. */
export function clampDays({ warningDays, criticalDays, ...rest }: AgeDefaults): AgeDefaults {
  const warning = Math.max(0, warningDays)
  const critical = Math.max(0, criticalDays)
  if (critical === 0) return { ...rest, warningDays: warning, criticalDays: warning }
  return { ...rest, warningDays: Math.min(warning, critical), criticalDays: critical }
}

/** The saved payload. Without an hourly limit it sends the maximum. */
export const toSavedSchedule = (schedule: AlertSchedule): AlertSchedule => ({
  ...schedule,
  maxAlertsHour: schedule.maxAlertsHour || scheduleFallbacks.maxAlertsHour,
  groupingWindow: schedule.grouping.enabled ? schedule.grouping.window : scheduleFallbacks.groupingWindow,
})
