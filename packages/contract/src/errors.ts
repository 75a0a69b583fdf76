import * as z from 'zod/mini'

/** Stable tokens of the API's error answers; docs/api-errors.md explains each. */
export const errorCodes = [
  'bad_request',
  'validation_failed',
  'invalid_json',
  'not_found',
  'method_not_allowed',
  'forbidden',
  'authentication_required',
  'invalid_credentials',
  'account_locked',
  'csrf_failed',
  'origin_refused',
  'invalid_setup_token',
  'invalid_setup_code',
  'invalid_password',
  'passphrase_too_short',
  'wrong_passphrase',
  'invalid_import',
  'invalid_report',
  'invalid_status',
  'missing_command_id',
  'docker_command_ack_failed',
  'docker_command_failed',
  'docker_host_not_found',
  'docker_host_removed',
  'docker_host_limit',
  'docker_identity_conflict',
  'docker_token_mismatch',
  'locked_by_environment',
  'oidc_locked',
  'last_administrator',
  'demo_mode',
  'conflict',
  'duplicate_name',
  'duplicate_cluster',
  'connection_test_failed',
  'notification_failed',
  'secret_required',
  'payload_too_large',
  'headers_too_large',
  'request_timeout',
  'unsupported_media_type',
  'rate_limit',
  'too_many_connections',
  'database_restarting',
  'database_unavailable',
  'history_unavailable',
  'storage_not_found',
  'storage_unavailable',
  'internal_error',
  'provider_unreachable',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** The login call adds the fields of LoginReply. */
export const ErrorBody = z.looseObject({
  /** for display */
  error: z.string(),
  code: z.enum(errorCodes),
  status_code: z.number(),
  /** epoch seconds */
  timestamp: z.number(),
  request_id: z.optional(z.string()),
  details: z.optional(z.record(z.string(), z.string())),
})
export type ErrorBody = z.infer<typeof ErrorBody>
