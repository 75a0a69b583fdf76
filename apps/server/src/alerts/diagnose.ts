import type { Alert, AlertCheck, AlertConfig } from '@pulse/contract'

const cooldownOff = 'The cooldown is off: an ongoing alert is sent once, without reminders.'
const HOUR_MS = 3_600_000

interface Known {
  config: AlertConfig
  active: ReadonlyMap<string, Alert>
  /** of the history, or why they could not be counted */
  entries: { count: number } | { problem: string }
  now: number
}

export function diagnoseAlerts({ config, active, entries, now }: Known): AlertCheck {
  const { enabled, activationState, schedule } = config
  const alerts = [...active.values()]
  const missingCooldown = schedule.cooldown <= 0
  const missingGroupingWindow = schedule.grouping.enabled && schedule.grouping.window <= 0
  const notes = [
    ...gatesOf(config),
    ...(missingCooldown ? [cooldownOff] : []),
    ...(missingGroupingWindow ? ['Grouping is on without a window: each alert is sent on its own.'] : []),
    ...('problem' in entries ? [`The alert history could not be counted: ${entries.problem}`] : []),
    ...(isStillObserved(config, now) ? ['The observation window after activation has not passed yet.'] : []),
  ]
  return {
    enabled,
    activationState,
    active: alerts.length,
    acknowledged: alerts.filter(({ acknowledged }) => acknowledged).length,
    ...('count' in entries && { historyEntries: entries.count }),
    legacyThresholdsDetected: false,
    legacyThresholdSources: [],
    legacyScheduleSettings: [],
    missingCooldown,
    missingGroupingWindow,
    ...(notes.length > 0 && { notes }),
  }
}

/** Reasons that suppress all alerts. */
export function gatesOf({ enabled, activationState }: AlertConfig): string[] {
  if (!enabled) return ['Alerts are switched off in the configuration: nothing is evaluated.']
  if (activationState === 'active') return []
  const why = activationState === 'snoozed' ? 'Alerts are snoozed' : 'Alerts are not activated'
  return [`${why}: alerts are evaluated, but neither shown nor sent.`]
}

function isStillObserved(
  { activationState, activationTime, observationWindowHours }: AlertConfig,
  now: number,
) {
  if (activationState !== 'active' || activationTime === undefined) return false
  return now <= Date.parse(activationTime) + observationWindowHours * HOUR_MS
}
