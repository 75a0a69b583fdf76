import * as z from 'zod/mini'
import { ActivationState, AlertConfig } from '../alert-config.ts'
import { AlertConfigInput } from '../alert-config-input.ts'
import { AlertTrace } from '../alert-trace.ts'
import { bodyLimits, endpoint, readsMonitoring, writesSettings } from '../endpoint.ts'
import { Alert } from '../entities/alert.ts'

/** Ids are printable and contain no `../`; slashes, colons and spaces are common. */
export const isAlertId = (id: string): boolean => !/\p{Cc}/u.test(id) && !id.includes('../')
export const maxAlertId = 500
export const AlertId = z
  .string()
  .check(z.minLength(1), z.maxLength(maxAlertId), z.refine(isAlertId, 'This is not an alert id.'))

/** Enough for the settings of a large estate. */
const configBodyLimit = 8 * 1024 * 1024
export const maxBulkAlerts = 5_000

const act = { method: 'POST', access: 'admin', scope: 'monitoring:write', rate: 'general' } as const

const Done = z.object({ success: z.literal(true) })

export const getAlertConfig = endpoint({
  ...readsMonitoring,
  path: '/api/alerts/config',
  query: z.strictObject({
    /**
     * `stable`: overrides under keys that survive renames and moves; absent: under the ids of `/api/state`
     */
    keys: z.optional(z.literal('stable')),
  }),
  reply: AlertConfig,
})

/**
 * Absent fields keep their stored values. Lists and maps in the request replace the stored ones. Unknown fields are
 * ignored.
 */
export const putAlertConfig = endpoint({
  ...writesSettings,
  method: 'PUT',
  path: '/api/alerts/config',
  audit: 'alert_settings_changed',
  body: AlertConfigInput,
  bodyLimit: configBodyLimit,
  unknownFields: 'ignored',
  reply: z.object({ success: z.literal(true), message: z.string() }),
})

const Activation = z.object({
  success: z.literal(true),
  message: z.string(),
  state: ActivationState,
  /** RFC 3339 */
  activationTime: z.optional(z.string()),
})

export const postAlertsActivate = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/alerts/activate',
  audit: 'alert_settings_changed',
  reply: Activation,
})

/** Nothing is sent or shown until alerts are activated again. */
export const postAlertsDeactivate = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/alerts/deactivate',
  audit: 'alert_settings_changed',
  reply: Activation,
})

const Figure = z.optional(z.string().check(z.maxLength(32)))

/** Maximum alerts per page. Without a limit the call returns all; their total number is bounded. */
export const activeAlertsPage = 1_000

/**
 * Also answers while alerts are not active. Oldest first, so that pages stay stable while alerts are added.
 */
export const getActiveAlerts = endpoint({
  ...readsMonitoring,
  path: '/api/alerts/active',
  query: z.strictObject({
    /** all when absent or 0 */
    limit: Figure,
    offset: Figure,
  }),
  reply: z.array(Alert),
})

export const AlertStatus = z.enum(['active', 'acknowledged', 'resolved'])
export type AlertStatus = z.infer<typeof AlertStatus>

/** One episode; updated while it lasts. */
export const AlertHistoryEntry = z.object({
  ...Alert.shape,
  /** highest level of the episode; `level` is the last one */
  peakLevel: z.enum(['warning', 'critical']),
  status: AlertStatus,
  /** RFC 3339; absent while it lasts */
  endTime: z.optional(z.string()),
  /** s from start to end, or to the last confirmation */
  duration: z.number(),
})
export type AlertHistoryEntry = z.infer<typeof AlertHistoryEntry>

export const historyLimits = { usual: 100, most: 10_000, retentionDays: 30 } as const

const historyFilter = {
  /** RFC 3339; compared with the start of the alert */
  startTime: z.optional(z.string().check(z.maxLength(64))),
  endTime: z.optional(z.string().check(z.maxLength(64))),
  /** `warning`, `critical` or `all` */
  severity: z.optional(z.string().check(z.maxLength(32))),
  resourceId: z.optional(z.string().check(z.maxLength(500))),
} as const

/** A list, newest first. Invalid numbers and unknown severities are ignored, as older clients expect. */
export const getAlertHistory = endpoint({
  ...readsMonitoring,
  path: '/api/alerts/history',
  query: z.strictObject({
    /** 100 when absent, 0 for all */
    limit: Figure,
    offset: Figure,
    ...historyFilter,
  }),
  reply: z.array(AlertHistoryEntry),
})

/** Total number of entries that match the filter. */
export const getAlertHistoryCount = endpoint({
  ...readsMonitoring,
  path: '/api/alerts/history/count',
  query: z.strictObject(historyFilter),
  reply: z.object({ count: z.number() }),
})

export const deleteAlertHistory = endpoint({
  ...writesSettings,
  method: 'DELETE',
  path: '/api/alerts/history',
  audit: 'alert_history_cleared',
  reply: z.object({ status: z.literal('success'), message: z.string() }),
})

/** Accepted for older clients but ignored: the signed-in user acknowledges. */
const claimedUser = z.optional(z.string().check(z.maxLength(256)))
const one = {
  ...act,
  params: z.object({ id: AlertId }),
  slashesIn: 'id',
  body: z.optional(z.nullable(z.strictObject({ user: claimedUser }))),
  bodyLimit: bodyLimits.settings,
  reply: Done,
} as const
/** The id is in the body, for clients behind a proxy that rewrites addresses. */
const named = {
  ...act,
  body: z.strictObject({ id: AlertId, user: claimedUser }),
  bodyLimit: bodyLimits.settings,
  reply: Done,
} as const

export const postAlertAcknowledge = endpoint({
  ...one,
  path: '/api/alerts/:id/acknowledge',
  audit: 'alert_acknowledged',
})
export const postAlertUnacknowledge = endpoint({
  ...one,
  path: '/api/alerts/:id/unacknowledge',
  audit: 'alert_unacknowledged',
})
/** A cleared alert fires again while its condition holds. */
export const postAlertClear = endpoint({ ...one, path: '/api/alerts/:id/clear', audit: 'alert_cleared' })

export const postAcknowledge = endpoint({
  ...named,
  path: '/api/alerts/acknowledge',
  audit: 'alert_acknowledged',
})
export const postUnacknowledge = endpoint({
  ...named,
  path: '/api/alerts/unacknowledge',
  audit: 'alert_unacknowledged',
})
export const postClear = endpoint({ ...named, path: '/api/alerts/clear', audit: 'alert_cleared' })

/** Enough for a flood of alerts. */
const bulk = {
  ...act,
  body: z.strictObject({
    alertIds: z.array(AlertId).check(z.minLength(1), z.maxLength(maxBulkAlerts)),
    user: claimedUser,
  }),
  bodyLimit: bodyLimits.nodes,
  reply: z.object({
    results: z.array(z.object({ alertId: z.string(), success: z.boolean(), error: z.optional(z.string()) })),
  }),
} as const

export const postBulkAcknowledge = endpoint({
  ...bulk,
  path: '/api/alerts/bulk/acknowledge',
  audit: 'alert_acknowledged',
})
export const postBulkClear = endpoint({ ...bulk, path: '/api/alerts/bulk/clear', audit: 'alert_cleared' })

/** Explains one alert, or all monitored conditions of a resource. */
export const getAlertTrace = endpoint({
  ...readsMonitoring,
  path: '/api/alerts/trace',
  query: z.strictObject({
    alert: z.optional(AlertId),
    /** an override key, or an id of the documented API */
    resource: z.optional(AlertId),
  }),
  reply: AlertTrace,
})
