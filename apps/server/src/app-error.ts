import type { ErrorCode } from '@pulse/contract'

const statusOf: Record<ErrorCode, number> = {
  bad_request: 400,
  validation_failed: 400,
  invalid_json: 400,
  unsupported_type: 400,
  connection_test_failed: 400,
  authentication_required: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  duplicate_name: 409,
  duplicate_cluster: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  storage_unavailable: 507,
}

/** A refusal with a text for people. Whatever else is known goes into `cause`, for the log only. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly details: Record<string, string> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { details?: Record<string, string> } = {},
  ) {
    super(message, options)
    this.code = code
    this.details = options.details
  }

  get statusCode(): number {
    return statusOf[this.code]
  }
}
