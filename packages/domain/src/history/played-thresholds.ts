import {
  type AlertMetric,
  alertMetrics,
  type AlertTypeName,
  type AnyRecord,
  type BackTestKind,
  type BackTestMetric,
  type DockerContainer,
  figures,
  type Figure,
  type FigureUnit,
  thresholdValue,
} from '@pulse/contract'

/** How a threshold is played. */
export interface PlayedThreshold {
  /** name of the sampled figure in the catalogue */
  figure: string
  unit: FigureUnit
  /** of its alerts */
  type: AlertTypeName
  /** the only metric that the engine has to evaluate */
  onlyMetric?: AlertMetric
  /** A sample in the unit of the threshold. The record is the one of now. */
  valueOf: (record: AnyRecord, sample: number) => number
}

/** Thresholds that are not compared with the figure of the same name. */
const limits: Readonly<Partial<Record<BackTestMetric, Omit<PlayedThreshold, 'unit'>>>> = {
  memoryWarnPct: containerLimit(),
  memoryCriticalPct: containerLimit(),
  queueTotalWarning: queueTotal(),
  queueTotalCritical: queueTotal(),
}

export function playedThreshold(kind: BackTestKind, metric: BackTestMetric): PlayedThreshold {
  const limit = limits[metric]
  if (limit) return { ...limit, unit: figureOf(kind, limit.figure).unit }
  if (!Object.hasOwn(alertMetrics, metric)) throw new Error(`no threshold: ${kind} ${metric}`)
  const { unit } = figureOf(kind, metric)
  const inUnit: Figure<number> = { unit, read: (value) => value }
  const only = metric as AlertMetric
  return {
    figure: metric,
    unit,
    type: only,
    onlyMetric: only,
    valueOf: (_, sample) => thresholdValue(inUnit, sample)!,
  }
}

const figureOf = (kind: BackTestKind, name: string): Figure<never> =>
  (figures[kind] as unknown as Readonly<Record<string, Figure<never>>>)[name]!

function containerLimit() {
  return {
    figure: 'memoryUsed',
    type: 'docker-container-memory-limit',
    valueOf: (record: AnyRecord, used: number) =>
      (used / (record as DockerContainer).memoryLimitBytes!) * 100,
  } as const
}

/** The sum of all nodes. The alerts of single nodes have no history. */
function queueTotal() {
  return { figure: 'queued', type: 'queue-depth', valueOf: (_: AnyRecord, queued: number) => queued } as const
}
