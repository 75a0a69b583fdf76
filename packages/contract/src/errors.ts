import * as z from 'zod/mini'

/** Stable tokens of the API's error answers; docs/api-errors.md explains each. */
export const errorCodes = [
  'bad_request',
  'validation_failed',
  'invalid_json',
  'unsupported_type',
  'not_found',
  'method_not_allowed',
  'forbidden',
  'authentication_required',
  'conflict',
  'duplicate_name',
  'duplicate_cluster',
  'connection_test_failed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'storage_unavailable',
  'internal_error',
] as const
export type ErrorCode = (typeof errorCodes)[number]

export const ErrorBody = z.object({
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
