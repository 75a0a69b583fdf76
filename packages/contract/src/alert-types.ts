import type { Bounds } from './alert-bounds.ts'
import type { RecordKind } from './kinds.ts'

/** The catalogue of alert types and of the metrics with thresholds. All other parts read their lists here. */

/** The categories of critical alerts. Quiet hours have one switch for each. */
export type AlertCategory = 'performance' | 'storage' | 'offline'

export type AlertUnit = '%' | 'MB/s' | '°C' | 'days' | 'min'

interface AlertType {
  category: AlertCategory
  /** of value and threshold */
  unit?: AlertUnit
  /** name in messages; default: the words of the type */
  label?: string
  /** shorter name for pages */
  shortLabel?: string
}

/** A metric with a trigger and a clear value. It is an alert type of the same name. */
interface ThresholdMetric extends Bounds, AlertType {
  unit: AlertUnit
  label: string
  /** column header on the Thresholds page */
  header: string
  /** trigger that the page sets when a user enables the threshold */
  switchedOn: number
}

const percent = { category: 'performance', unit: '%', min: -1, max: 100, switchedOn: 80 } as const
const throughput = { category: 'performance', unit: 'MB/s', min: -1, max: 10_000, switchedOn: 100 } as const

export const alertMetrics = {
  cpu: { ...percent, label: 'CPU', header: 'CPU %' },
  memory: { ...percent, label: 'Memory', header: 'Memory %' },
  disk: { ...percent, label: 'Disk', header: 'Disk %' },
  usage: { ...percent, category: 'storage', label: 'Usage', header: 'Usage %' },
  temperature: {
    category: 'performance',
    unit: '°C',
    min: -1,
    max: 150,
    switchedOn: 80,
    label: 'Temperature',
    header: 'Temp °C',
  },
  diskRead: { ...throughput, label: 'Disk read', header: 'Disk R MB/s' },
  diskWrite: { ...throughput, label: 'Disk write', header: 'Disk W MB/s' },
  networkIn: { ...throughput, label: 'Network in', header: 'Net In MB/s' },
  networkOut: { ...throughput, label: 'Network out', header: 'Net Out MB/s' },
} as const satisfies Record<string, ThresholdMetric>
export type AlertMetric = keyof typeof alertMetrics
export const alertMetricNames = Object.keys(alertMetrics) as AlertMetric[]

/** Metrics with a threshold, by record kind. */
export const metricsOfKind = {
  guests: ['cpu', 'memory', 'disk', 'diskRead', 'diskWrite', 'networkIn', 'networkOut'],
  nodes: ['cpu', 'memory', 'disk', 'temperature'],
  pbs: ['cpu', 'memory'],
  storage: ['usage'],
  datastores: ['usage'],
  dockerContainers: ['cpu', 'memory'],
} as const satisfies Partial<Record<RecordKind, readonly AlertMetric[]>>
export type MeasuredKind = keyof typeof metricsOfKind
export type MetricOfKind<K extends MeasuredKind> = (typeof metricsOfKind)[K][number]

/** The limits of a mail gateway, warning and critical, by the figure that is compared with them. 0: off. */
export const mailLimits = {
  queued: ['queueTotalWarning', 'queueTotalCritical'],
  /** minutes */
  oldestMail: ['oldestMessageWarnMins', 'oldestMessageCritMins'],
  deferred: ['deferredQueueWarn', 'deferredQueueCritical'],
  held: ['holdQueueWarn', 'holdQueueCritical'],
  quarantinedSpam: ['quarantineSpamWarn', 'quarantineSpamCritical'],
  quarantinedViruses: ['quarantineVirusWarn', 'quarantineVirusCritical'],
} as const satisfies Record<string, readonly [warning: string, critical: string]>
export type LimitedMail = keyof typeof mailLimits
export type MailLimit = (typeof mailLimits)[LimitedMail][number]
export const mailLimitNames: readonly MailLimit[] = Object.values(mailLimits).flat()

/** The limits of growth of a quarantine, for its spam and its viruses alike. 0: off. */
export const growthLimits = [
  'quarantineGrowthWarnPct',
  'quarantineGrowthWarnMin',
  'quarantineGrowthCritPct',
  'quarantineGrowthCritMin',
] as const

/** The thresholds whose figures have a history, by record kind. A pair of limits belongs to one alert. */
export const backTestMetrics = {
  ...metricsOfKind,
  dockerContainers: [
    ...metricsOfKind.dockerContainers,
    'restartCount',
    'restartWindow',
    'memoryWarnPct',
    'memoryCriticalPct',
  ],
  pmg: [...mailLimitNames, ...growthLimits],
} as const satisfies Partial<Record<RecordKind, readonly string[]>>
export type BackTestKind = keyof typeof backTestMetrics
export type BackTestMetric = (typeof backTestMetrics)[BackTestKind][number]

export const hasHistory = (kind: BackTestKind, metric: string): metric is BackTestMetric =>
  (backTestMetrics[kind] as readonly string[]).includes(metric)

