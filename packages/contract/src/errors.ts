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
  'locked_by_environment',
  'oidc_locked',
  'last_administrator',
  'demo_mode',
  'conflict',
  'duplicate_name',
  'duplicate_cluster',
  'connection_test_failed',
  'secret_required',
  'payload_too_large',
  'headers_too_large',
  'request_timeout',
  'unsupported_media_type',
  'rate_limit',
  'too_many_connections',
  'database_restarting',
  'storage_unavailable',
  'internal_error',
  'provider_unreachable',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** The login call adds fields of LoginReply. */
export const ErrorBody = z.looseObject({
  /** for people */
  error: z.string(),
  code: z.enum(errorCodes),
  status_code: z.number(),
  /** epoch seconds */
  timestamp: z.number(),
  request_id: z.optional(z.string()),
  details: z.optional(z.record(z.string(), z.string())),
})
export type ErrorBody = z.infer<typeof ErrorBody>
