import {
  type AgeDefaults,
  type AlertConfig,
  type AlertSchedule,
  pmgFigures,
  scheduleFallbacks,
} from '@pulse/contract'
import { tidyDelays } from './tidy-delays.ts'

/** What is sent: whether alerts are active is nothing that is edited here, and stays as it is. */
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

/** A warning comes no later than what is critical; without critical days it is critical at once. */
export function clampDays({ warningDays, criticalDays, ...rest }: AgeDefaults): AgeDefaults {
  const warning = Math.max(0, warningDays)
  const critical = Math.max(0, criticalDays)
  if (critical === 0) return { ...rest, warningDays: warning, criticalDays: warning }
  return { ...rest, warningDays: Math.min(warning, critical), criticalDays: critical }
}

/** As it is sent: without a limit per hour there is one that hardly limits. */
export const toSavedSchedule = (schedule: AlertSchedule): AlertSchedule => ({
  ...schedule,
  maxAlertsHour: schedule.maxAlertsHour || scheduleFallbacks.maxAlertsHour,
  groupingWindow: schedule.grouping.enabled ? schedule.grouping.window : scheduleFallbacks.groupingWindow,
})
