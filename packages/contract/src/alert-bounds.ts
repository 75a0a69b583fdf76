/** What a figure may be set to; 0 and below switch it off. The server refuses the rest, inputs do not take it. */
export interface Bounds {
  min: number
  max: number
}

/** Days of backups and snapshots, figures of mail gateways. */
export const otherBounds: Bounds = { min: -1, max: 10_000 }

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
