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
  growthLimits,
  type LimitedMail,
  mailAlertTypes,
  type MailLimit,
  mailLimits,
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
  /** A sample is a count since the beginning: the alert is about its steps. */
  isCounter?: true
  /** The figure is an age, which grows between polls: the time at which the age began. */
  sinceOf?: (sample: number, at: number) => number | undefined
}

/** Thresholds that are not compared with the figure of the same name. */
const limits: Readonly<Partial<Record<BackTestMetric, Omit<PlayedThreshold, 'unit'>>>> = {
  memoryWarnPct: containerLimit(),
  memoryCriticalPct: containerLimit(),
  restartCount: restarts(),
  restartWindow: restarts(),
  ...mailThresholds(),
}

const isGrowth = (metric: string): boolean => (growthLimits as readonly string[]).includes(metric)

/** Growth and size of a quarantine have one alert for its spam and one for its viruses. Each is played. */
export const playedMetrics = (metric: BackTestMetric): readonly BackTestMetric[] =>
  isGrowth(metric) ? ['quarantineSpamWarn', 'quarantineVirusWarn'] : [metric]

/** Of one of the `playedMetrics`. */
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

function restarts() {
  return {
    figure: 'restarts',
    type: 'docker-container-restart-loop',
    isCounter: true,
    valueOf: (_: AnyRecord, count: number) => count,
  } as const
}

/** Of the whole gateway. The alerts of single nodes have no history. */
function mailThresholds(): Partial<Record<BackTestMetric, Omit<PlayedThreshold, 'unit'>>> {
  const played = (Object.entries(mailLimits) as [LimitedMail, readonly MailLimit[]][]).flatMap(
    ([figure, names]) => {
      const threshold = {
        figure,
        type: mailAlertTypes[figure],
        ...(figure === 'oldestMail'
          ? { valueOf: (_: AnyRecord, ageS: number) => Math.floor(ageS / 60), sinceOf: arrivalOf }
          : { valueOf: (_: AnyRecord, count: number) => count }),
      }
      return names.map((name) => [name, threshold] as const)
    },
  )
  return Object.fromEntries(played)
}

/** Since when the oldest mail waits; undefined: there is none. */
export function arrivalOf(ageS: number, at: number): number | undefined {
  return ageS > 0 ? at - ageS * 1_000 : undefined
}
