import * as z from 'zod/mini'

/** Events that are recorded in the audit log. */
export const AuditEvent = z.enum([
  'login',
  'login_failed',
  'lockout',
  'lockout_reset',
  'logout',
  'oidc_login',
  'oidc_login_failed',
  'csrf_failure',
  'setup',
  'credentials_rotated',
  'password_change',
  'user_added',
  'user_changed',
  'user_removed',
  'token_created',
  'token_revoked',
  'token_handed_over',
  'tokens_replaced',
  'oidc_settings_changed',
  'settings_changed',
  'config_exported',
  'config_imported',
  'node_added',
  'node_changed',
  'node_removed',
  'connection_tested',
  'discovery_scan',
  'setup_code_issued',
  'node_auto_registered',
  'guest_link_changed',
  'temperature_changed',
  'docker_host_enrolled',
  'docker_host_changed',
  'docker_host_removed',
  'docker_stop_requested',
  'docker_stop_ended',
  'docker_report_refused',
  'alert_acknowledged',
  'alert_unacknowledged',
  'alert_cleared',
  'alert_history_cleared',
  'alert_settings_changed',
  'metric_history_deleted',
  'notification_settings_changed',
  'webhook_added',
  'webhook_changed',
  'webhook_removed',
  'notification_tested',
  'delivery_retried',
  'update_started',
])
export type AuditEvent = z.infer<typeof AuditEvent>

/** How the actor authenticated. `console` is a person with access to the machine itself. */
export const ActorMethod = z.enum([
  'session',
  'basic',
  'token',
  'proxy',
  'oidc',
  'disabled',
  'none',
  'console',
])
export type ActorMethod = z.infer<typeof ActorMethod>

export const AuditRecord = z.object({
  id: z.string(),
  /** RFC 3339 */
  time: z.string(),
  event: AuditEvent,
  success: z.boolean(),
  /**
   * as authenticated, never as claimed; for a failed sign-in the attempted name, control characters escaped
   */
  actor: z.string(),
  method: ActorMethod,
  /** address of the client; absent for the console */
  address: z.optional(z.string()),
  requestId: z.optional(z.string()),
  /** object of the action */
  target: z.optional(z.string()),
  details: z.optional(z.string()),
  /** number of identical events from `time` to `lastTime`; absent for one */
  count: z.optional(z.number()),
  lastTime: z.optional(z.string()),
})
export type AuditRecord = z.infer<typeof AuditRecord>
