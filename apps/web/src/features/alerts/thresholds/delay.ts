import type { AlertConfig } from '@pulse/contract'
import { type DelayKind, inheritedDelay } from '@pulse/domain'
import { tidyDelays } from '../tidy-delays.ts'

export type { DelayKind } from '@pulse/domain'

/** Seconds a metric inherits when it has no delay of its own, by the server's rule. */
export const commonDelay = (config: AlertConfig, kind: DelayKind, metric: string): number =>
  inheritedDelay(config, kind, metric)

export const ownDelay = (config: AlertConfig, kind: DelayKind, metric: string): number | undefined =>
  config.metricTimeThresholds?.[kind]?.[metric.toLowerCase()]

/** An empty value, or the inherited one, removes the metric's own delay. Invalid text changes nothing. */
export function withDelay(config: AlertConfig, kind: DelayKind, metric: string, text: string): AlertConfig {
  const bare = text.trim()
  const seconds = Math.max(0, Math.round(Number(bare)))
  if (!Number.isFinite(seconds)) return config
  const { [metric.toLowerCase()]: _before, ...others } = config.metricTimeThresholds?.[kind] ?? {}
  const isCommon = !bare || seconds === commonDelay(config, kind, metric)
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
