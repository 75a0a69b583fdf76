import type { AlertConfig, SettingOrigin } from '@pulse/contract'

export interface Delay {
  seconds: number
  origin: SettingOrigin
}

/** Keys that mean every metric of a type. */
const every = ['default', '_default', '*'] as const

/** Type keys of the delays per kind of resource, most specific first. */
export const delayTypes = {
  guest: ['guest'],
  node: ['node'],
  storage: ['storage'],
  pbs: ['pbs', 'node'],
  docker: ['docker', 'guest'],
} as const
export type DelayKind = keyof typeof delayTypes

/** The inherited delay of a metric in seconds: the value behind an empty field of the table. */
export function inheritedDelay(config: DelayConfig, kind: DelayKind, metric: string): number {
  const { [metric.toLowerCase()]: _own, ...others } = config.metricTimeThresholds[kind] ?? {}
  const metricTimeThresholds = { ...config.metricTimeThresholds, [kind]: others }
  return delayOf({ ...config, metricTimeThresholds }, delayTypes[kind], metric).seconds
}

type DelayConfig = Pick<AlertConfig, 'metricTimeThresholds' | 'timeThresholds' | 'timeThreshold'>

/**
 * How long a figure must exceed its trigger. `types`: the type keys of such a resource, most specific first.
 */
export function delayOf(config: DelayConfig, types: readonly string[], metric: string): Delay {
  const byMetric = config.metricTimeThresholds
  const byType: Readonly<Record<string, number | undefined>> = config.timeThresholds
  const key = metric.toLowerCase()
  for (const type of types) {
    const named = namedDelay(byMetric[type], key, `metricTimeThresholds.${type}`)
    if (named) return named
    const own = byType[type]
    if (isDelay(own)) return set(own, `timeThresholds.${type}`)
  }
  const named = namedDelay(byMetric['all'], key, 'metricTimeThresholds.all')
  if (named) return named
  const all = byType['all']
  if (isDelay(all)) return set(all, 'timeThresholds.all')
  return set(Math.max(0, config.timeThreshold), 'timeThreshold')
}

function namedDelay(
  delays: Readonly<Record<string, number | undefined>> | undefined,
  metric: string,
  from: string,
): Delay | undefined {
  if (!delays) return undefined
  for (const name of [metric, ...every]) {
    const seconds = delays[name]
    if (isDelay(seconds)) return set(seconds, `${from}.${name}`)
  }
  return undefined
}

const set = (seconds: number, name: string): Delay => ({ seconds, origin: { from: 'defaults', name } })

const isDelay = (seconds: number | undefined): seconds is number => seconds !== undefined && seconds >= 0
