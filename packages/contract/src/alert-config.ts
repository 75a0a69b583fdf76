import * as z from 'zod/mini'
import { alertConfigLimits, type Bounds, delayBounds, otherBounds, scheduleBounds } from './alert-bounds.ts'
import {
  type AlertMetric,
  alertMetrics,
  containerLimits,
  growthLimits,
  mailLimitNames,
  type MeasuredKind,
  type MetricOfKind,
  metricsOfKind,
  plainLimits,
  storageLimits,
} from './alert-types.ts'

/**
 * The whole alert configuration, as it is stored, sent and saved. `alert-defaults.ts` has its factory state.
 */

const counted = (value: number) => value.toLocaleString('en')
function within({ min, max }: Bounds, unit = '') {
  const sentence = `Use ${counted(min)} to ${counted(max)}${unit}.`
  return z.number().check(z.minimum(min, sentence), z.maximum(max, sentence))
}
const whole = (bounds: Bounds) => within(bounds).check(z.int())
const each = <K extends string, S extends z.ZodMiniType>(
  keys: Record<K, unknown>,
  schema: (key: K) => S,
): Record<K, S> =>
  Object.fromEntries((Object.keys(keys) as K[]).map((key) => [key, schema(key)])) as Record<K, S>

/** Fires at `trigger`, clears at `clear`; a trigger of 0 or below switches it off. */
export const Threshold = z.object({ trigger: z.number(), clear: z.number() })
export type Threshold = z.infer<typeof Threshold>

const threshold = (metric: AlertMetric) =>
  z.object({ trigger: within(alertMetrics[metric]), clear: within(alertMetrics[metric]) })
const allThresholds = each(alertMetrics, threshold)
/** Thresholds for all metrics of a kind. */
const thresholdsOf = <K extends MeasuredKind>(kind: K) =>
  Object.fromEntries(metricsOfKind[kind].map((metric) => [metric, threshold(metric)])) as Record<
    MetricOfKind<K>,
    ReturnType<typeof threshold>
  >

export const OfflineSeverity = z.enum(['warning', 'critical'])
export type OfflineSeverity = z.infer<typeof OfflineSeverity>

/** Whether a powered-off resource is reported, and at which level. */
const offline = { disableConnectivity: z.boolean(), poweredOffSeverity: OfflineSeverity }
const containerFigureSchemas = each(containerLimits, (limit) => within(containerLimits[limit]))
const storageFigureSchemas = each(storageLimits, (limit) => within(storageLimits[limit]))
const ageDefaults = z.object({
  enabled: z.boolean(),
  /** days, like the next */
  warningDays: within(otherBounds),
  criticalDays: within(otherBounds),
})
export type AgeDefaults = z.infer<typeof ageDefaults>

/** Whole numbers of 0 or more; 0 switches off. */
export const pmgFigures = [...mailLimitNames, ...growthLimits] as const
export type PmgFigure = (typeof pmgFigures)[number]
const pmgShape = Object.fromEntries(pmgFigures.map((figure) => [figure, within(otherBounds)])) as Record<
  PmgFigure,
  ReturnType<typeof within>
>

/** Settings of one resource. Each absent field is inherited. */
export const AlertOverride = z.object({
  /** no alerts about this resource */
  disabled: z.optional(z.boolean()),
  disableConnectivity: z.optional(z.boolean()),
  poweredOffSeverity: z.optional(OfflineSeverity),
  ...each(alertMetrics, (metric) => z.optional(allThresholds[metric])),
  ...each(plainLimits, (limit) => z.optional(within(plainLimits[limit]))),
})
export type AlertOverride = z.infer<typeof AlertOverride>

/**
 * Thresholds for matching guests; the matching rule with the highest priority applies. Pages store them only.
 */
export const CustomRule = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(128)),
  name: z.string().check(z.maxLength(256)),
  description: z.optional(z.string().check(z.maxLength(2048))),
  filterConditions: z.object({
    filters: z
      .array(
        z.object({
          type: z.enum(['metric', 'text', 'raw']),
          field: z.optional(z.string().check(z.maxLength(64))),
          operator: z.optional(z.enum(['>', '<', '>=', '<=', '=', 'contains'])),
          value: z.optional(z.union([z.number(), z.string().check(z.maxLength(256))])),
          rawText: z.optional(z.string().check(z.maxLength(256))),
        }),
      )
      .check(z.maxLength(50)),
    logicalOperator: z.enum(['AND', 'OR']),
  }),
  thresholds: AlertOverride,
  priority: z.number(),
  enabled: z.boolean(),
  createdAt: z.optional(z.string().check(z.maxLength(64))),
  updatedAt: z.optional(z.string().check(z.maxLength(64))),
})
export type CustomRule = z.infer<typeof CustomRule>

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof weekdays)[number]

const clockTime = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 22:00.'))
function isTimezone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Fixed by the spec. Channels of other kinds are reached by `all`. */
export const EscalationTarget = z.enum(['email', 'webhook', 'all'])
const orOff = (bounds: Bounds) =>
  z.number().check(
    z.int(),
    z.refine(
      (value) => value === 0 || (value >= bounds.min && value <= bounds.max),
      `Use 0 for off, or ${bounds.min} to ${bounds.max}.`,
    ),
  )
const windowSeconds = whole({ min: 0, max: scheduleBounds.groupingMinutes.max * 60 })

