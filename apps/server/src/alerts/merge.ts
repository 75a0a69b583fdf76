import type { AgeDefaults, AlertConfig, AlertConfigInput, AlertSchedule } from '@pulse/contract'

type Part = Record<string, unknown>

/** Parts that are merged field by field; lists and maps are replaced. */
const parts = [
  'guestDefaults',
  'nodeDefaults',
  'dockerDefaults',
  'storageLimits',
  'pmgDefaults',
  'timeThresholds',
  'aggregation',
  'flapping',
  'ioNormalization',
] as const

/** Absent fields stay unchanged. */
export function mergeAlertConfig(stored: AlertConfig, input: AlertConfigInput): AlertConfig {
  const merged = over(stored, input)
  for (const name of parts) Object.assign(merged, { [name]: over(stored[name], input[name]) })
  return {
    ...merged,
    snapshotDefaults: inOrder(over(stored.snapshotDefaults, input.snapshotDefaults)),
    backupDefaults: inOrder(over(stored.backupDefaults, input.backupDefaults)),
    schedule: mergeSchedule(stored.schedule, input.schedule ?? {}),
  }
}

function mergeSchedule(
  stored: AlertSchedule,
  input: NonNullable<AlertConfigInput['schedule']>,
): AlertSchedule {
  const { quietHours: before } = stored
  const quietHours = over(before, input.quietHours)
  const grouping = over(stored.grouping, input.grouping)
  return {
    ...over(stored, input),
    quietHours: {
      ...quietHours,
      days: over(before.days, input.quietHours?.days),
      suppress: over(before.suppress, input.quietHours?.suppress),
    },
    escalation: over(stored.escalation, input.escalation),
    grouping,
    groupingWindow: grouping.window,
  }
}

/** The warning limit is at most the critical limit; with a warning limit alone, both are equal. */
export function inOrder({ enabled, warningDays, criticalDays }: AgeDefaults): AgeDefaults {
  if (criticalDays <= 0) return { enabled, warningDays, criticalDays: warningDays }
  return { enabled, warningDays: Math.min(warningDays, criticalDays), criticalDays }
}

function over<T extends object>(before: T, input: Part | undefined): T {
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}
