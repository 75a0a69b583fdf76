import type { Clock } from '@pulse/domain'

/** A timer this late was suspended: the process was stopped, or the machine slept. */
export const suspendedMs = 10_000
/** After a suspension, sources have this long to answer. */
export const graceMs = 5_000

export interface SuspendDetector {
  /** The same clock, which detects late timers. */
  clock: Clock
  /**
   * The time to compare ages with. After a suspension it lags behind until sources have had time to answer.
   */
  judged(): number
}

/**
 * After a suspension all sources seem unreachable at once, because nothing polled them. They get a moment to
 * answer.
 */
export function createSuspendDetector(clock: Clock): SuspendDetector {
  let suspendedForMs = 0
  let until = -Infinity
  /** total time of all suspensions */
  let totalMs = 0

  /**
   * Every timer that was set before a suspension runs late, perhaps an hour later. Only the first one counts.
   */
  function check(dueAt: number, knownMs: number) {
    const now = clock.monotonic()
    const lateMs = now - dueAt - (totalMs - knownMs)
    if (lateMs < suspendedMs) return
    totalMs += lateMs
    suspendedForMs = Math.max(now < until ? suspendedForMs : 0, lateMs)
    until = now + graceMs
  }

  return {
    clock: {
      ...clock,
      after(ms, run) {
        const dueAt = clock.monotonic() + Math.max(0, ms)
        const knownMs = totalMs
        return clock.after(ms, () => {
          check(dueAt, knownMs)
          run()
        })
      },
    },
    judged() {
      const now = clock.monotonic()
      return now < until ? now - suspendedForMs : now
    },
  }
}
