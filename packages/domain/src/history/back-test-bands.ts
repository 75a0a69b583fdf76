import {
  type AlertConfig,
  type AlertMetric,
  alertMetrics,
  type AnyRecord,
  type BackTestKind,
  type BackTestMetric,
} from '@pulse/contract'
import { rulesOn } from '../alerts/custom-rules.ts'
import { criticalPoint } from '../alerts/levels.ts'
import { clearOf, createPolicies, type Policy } from '../alerts/policy.ts'
import { memoryLimitsOf } from '../alerts/rules/container-memory.ts'
import { limitsOfMail, wellBelow } from '../alerts/rules/mail-limits.ts'

/** Where the state of an alert changes. Between two edges nothing depends on the figure. */
export interface Bands {
  trigger: number
  /** An alert may stay open from here on. */
  clear: number
  edges: readonly Edge[]
  /**
   * What has to be judged besides a sample that passes an edge: `all`, because the thresholds depend on the
   * figure itself; every change, because the alert also depends on earlier figures or on the time; every step of
   * a counter, because the alert depends on nothing else.
   */
  judges: 'edges' | 'all' | 'changes' | 'steps'
}

interface Edge {
  at: number
  /** The value itself is below the edge. */
  isAbove?: true
}

/** Gaps are bands, too. */
export const silentBand = -1
export const stoppedBand = -2
export const fineBand = 0
export const firstBadBand = 10

export function bandOf(value: number, { trigger, edges }: Bands): number {
  let passed = 0
  for (const { at, isAbove } of edges) if (isAbove ? value > at : value >= at) passed++
  return value >= trigger ? firstBadBand + passed : passed
}

/** The bands of each record; undefined where the threshold is off. */
export function createBands(
  config: AlertConfig,
  kind: BackTestKind,
  metric: BackTestMetric,
  isNode: (key: string) => boolean,
): (key: string, record: AnyRecord) => Bands | undefined {
  const policies = createPolicies(config, isNode)
  const moving = kind === 'guests' ? movingThresholds(config, metric as AlertMetric) : []
  return (key, record) => {
    const policy = policies.of(kind, key, record)
    if (policy.off !== undefined && moving.length === 0) return undefined
    if (kind === 'pmg') return mailBands(config, metric)
    if (metric === 'restartCount' || metric === 'restartWindow') return restartBands(policy)
    if (metric === 'memoryWarnPct' || metric === 'memoryCriticalPct') return memoryBands(policy)
    return metricBands(policy, metric as AlertMetric, moving)
  }
}

function metricBands(
  { thresholds }: Policy,
  metric: AlertMetric,
  moving: readonly Threshold[],
): Bands | undefined {
  const set = thresholds[metric]
  const all = [...(set && set.trigger > 0 ? [set] : []), ...moving]
  if (all.length === 0) return undefined
  const trigger = Math.min(...all.map((one) => one.trigger))
  const clear = Math.min(...all.map((one) => one.clear))
  const criticalAt = criticalPoint(trigger, alertMetrics[metric].unit === '%') ?? Infinity
  // A critical figure above it stays critical.
  const staysAbove = criticalAt - Math.max(0, trigger - clear)
  const edges: Edge[] = [{ at: clear, isAbove: true }, { at: staysAbove, isAbove: true }, { at: criticalAt }]
  return { trigger, clear, edges, judges: moving.length > 0 ? 'all' : 'edges' }
}

function memoryBands(policy: Policy): Bands | undefined {
  const { critical, lowest: trigger, clear, staysFrom } = memoryLimitsOf(policy)
  if (!Number.isFinite(trigger)) return undefined
  return { trigger, clear, edges: [clear, staysFrom, critical].map((at) => ({ at })), judges: 'edges' }
}

function restartBands({ figures: { restartCount, restartWindow } }: Policy): Bands | undefined {
  if ((restartCount?.value ?? 0) <= 0 || (restartWindow?.value ?? 0) <= 0) return undefined
  return { trigger: Infinity, clear: Infinity, edges: [], judges: 'steps' }
}

function mailBands({ pmgDefaults }: AlertConfig, metric: BackTestMetric): Bands | undefined {
  const [figure, [warn, limit]] = limitsOfMail(metric)
  const critical = pmgDefaults[limit]
  const limits = [pmgDefaults[warn], critical].filter((one) => one > 0)
  const isGrowing =
    (figure === 'quarantinedSpam' || figure === 'quarantinedViruses') && comparesGrowth(pmgDefaults)
  if (limits.length === 0 && !isGrowing) return undefined
  const trigger = Math.min(...limits)
  const clear = limits.length > 0 ? wellBelow(trigger) : trigger
  return {
    trigger,
    clear,
    edges: [clear, wellBelow(critical), critical].map((at) => ({ at })),
    judges: isGrowing || figure === 'oldestMail' ? 'changes' : 'edges',
  }
}

export const comparesGrowth = ({
  quarantineGrowthWarnPct,
  quarantineGrowthCritPct,
}: AlertConfig['pmgDefaults']): boolean => quarantineGrowthWarnPct > 0 || quarantineGrowthCritPct > 0

interface Threshold {
  trigger: number
  clear: number
}

/** Thresholds that a guest has or has not, depending on the figure that is played. */
function movingThresholds(
  { customRules, guestDefaults, hysteresisMargin }: AlertConfig,
  metric: AlertMetric,
): Threshold[] {
  const rules = rulesOn(customRules, metric)
  if (rules.length === 0) return []
  const defaults = (guestDefaults as Partial<Record<AlertMetric, Threshold>>)[metric]
  return [...rules.map(({ thresholds }) => thresholds[metric]), defaults]
    .filter((set) => set !== undefined && set.trigger > 0)
    .map((set) => ({
      trigger: set!.trigger,
      clear: clearOf(set!.trigger, set!.clear, hysteresisMargin),
    }))
}