export const AlertSchedule = z.object({
  quietHours: z.object({
    enabled: z.boolean(),
    start: clockTime,
    end: clockTime,
    timezone: z.string().check(z.maxLength(64), z.refine(isTimezone, 'This time zone is not known.')),
    days: z.object(
      Object.fromEntries(weekdays.map((day) => [day, z.boolean()])) as Record<Weekday, z.ZodMiniBoolean>,
    ),
    /** critical alerts that quiet hours mute as well; warnings are always muted */
    suppress: z.object({ performance: z.boolean(), storage: z.boolean(), offline: z.boolean() }),
  }),
  /** minutes before an ongoing alert is sent again; 0: never */
  cooldown: orOff(scheduleBounds.cooldown),
  /** s; same value as `grouping.window`, for older clients */
  groupingWindow: windowSeconds,
  /** per alert; 0: no limit */
  maxAlertsHour: orOff(scheduleBounds.maxAlertsHour),
  /** each channel that received an alert also receives its end, during quiet hours too */
  notifyOnResolve: z.boolean(),
  escalation: z.object({
    enabled: z.boolean(),
    levels: z
      .array(z.object({ after: whole(scheduleBounds.escalationAfter), notify: EscalationTarget }))
      .check(z.maxLength(alertConfigLimits.escalationLevels)),
  }),
  /** window in s */
  grouping: z.object({
    enabled: z.boolean(),
    window: windowSeconds,
    byNode: z.boolean(),
    byGuest: z.boolean(),
  }),
})
export type AlertSchedule = z.infer<typeof AlertSchedule>

export const ActivationState = z.enum(['active', 'pending_review', 'snoozed'])
export type ActivationState = z.infer<typeof ActivationState>

/** Switches that disable alerts for a whole kind. Each belongs to one table or line of the page. */
export const disableSwitches = [
  'disableAllNodes',
  'disableAllGuests',
  'disableAllStorage',
  'disableAllDatastores',
  'disableAllDisks',
  'disableAllCeph',
  'disableAllFailedBackups',
  'disableAllPBS',
  'disableAllPMG',
  'disableAllDockerHosts',
  'disableAllDockerContainers',
  'disableAllNodesOffline',
  'disableAllGuestsOffline',
  'disableAllPBSOffline',
  'disableAllPMGOffline',
  'disableAllDockerHostsOffline',
] as const
export type DisableSwitch = (typeof disableSwitches)[number]
const switches = Object.fromEntries(disableSwitches.map((name) => [name, z.boolean()])) as Record<
  DisableSwitch,
  z.ZodMiniBoolean
>

const atMost = (most: number) =>
  z.refine<object>((map) => Object.keys(map).length <= most, `There may be ${most} at most.`)
const delay = within(delayBounds, ' seconds (7 days)')
const positive = z.number().check(z.gt(0), z.maximum(10_000))

export const AlertConfig = z.object({
  /** false: nothing is evaluated, nothing is shown */
  enabled: z.boolean(),
  /** only `active` shows alerts and lets them be sent */
  activationState: ActivationState,
  /** RFC 3339; when alerts were activated */
  activationTime: z.optional(z.string()),
  observationWindowHours: positive,
  ...switches,
  guestDefaults: z.object({
    ...thresholdsOf('guests'),
    /** also of each file system */
    ...storageFigureSchemas,
    ...offline,
  }),
  /** also for backup servers, which have only CPU and memory thresholds */
  nodeDefaults: z.object(thresholdsOf('nodes')),
  dockerDefaults: z.object({ ...thresholdsOf('dockerContainers'), ...containerFigureSchemas }),
  /** prefixes of container names or ids that cause no alerts */
  dockerIgnoredContainerPrefixes: z
    .array(z.string().check(z.minLength(1), z.maxLength(256)))
    .check(z.maxLength(alertConfigLimits.prefixes)),
  storageDefault: threshold('usage'),
  storageLimits: z.object(storageFigureSchemas),
  pmgDefaults: z.object(pmgShape),
  snapshotDefaults: ageDefaults,
  backupDefaults: ageDefaults,
  /** a recurring alert within the window must differ by at least this much */
  minimumDelta: positive,
  /** minutes */
  suppressionWindow: positive,
  /** for thresholds that arrive as one number: margin of the clear value below the trigger */
  hysteresisMargin: positive,
  /** s; the delay where no other setting applies */
  timeThreshold: delay,
  timeThresholds: z.object({ guest: delay, node: delay, storage: delay, pbs: delay, all: z.optional(delay) }),
  /** s by type and metric, both in lower case; `default` means every metric, `all` every type */
  metricTimeThresholds: z
    .record(
      z.string().check(z.maxLength(64)),
      z.record(z.string().check(z.maxLength(64)), delay).check(atMost(alertConfigLimits.delays)),
    )
    .check(atMost(alertConfigLimits.delays)),
  /** by `overrideKey` */
  overrides: z
    .record(z.string().check(z.minLength(1), z.maxLength(500)), AlertOverride)
    .check(atMost(alertConfigLimits.overrides)),
  customRules: z.array(CustomRule).check(z.maxLength(alertConfigLimits.customRules)),
  schedule: AlertSchedule,
  /** stored for clients only, like ioNormalization */
  aggregation: z.object({
    enabled: z.boolean(),
    timeWindow: z.number(),
    countThreshold: z.number(),
    similarityWindow: z.number(),
  }),
  /**
   * an alert that fires `threshold` times within `window` minutes is not sent for `suppressionTime` minutes
   */
  flapping: z.object({
    enabled: z.boolean(),
    threshold: positive,
    window: positive,
    suppressionTime: positive,
    minStability: z.number().check(z.minimum(0), z.maximum(1)),
  }),
  ioNormalization: z.object({
    enabled: z.boolean(),
    vmDiskMax: z.number(),
    containerDiskMax: z.number(),
    networkMax: z.number(),
  }),
})
export type AlertConfig = z.infer<typeof AlertConfig>
