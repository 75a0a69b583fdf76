import type { Clock } from '@pulse/domain'

/** A smaller difference comes from the line. */
const noticeableMs = 1_000

/**
 * The wall time of the database, which is the same for all processes. A process whose own clock is wrong ends no session or token
 * before its time, and none lasts longer. `aheadMs`: of the own clock; undefined: not known.
 */
export const sharedClock = (clock: Clock, aheadMs: () => number | undefined): Clock => ({
  ...clock,
  now() {
    const ms = aheadMs() ?? 0
    return clock.now() - (Math.abs(ms) < noticeableMs ? 0 : ms)
  },
})
