import type { Clock, Notice } from '@pulse/domain'
import type { Channel, Outcome } from './channel.ts'

/** Longer than any channel's own timeouts. */
const longestMs = 150_000

interface Limits {
  clock: Pick<Clock, 'after'>
  /** aborted when Pulse stops */
  stop: AbortSignal
  report: (error: unknown) => void
  timeoutMs?: number | undefined
}

const failed = (reason: string): Outcome => ({ delivered: false, bytes: 0, reason, retry: 'later' })

/** One attempt. It always ends: with an outcome, at the timeout, or when Pulse stops. */
export async function sendWithin(
  channel: Channel,
  notice: Notice,
  { clock, stop, report, timeoutMs = longestMs }: Limits,
): Promise<Outcome> {
  const timeout = new AbortController()
  const ended = Promise.withResolvers<Outcome>()
  const end = (reason: string) => {
    timeout.abort()
    ended.resolve(failed(reason))
  }
  const onStop = () => end('Pulse was stopped before it finished.')
  const cancel = clock.after(timeoutMs, () => end('No response before the timeout.'))
  stop.addEventListener('abort', onStop, { once: true })
  if (stop.aborted) onStop()
  try {
    return await Promise.race([channel.send(notice, timeout.signal), ended.promise])
  } catch (error) {
    report(error)
    return failed('Internal error; see the Pulse log.')
  } finally {
    cancel()
    stop.removeEventListener('abort', onStop)
  }
}
