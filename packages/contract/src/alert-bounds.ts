/** What a figure may be set to; 0 and below switch it off. The server refuses the rest, inputs do not take it. */
export interface Bounds {
  min: number
  max: number
}

const percent: Bounds = { min: -1, max: 100 }
const throughput: Bounds = { min: -1, max: 10_000 }
const other: Bounds = { min: -1, max: 10_000 }

/** Thresholds that have a clear value beside the trigger. */
export const metricBounds = {
  cpu: percent,
  memory: percent,
  disk: percent,
  usage: percent,
  /** °C */
  temperature: { min: -1, max: 150 },
  /** MB/s, as the next three */
  diskRead: throughput,
  diskWrite: throughput,
  networkIn: throughput,
  networkOut: throughput,
} as const satisfies Record<string, Bounds>
export type AlertMetric = keyof typeof metricBounds
export const alertMetrics = Object.keys(metricBounds) as AlertMetric[]

/** Figures of containers that stand alone. */
export const containerBounds = {
  /** restarts within the window; more of them are a loop */
  restartCount: { min: -1, max: 50 },
  /** s */
  restartWindow: { min: -1, max: 86_400 },
  memoryWarnPct: other,
  memoryCriticalPct: other,
} as const satisfies Record<string, Bounds>
export type ContainerFigure = keyof typeof containerBounds
export const containerFigures = Object.keys(containerBounds) as ContainerFigure[]

/** Days of backups and snapshots, figures of mail gateways. */
export const otherBounds = other

/** What somebody who switches a figure on again gets. */
export const switchedOnValues: Readonly<Record<AlertMetric | ContainerFigure, number>> = {
  cpu: 80,
  memory: 80,
  disk: 80,
  usage: 80,
  temperature: 80,
  diskRead: 100,
  diskWrite: 100,
  networkIn: 100,
  networkOut: 100,
  restartCount: 3,
  restartWindow: 300,
  memoryWarnPct: 90,
  memoryCriticalPct: 95,
}

/** The alert ends that much below its trigger. */
export const clearMargin = 5

export const scheduleBounds = {
  /** minutes; 0 is switched off */
  cooldown: { min: 5, max: 120 },
  /** of one alert; 0 is without end */
  maxAlertsHour: { min: 1, max: 10 },
  groupingMinutes: { min: 1, max: 30 },
  /** minutes */
  escalationAfter: { min: 5, max: 180 },
} as const satisfies Record<string, Bounds>

/** s that something must last before it is an alert */
export const delayBounds: Bounds = { min: 0, max: 7 * 86_400 }

/** How much a configuration may hold. */
export const alertConfigLimits = {
  overrides: 20_000,
  /** types with delays of their own, and metrics of each */
  delays: 100,
  customRules: 500,
  prefixes: 500,
  escalationLevels: 20,
} as const
