import { type Bounds, containerBounds, metricBounds, otherBounds, switchedOnValues } from '@pulse/contract'

/** A figure that has a threshold: a column of the tables. */
export interface Metric extends Bounds {
  /** as in the configuration */
  key: string
  header: string
  unit: string
  /** what it is given when it is switched on */
  enabledWith: number
  /** no fractions */
  whole?: true
  /** stored as a number alone, without a value at which the alert ends */
  alone?: true
}

const measured = (key: keyof typeof metricBounds, header: string, unit: string): Metric => ({
  key,
  header,
  unit,
  ...metricBounds[key],
  enabledWith: switchedOnValues[key],
})

const figure = (key: keyof typeof containerBounds, header: string, unit: string): Metric => ({
  key,
  header,
  unit,
  ...containerBounds[key],
  enabledWith: switchedOnValues[key],
  alone: true,
})

const whole = (metric: Metric): Metric => ({ ...metric, whole: true })

const cpu = measured('cpu', 'CPU %', '%')
const memory = measured('memory', 'Memory %', '%')
const disk = measured('disk', 'Disk %', '%')

export const nodeMetrics: readonly Metric[] = [cpu, memory, disk, measured('temperature', 'Temp °C', '°C')]

export const pbsMetrics: readonly Metric[] = [cpu, memory]

export const guestMetrics: readonly Metric[] = [
  cpu,
  memory,
  disk,
  measured('diskRead', 'Disk R MB/s', 'MB/s'),
  measured('diskWrite', 'Disk W MB/s', 'MB/s'),
  measured('networkIn', 'Net In MB/s', 'MB/s'),
  measured('networkOut', 'Net Out MB/s', 'MB/s'),
]

export const storageMetrics: readonly Metric[] = [measured('usage', 'Usage %', '%')]

export const containerMetrics: readonly Metric[] = [
  cpu,
  memory,
  whole(figure('restartCount', 'Restart Count', '')),
  whole(figure('restartWindow', 'Restart Window (s)', 's')),
  figure('memoryWarnPct', 'Memory Warn %', '%'),
  figure('memoryCriticalPct', 'Memory Critical %', '%'),
]

const mail = (key: string, header: string): Metric => ({
  key,
  header,
  unit: '',
  min: 0,
  max: otherBounds.max,
  enabledWith: 80,
  whole: true,
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
