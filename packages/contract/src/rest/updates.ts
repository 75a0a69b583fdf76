import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsMonitoring, readsSettings, writesSettings } from '../endpoint.ts'
import { SystemSettings } from '../settings.ts'
import { VersionInfo } from './status.ts'

const channel = SystemSettings.shape.updateChannel

/** `1.2.3` or `1.2.3-rc.1`; a leading v is removed. */
const version = z
  .string()
  .check(
    z.trim(),
    z.maxLength(64),
    z.regex(/^v?\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]+)?$/, 'Use a version such as 1.2.3.'),
  )

/** The available update. Both versions omit a leading v. */
export const UpdateInfo = z.object({
  available: z.boolean(),
  currentVersion: z.string(),
  /** the running version if there is no update */
  latestVersion: z.string(),
  /** Markdown, as published */
  releaseNotes: z.string(),
  /** RFC 3339; empty when unknown */
  releaseDate: z.string(),
  /** archive for this machine; empty without an update */
  downloadUrl: z.string(),
  isPrerelease: z.boolean(),
  channel,
  /** RFC 3339; absent before the first check */
  checkedAt: z.optional(z.string()),
  /** why no update is offered, or why the information is old */
  warning: z.optional(z.string()),
})
export type UpdateInfo = z.infer<typeof UpdateInfo>

/** How this kind of installation is updated. */
export const UpdatePlan = z.object({
  /** Pulse can install the update itself */
  canAutoUpdate: z.boolean(),
  requiresRoot: z.boolean(),
  rollbackSupport: z.boolean(),
  estimatedTime: z.optional(z.string()),
  prerequisites: z.optional(z.array(z.string())),
  /** commands for a manual update */
  instructions: z.optional(z.array(z.string())),
  downloadUrl: z.optional(z.string()),
})
export type UpdatePlan = z.infer<typeof UpdatePlan>

export const updateSteps = [
  'idle',
  'checking',
  'available',
  'downloading',
  'verifying',
  'extracting',
  'backing-up',
  'applying',
  'restarting',
  'completed',
  'error',
] as const

/** Progress of the last update; also sent as `update:progress`. */
export const UpdateStatus = z.object({
  status: z.enum(updateSteps),
  /** 0 to 100 */
  progress: z.number(),
  message: z.string(),
  error: z.optional(z.string()),
  /** RFC 3339 */
  updatedAt: z.string(),
})
export type UpdateStatus = z.infer<typeof UpdateStatus>

export const updateOutcomes = ['in_progress', 'success', 'failed', 'rolled_back', 'cancelled'] as const

/** One update or rollback. */
export const UpdateHistoryEntry = z.object({
  event_id: z.string(),
  /** RFC 3339; start */
  timestamp: z.string(),
  action: z.enum(['update', 'rollback']),
  channel,
  version_from: z.string(),
  version_to: z.string(),
  deployment_type: VersionInfo.shape.deploymentType,
  initiated_by: z.enum(['user', 'auto', 'api']),
  initiated_via: z.enum(['ui', 'cli', 'script', 'webhook']),
  status: z.enum(updateOutcomes),
  /** 0 while it runs */
  duration_ms: z.number(),
  /** folder with the data from before the update */
  backup_path: z.optional(z.string()),
  /** log file of the steps */
  log_path: z.optional(z.string()),
  error: z.optional(
    z.object({ message: z.string(), code: z.optional(z.string()), details: z.optional(z.string()) }),
  ),
  download_bytes: z.optional(z.number()),
  /** the previous failed update to the same version */
  related_event_id: z.optional(z.string()),
  notes: z.optional(z.string()),
})
export type UpdateHistoryEntry = z.infer<typeof UpdateHistoryEntry>

/** Maximum number of kept entries. */
export const updateHistoryLimit = 100

export const getUpdateCheck = endpoint({
  ...readsMonitoring,
  path: '/api/updates/check',
  /** The cached result is at most a day old. `force` checks the feed now, at most once a minute. */
  query: z.strictObject({ channel: z.optional(channel), force: z.optional(z.enum(['true', 'false'])) }),
  reply: UpdateInfo,
})

export const getUpdatePlan = endpoint({
  ...readsMonitoring,
  path: '/api/updates/plan',
  query: z.strictObject({ version, channel: z.optional(channel) }),
  reply: UpdatePlan,
})

export const getUpdateStatus = endpoint({
  ...readsMonitoring,
  path: '/api/updates/status',
  reply: UpdateStatus,
})

/** Always installs the release that the feed offers. An address or version in the request must match it. */
export const postUpdateApply = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/updates/apply',
  audit: 'update_started',
  auditFailures: true,
  body: z.strictObject({
    downloadUrl: z.optional(z.string().check(z.maxLength(2048))),
    version: z.optional(version),
    channel: z.optional(channel),
  }),
  bodyLimit: bodyLimits.settings,
  reply: z.object({ status: z.literal('started'), message: z.string() }),
})

/** Newest first. */
export const getUpdateHistory = endpoint({
  ...readsSettings,
  path: '/api/updates/history',
  query: z.strictObject({
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(updateHistoryLimit))),
    status: z.optional(z.enum(updateOutcomes)),
  }),
  reply: z.array(UpdateHistoryEntry),
})

export const getUpdateHistoryEntry = endpoint({
  ...readsSettings,
  path: '/api/updates/history/entry',
  query: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  reply: UpdateHistoryEntry,
})
