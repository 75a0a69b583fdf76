import type { Clock } from '@pulse/domain'
import type { Notice, Outcome } from './channel.ts'
import type { ActiveWay } from './way.ts'

/** Longer than any way out may take by its own limits. */
const longestMs = 150_000

interface Limits {
  clock: Pick<Clock, 'after'>
  /** Pulse ends */
  stop: AbortSignal
  report: (error: unknown) => void
  /** when no answer is waited for any more */
  limitMs?: number
}

const failed = (reason: string): Outcome => ({ delivered: false, bytes: 0, reason, retry: 'later' })

/** One try, which ends in any case. */
export async function sendWithin(
  way: ActiveWay,
  notice: Notice,
  { clock, stop, report, limitMs = longestMs }: Limits,
): Promise<Outcome> {
  const late = new AbortController()
  const over = Promise.withResolvers<Outcome>()
  const giveUp = (reason: string) => {
    late.abort()
    over.resolve(failed(reason))
  }
  const onStop = () => giveUp('Pulse was stopped before it finished.')
  const cancel = clock.after(limitMs, () => giveUp('No response before the timeout.'))
  stop.addEventListener('abort', onStop, { once: true })
  if (stop.aborted) onStop()
  try {
    return await Promise.race([way.send(notice, late.signal), over.promise])
  } catch (error) {
    report(error)
    return failed('Internal error; see the Pulse log.')
  } finally {
    cancel()
    stop.removeEventListener('abort', onStop)
  }
}
