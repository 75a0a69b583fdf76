import type { Clock } from '@pulse/domain'
import { OutboundError } from './outbound-error.ts'

/** Runs a job with a timeout, and stops it when its caller cancels. */
export async function within<T>(
  clock: Clock,
  limitMs: number,
  job: (deadline: AbortSignal) => Promise<T>,
  wanted?: AbortSignal,
): Promise<T> {
  const abort = new AbortController()
  const cancel = clock.after(limitMs, () =>
    abort.abort(new OutboundError(`no answer within ${limitMs / 1000} s`)),
  )
  try {
    return await job(wanted ? AbortSignal.any([abort.signal, wanted]) : abort.signal)
  } finally {
    cancel()
  }
}
