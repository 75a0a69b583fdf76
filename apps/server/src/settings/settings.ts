import { type SettingsProblem, type SystemSettings, type SystemSettingsInput } from '@pulse/contract'
import { keepMsOf, parseSubnet, subnetMessages } from '@pulse/domain'
import { isDeepStrictEqual } from 'node:util'
import { canonicalOrigins, listOf, wrongOrigin } from './origins.ts'

/** An absent field stays unchanged, and an empty one is cleared. */
export function mergeSettings<S extends SystemSettingsInput>(old: S, changes: SystemSettingsInput): S {
  const { discoveryConfig, ...rest } = changes
  const nested = discoveryConfig && {
    discoveryConfig: { ...old.discoveryConfig, ...present(discoveryConfig) },
  }
  return { ...old, ...present(rest), ...nested }
}

const present = <T extends object>(changes: T): Partial<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<T>

/** One spelling for settings with equal meaning. */
export function canonicalSettings(input: SystemSettingsInput): SystemSettingsInput {
  const { allowedOrigins, allowedEmbedOrigins, discoverySubnet } = input
  return {
    ...input,
    ...(allowedOrigins === undefined ? {} : { allowedOrigins: canonicalOrigins(allowedOrigins) }),
    ...(allowedEmbedOrigins === undefined
      ? {}
      : { allowedEmbedOrigins: canonicalOrigins(allowedEmbedOrigins) }),
    ...(discoverySubnet === undefined ? {} : { discoverySubnet: canonicalSubnet(discoverySubnet) }),
  }
}

/** The word auto is redundant next to networks; an empty text means auto. */
function canonicalSubnet(text: string): string {
  const networks = new Set(listOf(text).filter((entry) => entry.toLowerCase() !== 'auto'))
  return [...networks].join(',') || 'auto'
}

/** Problems that the ranges of single fields do not cover. */
export function settingsProblems(settings: SystemSettings): SettingsProblem[] {
  const { allowedOrigins, allowedEmbedOrigins, discoverySubnet, discoveryConfig } = settings
  const min = settings.adaptivePollingMinInterval
  const base = settings.adaptivePollingBaseInterval
  const max = settings.adaptivePollingMaxInterval
  const keep = keepMsOf(settings)
  const checks: [string, string | false | undefined][] = [
    ['allowedOrigins', originProblem(wrongOrigin(allowedOrigins, { anyAllowed: true }))],
    ['allowedEmbedOrigins', originProblem(wrongOrigin(allowedEmbedOrigins, { anyAllowed: false }))],
    ['adaptivePollingMinInterval', min > base && 'The shortest interval must not exceed the base interval.'],
    ['adaptivePollingMaxInterval', max < base && 'The longest interval must not be below the base interval.'],
    ['historyRawHours', keep.raw > keep.minute && shorter('samples as polled', 'their minutes')],
    ['historyMinuteDays', keep.minute > keep.quarter && shorter('minutes', 'their quarter hours')],
    [
      'historyDayYears',
      keep.day !== undefined && keep.day < keep.quarter && 'Days must be kept as long as quarter hours.',
    ],
    ['discoverySubnet', discoverySubnet !== 'auto' && networkProblem(listOf(discoverySubnet))],
    ['discoveryConfig.subnet_allowlist', networkProblem(discoveryConfig.subnet_allowlist)],
    ['discoveryConfig.subnet_blocklist', networkProblem(discoveryConfig.subnet_blocklist)],
  ]
  return checks.flatMap(([field, message]) => (message ? [{ field, message }] : []))
}

/** A coarser tier is made from the finer one, and it replaces it. */
const shorter = (finer: string, coarser: string) =>
  `The history must not have ${finer} for longer than ${coarser}.`

const originProblem = (wrong: string | undefined) =>
  wrong !== undefined && `"${wrong}" is not an origin. Use origins such as https://wall.example.com.`

const networkProblem = (entries: readonly string[]) =>
  entries.some((entry) => parseSubnet(entry) === undefined) && subnetMessages.invalid

/** Names of the top-level fields that differ. */
export const changedFields = (before: SystemSettings, after: SystemSettings): string[] =>
  (Object.keys(after) as (keyof SystemSettings)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )
