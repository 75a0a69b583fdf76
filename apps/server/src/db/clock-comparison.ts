import type { Clock } from '@pulse/domain'

/** A slower answer does not say what time it is, but says more than none: the clock here may be wrong by days. */
const answerMs = 2_000
/** Then the process was stopped meanwhile. */
const stoppedMs = 60_000

/** The time of the server as a column `now`, in ms since 1970. */
export const serverTime = 'extract(epoch FROM clock_timestamp()) * 1000 AS now'

export interface ClockComparison {
  /** ms by which the wall clock here is ahead of that of the server, as of its last answer in time, or as of its first one */
  readonly aheadMs: number | undefined
  /** `askedAt`: monotonic */
  take(askedAt: number, serverMs: number | undefined): void
}

export function createClockComparison(clock: Pick<Clock, 'now' | 'monotonic'>): ClockComparison {
  /** the time of the server when the monotonic clock began: the wall clock here may be set before the next answer */
  let originMs: number | undefined
  return {
    get aheadMs() {
      return originMs === undefined ? undefined : Math.round(clock.now() - clock.monotonic() - originMs)
    },
    take(askedAt, serverMs) {
      const now = clock.monotonic()
      const isBest = now - askedAt < (originMs === undefined ? stoppedMs : answerMs)
      if (serverMs !== undefined && isBest) originMs = serverMs - now
    },
  }
}
