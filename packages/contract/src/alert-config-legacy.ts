import { clearMargin } from './alert-bounds.ts'
import { pmgFigures, type Weekday, weekdays } from './alert-config.ts'
import { alertDefaults } from './alert-defaults.ts'
import { type AlertMetric, alertMetrics, plainLimits } from './alert-types.ts'

/** Converts the forms of older clients and files to the current one, before validation. */

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapped = (value: unknown, to: (value: unknown, key: string) => unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) => {
          const result = to(inner, key)
          return result === undefined || result === null ? [] : [[key, result]]
        }),
      )
    : (value ?? undefined)

/** A value that must be above 0 and is not gets its factory default. */
const orFactory = (value: unknown, factory: number) =>
  typeof value === 'number' && value <= 0 ? factory : value

function pair(given: unknown, margin: number): unknown {
  const trigger = isObject(given) ? given['trigger'] : given
  if (typeof trigger !== 'number') return given ?? undefined
  const most = Math.max(0, trigger)
  const clear = isObject(given) ? given['clear'] : undefined
  if (typeof clear === 'number' && clear > 0) return { trigger, clear: Math.min(clear, most) }
  return { trigger, clear: Math.max(0, trigger - margin) }
}

const isMetric = (key: string): key is AlertMetric => Object.hasOwn(alertMetrics, key)

/**
 * Legacy thresholds are one number, also under a name with the suffix `Legacy`. A metric that is one number
 * today may arrive as a pair.
 */
function thresholds(value: unknown, margin: number): unknown {
  if (!isObject(value)) return value ?? undefined
  const current: Json = {}
  for (const [key, given] of Object.entries(value)) {
    const name = key.replace(/Legacy$/, '')
    if (name === key || value[name] === undefined || value[name] === null) current[name] = given
  }
  return mapped(current, (given, key) => {
    if (isMetric(key)) return pair(given, margin)
    if (Object.hasOwn(plainLimits, key) && isObject(given)) return given['trigger']
    return given === '' ? undefined : given
  })
}

function delays(value: unknown): unknown {
  if (!isObject(value)) return value ?? undefined
  const result: Record<string, Json> = {}
  for (const [type, metrics] of Object.entries(value)) {
    if (!isObject(metrics)) continue
    const kept = Object.entries(metrics).flatMap(([metric, s]) =>
      typeof s === 'number' && s >= 0 ? [[metric.trim().toLowerCase(), Math.round(s)]] : [],
    )
    if (kept.length > 0) result[type.trim().toLowerCase()] = Object.fromEntries(kept) as Json
  }
  return result
}

function prefixes(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? undefined
  const kept = new Map<unknown, unknown>()
  for (const prefix of value as unknown[]) {
    const text = typeof prefix === 'string' ? prefix.trim() : prefix
    const known = typeof text === 'string' ? text.toLowerCase() : text
    if (text !== '' && !kept.has(known)) kept.set(known, text)
  }
  return [...kept.values()]
}

/** Weekday numbers; 0 is Sunday. */
function days(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? undefined
  return Object.fromEntries(weekdays.map((day: Weekday, n) => [day, value.includes((n + 1) % 7)]))
}

function schedule(value: unknown): unknown {
  if (!isObject(value)) return value ?? undefined
  const { groupingWindow, grouping, quietHours, escalation, ...rest } = mapped(value, (one) => one) as Json
  const own = isObject(grouping) ? grouping['window'] : undefined
  // While grouping is off, pages save a placeholder number for its window.
  const isOff = isObject(grouping) && grouping['enabled'] === false
  const window = !isOff && typeof groupingWindow === 'number' && groupingWindow > 0 ? groupingWindow : own
  return {
    ...rest,
    ...(window !== undefined && { groupingWindow: window }),
    ...(isObject(grouping) || window !== undefined
      ? { grouping: { ...(isObject(grouping) && grouping), ...(window !== undefined && { window }) } }
      : {}),
    ...(quietHours !== undefined && {
      quietHours: mapped(quietHours, (inner, key) => (key === 'days' ? days(inner) : inner)),
    }),
    ...(escalation !== undefined && { escalation: mapped(escalation, (inner) => inner) }),
  }
}

const notNegative = (value: unknown) => (typeof value === 'number' ? Math.max(0, value) : value)
const ages = (value: unknown) => mapped(value, notNegative)

const pmg = (value: unknown) =>
  mapped(value, (given, key) =>
    (pmgFigures as readonly string[]).includes(key) && typeof given === 'number'
      ? Math.max(0, Math.round(given))
      : given,
  )

type Turn = (value: unknown, margin: number) => unknown
const turns: Readonly<Record<string, Turn>> = {
  guestDefaults: thresholds,
  nodeDefaults: thresholds,
  dockerDefaults: thresholds,
  storageDefault: pair,
  overrides: (value, margin) => mapped(value, (override) => thresholds(override, margin)),
  customRules: (value, margin) =>
    Array.isArray(value)
      ? (value as unknown[]).map((rule) =>
          mapped(rule, (inner, key) => (key === 'thresholds' ? thresholds(inner, margin) : inner)),
        )
      : value,
  dockerIgnoredContainerPrefixes: prefixes,
  pmgDefaults: pmg,
  snapshotDefaults: ages,
  backupDefaults: ages,
  observationWindowHours: (value) => orFactory(value, alertDefaults.observationWindowHours),
  minimumDelta: (value) => orFactory(value, alertDefaults.minimumDelta),
  suppressionWindow: (value) => orFactory(value, alertDefaults.suppressionWindow),
  hysteresisMargin: (value) => orFactory(value, clearMargin),
  timeThreshold: notNegative,
  timeThresholds: (value) =>
    mapped(value, (s) => (typeof s === 'number' && s < 0 ? alertDefaults.timeThreshold : s)),
  metricTimeThresholds: delays,
  schedule,
  activationTime: (value) => (value === '' ? undefined : value),
}

export function fromLegacyForm(input: unknown): unknown {
  if (!isObject(input)) return input
  const given = input['hysteresisMargin']
  const margin = typeof given === 'number' && given > 0 ? given : clearMargin
  return mapped(input, (value, key) => (Object.hasOwn(turns, key) ? turns[key]!(value, margin) : value))
}
