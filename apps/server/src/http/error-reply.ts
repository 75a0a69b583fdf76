import type { ErrorBody } from '@pulse/contract'
import { type Clock, clipped } from '@pulse/domain'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseError, ServerError, ThreadEnded } from '../database-error.ts'
import { AppError, noLeader } from '../app-error.ts'
import { answerWhileReceiving } from './protocol.ts'

/** The only place that turns an error into an answer. Internal details are logged, never sent. */
export const errorReplier =
  (clock: Clock, mask: (value: unknown) => unknown = (value) => value) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const known = toAppError(error)
    // A deliberate refusal was already logged where its cause is known.
    if (known.statusCode >= 500 && known !== error) {
      request.log.error(
        { err: error, requestId: request.id, path: request.routeOptions.url },
        'request failed',
      )
    }
    const text = JSON.stringify(mask(errorBody(known, request)))
    void reply
      .status(known.statusCode)
      .headers(known.headers)
      .header('cache-control', 'no-store')
      .header('content-length', Buffer.byteLength(text))
      .type('application/json')
    const isTooLarge = known.code === 'payload_too_large' && !request.raw.complete
    void reply.send(isTooLarge ? answerWhileReceiving(text, request.raw, clock) : text)
  }

/**
 * The page of Pulse 4.x shows a refusal's body verbatim if it is shorter than this; otherwise it shows
 * nothing.
 */
const SHOWN_BY_LEGACY_PAGE = 200

/** A refusal may quote the request. Limits in characters; `details` is a number of entries. */
const most = { message: 1_000, details: 20, field: 100, problem: 500 }

const boundedDetails = (details: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(details)
      .slice(0, most.details)
      .map(([field, problem]) => [clipped(field, most.field), clipped(problem, most.problem)]),
  )

/** The message comes first. The request id is added only if the body stays short; a header also has it. */
function errorBody(error: AppError, request: FastifyRequest): ErrorBody {
  const body: ErrorBody = {
    error: clipped(error.message, most.message),
    code: error.code,
    status_code: error.statusCode,
    timestamp: Math.floor(Date.now() / 1000),
    ...error.fields,
    ...(error.details ? { details: boundedDetails(error.details) } : {}),
  }
  const withId = { ...body, request_id: request.id }
  return JSON.stringify(withId).length < SHOWN_BY_LEGACY_PAGE ? withId : body
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ThreadEnded) {
    return new AppError(
      'database_restarting',
      'The database stopped and is being restarted. Check whether the change was made, then try again in a moment.',
      { cause: error, headers: { 'retry-after': '2' } },
    )
  }
  if (error instanceof DatabaseError && (error.isDiskFull || error.isDiskError)) {
    const place = error instanceof ServerError ? 'database server' : 'data folder'
    const what = error.isDiskFull ? `The disk of the ${place} is full` : `The ${place} cannot be written`
    return new AppError(
      'storage_unavailable',
      `${what}: nothing was changed. Monitoring continues. Free some space and try again.`,
      { cause: error },
    )
  }
  if (error instanceof DatabaseError && error.fault === 'fenced') return noLeader({ cause: error })
  if (error instanceof DatabaseError && error.fault === 'away') {
    return new AppError(
      'database_unavailable',
      'The database server does not answer. Monitoring continues. Check whether the change was made, then try again in a moment.',
      { cause: error, headers: { 'retry-after': '5' } },
    )
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError('payload_too_large', 'The request is too large.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('unsupported_media_type', 'Send the body as application/json.')
  if (/^FST_ERR_CTP_(EMPTY|INVALID)_JSON_BODY$/.test(code) || error instanceof SyntaxError)
    return new AppError('invalid_json', 'The request body is not valid JSON.')
  if (statusCode < 500) return new AppError('bad_request', 'The request is malformed.')
  return new AppError('internal_error', 'Internal error. Nothing was changed; see the Pulse log.', {
    cause: error,
  })
}
