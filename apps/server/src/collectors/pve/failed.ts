import { pauseAfter, toSourceError } from '../source-error.ts'
import { SOON_MS, type ClusterContext } from './context.ts'

/** A call that is forbidden or unknown there is repeated later, in case an administrator has fixed it. */
const refusedQuestionMs = 300_000

/** One question failed, alone. Returns the pause before it is asked again, if not the usual one. */
export function questionFailed(
  context: ClusterContext,
  question: string,
  cause: unknown,
): number | undefined {
  const failures = context.health.failed(question, cause)
  const error = toSourceError(cause)
  if (error.code === 'forbidden' && failures === 1) context.wake('rights')
  context.publish(SOON_MS)
  return pauseAfter(error, failures, { deniedMs: refusedQuestionMs, unknownMs: refusedQuestionMs })
}
