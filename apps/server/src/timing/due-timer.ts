import type { Clock } from '@pulse/domain'

/** Node limits a timer to 24 days. For a later deadline the timer is set again in between. */
export const longestWaitMs = 3_600_000
/** The pause after a run that threw. */
export const retryAfterErrorMs = 1_000

export interface DueTimerOptions {
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** The next deadline on the monotonic clock; undefined when there is none. */
  dueAt: () => number | undefined
  run: () => void
  onError: (error: unknown) => void
}

export interface DueTimer {
  /** Reads the next deadline again. Call it after every change that may move the deadline. */
  reschedule(): void
  stop(): void
}

/** Runs at each deadline in turn. A run that throws is reported and retried after a second. */
export function createDueTimer({ clock, dueAt, run, onError }: DueTimerOptions): DueTimer {
  let scheduledAt: number | undefined
  /** set while the last run has failed */
  let retryAt: number | undefined
  let cancel = () => {}
  let isStopped = false

  function reschedule() {
    if (isStopped) return
    const next = retryAt ?? dueAt()
    if (next === scheduledAt) return
    cancel()
    scheduledAt = next
    if (next === undefined) return
    const waitMs = Math.max(0, Math.ceil(next - clock.monotonic()))
    cancel = clock.after(Math.min(longestWaitMs, waitMs), wake)
  }

  function wake() {
    scheduledAt = undefined
    retryAt = clock.monotonic() + retryAfterErrorMs
    try {
      run()
      retryAt = undefined
    } catch (error) {
      onError(error)
    } finally {
      reschedule()
    }
  }

  return {
    reschedule,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
