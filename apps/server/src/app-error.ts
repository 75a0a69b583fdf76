import type { ErrorCode } from '@pulse/contract'

export const statusOf: Record<ErrorCode, number> = {
  bad_request: 400,
  validation_failed: 400,
  invalid_json: 400,
  connection_test_failed: 400,
  notification_failed: 400,
  secret_required: 400,
  invalid_password: 400,
  passphrase_too_short: 400,
  wrong_passphrase: 400,
  invalid_import: 400,
  invalid_report: 400,
  invalid_status: 400,
  missing_command_id: 400,
  docker_command_ack_failed: 400,
  docker_command_failed: 400,
  authentication_required: 401,
  invalid_credentials: 401,
  account_locked: 403,
  csrf_failed: 403,
  origin_refused: 403,
  invalid_setup_token: 403,
  invalid_setup_code: 403,
  demo_mode: 403,
  forbidden: 403,
  docker_token_mismatch: 403,
  docker_host_not_found: 404,
  storage_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  docker_host_limit: 409,
  docker_identity_conflict: 409,
  duplicate_name: 409,
  duplicate_cluster: 409,
  locked_by_environment: 409,
  oidc_locked: 409,
  last_administrator: 409,
  request_timeout: 408,
  docker_host_removed: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit: 429,
  headers_too_large: 431,
  too_many_connections: 429,
  internal_error: 500,
  provider_unreachable: 502,
  database_restarting: 503,
  database_unavailable: 503,
  leader_unavailable: 503,
  history_unavailable: 503,
  storage_unavailable: 507,
}

interface AppErrorOptions extends ErrorOptions {
  details?: Record<string, string>
  fields?: Record<string, unknown>
  headers?: Record<string, string>
}

/** A refusal with a text for users. Further details go into `cause`, for the log only. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly details: Record<string, string> | undefined
  /** further top-level fields of the answer, for documented calls that have them */
  readonly fields: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.details = options.details
    this.fields = options.fields ?? {}
    this.headers = options.headers ?? {}
  }

  get statusCode(): number {
    return statusOf[this.code]
  }
}

/**
 * The single form of a 429 from a rate limit. The documented answer of the sign-in call has `success` and
 * `message`.
 */
export function tooManyRequests(waitMs: number, headers: Record<string, string> = {}): AppError {
  const message = 'Too many requests. Please wait a moment and try again.'
  const retryAfter = String(Math.max(1, Math.ceil(waitMs / 1000)))
  return new AppError('rate_limit', message, {
    fields: { success: false, message },
    headers: { 'retry-after': retryAfter, ...headers },
  })
}

/** The processes are choosing the one that leads, or it cannot be reached. */
export const noLeader = (options: Pick<AppErrorOptions, 'cause'> = {}): AppError =>
  new AppError(
    'leader_unavailable',
    'No Pulse process leads at the moment. Monitoring continues. Try again in a few seconds.',
    { ...options, headers: { 'retry-after': '5' } },
  )

/** The process that leads had the call and said nothing more. */
export const leaderLost = (): AppError =>
  new AppError(
    'leader_unavailable',
    'The Pulse process that leads ended during this call. Check whether the change was made, then try again in a few seconds.',
    { headers: { 'retry-after': '5' } },
  )

/** Processes hand one another at most about 60 MB at once. */
export const tooLargeBetween = (): AppError =>
  new AppError(
    'payload_too_large',
    'This is more than the Pulse processes can hand over at once (60 MB). Ask for less, or ask the process that leads; Diagnostics names it.',
  )
