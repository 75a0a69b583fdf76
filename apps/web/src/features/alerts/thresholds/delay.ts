import type { AlertConfig } from '@pulse/contract'
import { tidyDelays } from '../tidy-delays.ts'

/** As the configuration names kinds of resources. */
export type DelayKind = 'guest' | 'node' | 'storage' | 'pbs' | 'docker'

/** Seconds for what has none of its own; containers follow the guests. */
export function commonDelay(config: AlertConfig, kind: DelayKind): number {
  const { timeThresholds, timeThreshold } = config
  const of = timeThresholds as Readonly<Record<string, number | undefined>>
  return of[kind] ?? (kind === 'docker' ? of['guest'] : undefined) ?? of['all'] ?? timeThreshold
}

export const ownDelay = (config: AlertConfig, kind: DelayKind, metric: string): number | undefined =>
  config.metricTimeThresholds?.[kind]?.[metric.toLowerCase()]

/** Nothing, or what is common, is none of its own; what is no number changes nothing. */
export function withDelay(config: AlertConfig, kind: DelayKind, metric: string, text: string): AlertConfig {
  const bare = text.trim()
  const seconds = Math.max(0, Math.round(Number(bare)))
  if (!Number.isFinite(seconds)) return config
  const { [metric.toLowerCase()]: _before, ...others } = config.metricTimeThresholds?.[kind] ?? {}
  const isCommon = !bare || seconds === commonDelay(config, kind)
  return withDelays(config, kind, isCommon ? others : { ...others, [metric.toLowerCase()]: seconds })
}

export const withoutDelays = (config: AlertConfig, kind: DelayKind): AlertConfig =>
  withDelays(config, kind, {})

function withDelays(
  config: AlertConfig,
  kind: DelayKind,
  delays: Readonly<Record<string, number>>,
): AlertConfig {
  const { [kind]: _before, ...kinds } = config.metricTimeThresholds ?? {}
  const all = { ...kinds, ...(Object.keys(delays).length > 0 && { [kind]: delays }) }
  return { ...config, metricTimeThresholds: tidyDelays(all) }
}
