import type { Clock } from '@pulse/domain'

/** A slower answer does not say what time it is. */
const answerMs = 2_000

/** The time of the server as a column `now`, in ms since 1970. */
export const serverTime = 'extract(epoch FROM clock_timestamp()) * 1000 AS now'

export interface ClockComparison {
  /** ms by which the wall clock here was ahead of that of the server when it last answered in time */
  readonly aheadMs: number | undefined
  /** `askedAt`: monotonic */
  take(askedAt: number, serverMs: number | undefined): void
}

export function createClockComparison(clock: Pick<Clock, 'now' | 'monotonic'>): ClockComparison {
  let aheadMs: number | undefined
  return {
    get aheadMs() {
      return aheadMs
    },
    take(askedAt, serverMs) {
      if (serverMs !== undefined && clock.monotonic() - askedAt < answerMs)
        aheadMs = Math.round(clock.now() - serverMs)
    },
  }
}
