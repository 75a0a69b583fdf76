import { backoffMs, hostBackoff } from '../../timing/backoff.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { SOON_MS, type ClusterContext } from './context.ts'

/** An account that was refused will be refused again: PVE takes 3 s for it, and may ban us. */
export const REFUSED_MS = 30_000

/** A call that is forbidden or unknown there is repeated later, in case an administrator has fixed it. */
const refusedQuestionMs = 300_000

/** One question failed, alone. Returns the pause before it is asked again, if not the usual one. */
export function questionFailed(
  context: ClusterContext,
  question: string,
  cause: unknown,
): number | undefined {
  const failures = noteFailure(context, question, cause)
  const error = toSourceError(cause)
  if (error.code === 'forbidden' && failures === 1) context.wake('rights')
  context.publish(SOON_MS)
  if (error.isRefusal) return refusedQuestionMs
  return error.code === 'unauthorized' ? Math.max(REFUSED_MS, backoffMs(hostBackoff, failures)) : undefined
}

/** Returns how often it has failed in a row. Only the first time is worth a line in the log. */
export function noteFailure({ log, health }: ClusterContext, question: string, cause: unknown): number {
  const failures = health.failed(question, toSourceError(cause))
  if (!(cause instanceof SourceError) && failures === 1)
    log.error({ err: cause, part: question }, 'internal error in a part of the collector')
  return failures
}
