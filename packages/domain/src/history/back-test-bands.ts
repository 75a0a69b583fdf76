import {
  type AlertConfig,
  type AlertMetric,
  alertMetrics,
  type AnyRecord,
  type MeasuredKind,
} from '@pulse/contract'
import { criticalPoint } from '../alerts/levels.ts'
import { createPolicies } from '../alerts/policy.ts'

/** Where the state of an alert changes. Between two of these values nothing depends on the figure. */
export interface Bands {
  trigger: number
  clear: number
  criticalAt: number
  /** A critical figure above it stays critical. */
  staysAbove: number
  /** The thresholds depend on the figure itself, so every sample counts. */
  isMoving: boolean
}

/** Gaps are bands, too. */
export const silentBand = -1
export const stoppedBand = -2
export const fineBand = 0
export const firstBadBand = 2

export function bandOf(value: number, { trigger, clear, criticalAt, staysAbove }: Bands): number {
  if (value < trigger) return value <= clear ? fineBand : 1
  return firstBadBand + (value > staysAbove ? 1 : 0) + (value >= criticalAt ? 1 : 0)
}

/** The bands of each record; undefined where the threshold is off. */
export function createBands(
  config: AlertConfig,
  kind: MeasuredKind,
  metric: AlertMetric,
  isNode: (key: string) => boolean,
): (key: string, record: AnyRecord) => Bands | undefined {
  const policies = createPolicies(config, isNode)
  const moving = kind === 'guests' ? movingThresholds(config, metric) : []
  return (key, record) => {
    const { off, thresholds } = policies.of(kind, key, record)
    const set = thresholds[metric]
    if (off !== undefined && moving.length === 0) return undefined
    const own = set && set.trigger > 0 ? [set] : []
    const all = [...own, ...moving]
    if (all.length === 0) return undefined
    const trigger = Math.min(...all.map((one) => one.trigger))
    const clear = Math.min(...all.map((one) => one.clear))
    const criticalAt = criticalPoint(trigger, alertMetrics[metric].unit === '%') ?? Infinity
    const staysAbove = criticalAt - Math.max(0, trigger - clear)
    return { trigger, clear, criticalAt, staysAbove, isMoving: moving.length > 0 }
  }
}

/** Thresholds that a guest has or has not, depending on the figure that is played. */
function movingThresholds(
  { customRules, guestDefaults, hysteresisMargin }: AlertConfig,
  metric: AlertMetric,
) {
  const rules = customRules.filter(
    ({ enabled, filterConditions: { filters } }) =>
      enabled && filters.some(({ type, field }) => type === 'metric' && field === metric),
  )
  if (rules.length === 0) return []
  const defaults = (guestDefaults as Partial<Record<AlertMetric, { trigger: number; clear: number }>>)[metric]
  return [...rules.map(({ thresholds }) => thresholds[metric]), defaults]
    .filter((set) => set !== undefined && set.trigger > 0)
    .map((set) => ({
      trigger: set!.trigger,
      clear: Math.min(set!.trigger, set!.clear > 0 ? set!.clear : set!.trigger - hysteresisMargin),
    }))
}