/** A limit that is one number without a clear value. */
interface Limit extends Bounds {
  unit: string
  header: string
  switchedOn: number
  isWhole?: true
  /** false: it has no delay, because its window or its forecast covers a longer time */
  hasDelay?: false
}

export const containerLimits = {
  /** more restarts than this within the window are a restart loop */
  restartCount: {
    min: -1,
    max: 50,
    unit: '',
    header: 'Restart Count',
    switchedOn: 3,
    isWhole: true,
    hasDelay: false,
  },
  restartWindow: {
    min: -1,
    max: 86_400,
    unit: 's',
    header: 'Restart Window (s)',
    switchedOn: 300,
    isWhole: true,
    hasDelay: false,
  },
  memoryWarnPct: { min: -1, max: 10_000, unit: '%', header: 'Memory Warn %', switchedOn: 90 },
  memoryCriticalPct: { min: -1, max: 10_000, unit: '%', header: 'Memory Critical %', switchedOn: 95 },
} as const satisfies Record<string, Limit>
export type ContainerFigure = keyof typeof containerLimits
export const containerFigures = Object.keys(containerLimits) as ContainerFigure[]

export const storageLimits = {
  /** an alert fires if it will be full within so many days */
  fullWithin: {
    min: -1,
    max: 365,
    unit: 'days',
    header: 'Full in (days)',
    switchedOn: 7,
    isWhole: true,
    hasDelay: false,
  },
} as const satisfies Record<string, Limit>
export type StorageFigure = keyof typeof storageLimits
export const storageLimitNames = Object.keys(storageLimits) as StorageFigure[]

/** All limits that are one number. */
export const plainLimits: Readonly<Record<ContainerFigure | StorageFigure, Limit>> = {
  ...containerLimits,
  ...storageLimits,
}
export type PlainLimit = keyof typeof plainLimits
export const plainLimitNames = Object.keys(plainLimits) as PlainLimit[]

const performance = { category: 'performance' } as const
const storage = { category: 'storage' } as const
const offline = { category: 'offline' } as const

export const alertTypes = {
  ...alertMetrics,
  'disk-health': storage,
  'disk-wearout': { ...storage, unit: '%' },
  'zfs-pool-state': storage,
  'zfs-pool-errors': storage,
  'zfs-device': storage,
  'ceph-health': storage,
  'full-within': { ...storage, unit: 'days', label: 'Full soon' },
  'snapshot-age': { ...storage, unit: 'days' },
  'backup-age': { ...storage, unit: 'days' },
  'backup-failed': storage,
  'pbs-job-failed': storage,
  connectivity: offline,
  offline,
  'powered-off': offline,
  'site-unreachable': offline,
  'docker-host-offline': offline,
  'docker-container-state': { ...offline, shortLabel: 'Container state' },
  'docker-container-health': { ...performance, shortLabel: 'Container health' },
  'docker-container-restart-loop': { ...performance, shortLabel: 'Restart loop' },
  'docker-container-oom-kill': { ...performance, shortLabel: 'Out of memory' },
  'docker-container-memory-limit': { ...performance, unit: '%', shortLabel: 'Memory limit' },
  'message-age': { ...performance, unit: 'min' },
  'queue-depth': performance,
  'queue-total': performance,
  'queue-deferred': performance,
  'queue-hold': performance,
  'quarantine-spam': performance,
  'quarantine-virus': performance,
  'anomaly-spamIn': performance,
  'anomaly-spamOut': performance,
  'anomaly-virusIn': performance,
  'anomaly-virusOut': performance,
  'alert-limit': performance,
} as const satisfies Record<string, AlertType>

export type AlertTypeName = keyof typeof alertTypes

/** The alert about each figure of a mail gateway that has limits. */
export const mailAlertTypes: Readonly<Record<LimitedMail, AlertTypeName>> = {
  queued: 'queue-depth',
  oldestMail: 'message-age',
  deferred: 'queue-deferred',
  held: 'queue-hold',
  quarantinedSpam: 'quarantine-spam',
  quarantinedViruses: 'quarantine-virus',
}

/** Whether a metric or limit must last for a delay before an alert fires. */
export function hasDelay(metric: string): boolean {
  return !Object.hasOwn(plainLimits, metric) || plainLimits[metric as PlainLimit].hasDelay !== false
}

/** Stored alerts may have a type that this version does not know. Such a type counts as performance. */
export const alertTypeOf = (type: string): AlertType =>
  Object.hasOwn(alertTypes, type) ? alertTypes[type as keyof typeof alertTypes] : performance

/** The name of a type in messages: `backup-age` is `Backup age`. */
export function alertTypeText(type: string): string {
  const { label } = alertTypeOf(type)
  if (label !== undefined) return label
  const words = type.replaceAll('-', ' ')
  const first = words.slice(0, 1).toUpperCase() + words.slice(1)
  return first.replace(/\b(zfs|pbs|pmg|oom|cpu)\b/gi, (name) => name.toUpperCase())
}
