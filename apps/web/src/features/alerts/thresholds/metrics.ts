import {
  type AlertMetric,
  alertMetrics,
  type Bounds,
  containerFigures,
  containerLimits,
  type MeasuredKind,
  metricsOfKind,
  otherBounds,
  storageLimitNames,
  storageLimits,
} from '@pulse/contract'

/** A metric with a threshold: a column of the tables. */
export interface Metric extends Bounds {
  /** key in the configuration */
  key: string
  header: string
  unit: string
  /** initial trigger when a user enables it */
  switchedOn: number
  /** integers only */
  isWhole?: true
  /** stored as a bare number, without a clear value */
  alone?: true
}

const measured = (kind: MeasuredKind): readonly Metric[] =>
  metricsOfKind[kind].map((key: AlertMetric) => ({ key, ...alertMetrics[key] }))

export const nodeMetrics = measured('nodes')
export const pbsMetrics = measured('pbs')
const full = storageLimitNames.map((key): Metric => ({ key, ...storageLimits[key], alone: true }))
export const guestMetrics: readonly Metric[] = [...measured('guests'), ...full]
export const storageMetrics: readonly Metric[] = [...measured('storage'), ...full]
export const containerMetrics: readonly Metric[] = [
  ...measured('dockerContainers'),
  ...containerFigures.map((key): Metric => ({ key, ...containerLimits[key], alone: true })),
]

const mail = (key: string, header: string): Metric => ({
  key,
  header,
  unit: '',
  min: 0,
  max: otherBounds.max,
  switchedOn: 80,
  isWhole: true,
  alone: true,
})

export const mailMetrics: readonly Metric[] = [
  mail('queueTotalWarning', 'Queue Warn'),
  mail('queueTotalCritical', 'Queue Crit'),
  mail('deferredQueueWarn', 'Deferred Warn'),
  mail('deferredQueueCritical', 'Deferred Crit'),
  mail('holdQueueWarn', 'Hold Warn'),
  mail('holdQueueCritical', 'Hold Crit'),
  mail('oldestMessageWarnMins', 'Oldest Warn (min)'),
  mail('oldestMessageCritMins', 'Oldest Crit (min)'),
  mail('quarantineSpamWarn', 'Spam Warn'),
  mail('quarantineSpamCritical', 'Spam Crit'),
  mail('quarantineVirusWarn', 'Virus Warn'),
  mail('quarantineVirusCritical', 'Virus Crit'),
  mail('quarantineGrowthWarnPct', 'Growth Warn %'),
  mail('quarantineGrowthWarnMin', 'Growth Warn Min'),
  mail('quarantineGrowthCritPct', 'Growth Crit %'),
  mail('quarantineGrowthCritMin', 'Growth Crit Min'),
]
