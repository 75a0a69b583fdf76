/**
 * Allowed range of a setting; 0 and below switch it off. The server refuses other values, and inputs do not
 * accept them.
 */
export interface Bounds {
  min: number
  max: number
}

/** Range of backup and snapshot ages in days, and of mail gateway figures. */
export const otherBounds: Bounds = { min: -1, max: 10_000 }

/** An alert clears this far below its trigger. */
export const clearMargin = 5

export const scheduleBounds = {
  /** minutes; 0 is switched off */
  cooldown: { min: 5, max: 120 },
  /** per alert; 0: no limit */
  maxAlertsHour: { min: 1, max: 10 },
  groupingMinutes: { min: 1, max: 30 },
  /** minutes */
  escalationAfter: { min: 5, max: 180 },
} as const satisfies Record<string, Bounds>

/** s that a condition must last before it is an alert */
export const delayBounds: Bounds = { min: 0, max: 7 * 86_400 }

/** Maximum sizes within a configuration. */
export const alertConfigLimits = {
  overrides: 20_000,
  /** types with their own delays, and metrics per type */
  delays: 100,
  customRules: 500,
  prefixes: 500,
  escalationLevels: 20,
} as const
