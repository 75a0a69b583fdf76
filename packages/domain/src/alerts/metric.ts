import { type AlertMetric, alertMetrics, type AlertUnit, type Figure, thresholdValue } from '@pulse/contract'
import type { Condition, Resource } from './condition.ts'
import { delayOf } from './delays.ts'
import type { Judging } from './judging.ts'
import { criticalPoint, levelOf } from './levels.ts'
import type { SetThreshold } from './policy.ts'

/** Facts about a figure in addition to its value. */
export interface FigureFacts {
  /** id of the alert; default: made from record and metric */
  id?: string
  /** why its alert is held */
  held?: string | undefined
  /** why it is not judged */
  off?: string | undefined
  /** its name in messages; default: the metric's */
  label?: string
  resource?: Resource
  metadata?: Readonly<Record<string, unknown>>
}

/** `delays`: the type keys of its delays, most specific first. Returns early for a good value. */
export function judgeValue(
  on: Judging,
  metric: AlertMetric,
  delays: readonly string[],
  measured: number | undefined,
  facts?: FigureFacts,
): void {
  if (on.onlyMetric !== undefined && on.onlyMetric !== metric) return
  const value = Number.isFinite(measured) ? measured : undefined
  const set = on.policy.thresholds[metric]
  if (!on.isWatched && !isBeyond(set, value)) return
  const { unit } = alertMetrics[metric]
  const {
    id = `${on.record}-${metric}`,
    resource = on.resource,
    label = alertMetrics[metric].label,
  } = facts ?? {}
  const { trigger = 0, clear = 0 } = set ?? {}
  const verdict = verdictOf(value, trigger, clear, facts)
  // Fast path: no condition for a good figure that is not tracked.
  if (verdict.verdict !== 'bad' && !on.isFollowed(id)) return
  const criticalAt = criticalPoint(trigger, unit === '%')
  const shown = value ?? 0
  on.emit({
    id,
    type: metric,
    ...verdict,
    resource,
    value: shown,
    threshold: trigger,
    clear,
    criticalAt,
    origin: set?.origin,
    level: levelOf(shown, { criticalAt, threshold: trigger, clear }, undefined),
    delay: delayOf(on.config, delays, metric),
    isFigure: true,
    message: `${label} of ${resource.name} is at ${figureText(shown, unit)} (threshold ${figureText(trigger, unit)})`,
    metadata: {
      ...facts?.metadata,
      clearThreshold: clear,
      ...(unit !== '%' && { unit }),
    },
  })
}

const staleFigure = 'The value is stale.'

/**
 * Evaluates a metric of a record by its figure in the catalogue. A stale figure leaves its alert unchanged.
 */
export function judgeMetric<R>(
  on: Judging,
  metric: AlertMetric,
  delays: readonly string[],
  figure: Figure<R>,
  record: R,
  facts?: FigureFacts,
): void {
  const held = facts?.held ?? (figure.isStale?.(record) ? staleFigure : undefined)
  judgeValue(
    on,
    metric,
    delays,
    thresholdValue(figure, record),
    held === undefined ? facts : { ...facts, held },
  )
}

/** False if the threshold is disabled. */
export const isBeyond = (set: SetThreshold | undefined, value: number | undefined): boolean =>
  value !== undefined && set !== undefined && set.trigger > 0 && value >= set.trigger

function verdictOf(
  value: number | undefined,
  trigger: number,
  clear: number,
  facts: FigureFacts | undefined,
): Pick<Condition, 'verdict' | 'reason'> {
  if (facts?.off !== undefined) return { verdict: 'off', reason: facts.off }
  if (trigger <= 0) return { verdict: 'off', reason: 'Its threshold is switched off.' }
  if (facts?.held !== undefined) return { verdict: 'held', reason: facts.held }
  if (value === undefined) return { verdict: 'held', reason: 'Its value is not known.' }
  if (value >= trigger) return { verdict: 'bad' }
  return { verdict: value <= clear ? 'fine' : 'between' }
}

/** A figure with its unit, rounded to one decimal place. */
export function figureText(value: number, unit: AlertUnit | undefined): string {
  const rounded = Number.isSafeInteger(Math.trunc(value)) ? Math.round(value * 10) / 10 : value
  const text = String(Object.is(rounded, -0) ? 0 : rounded)
  if (unit === undefined) return text
  return unit === '%' ? `${text}%` : `${text} ${unit}`
}
