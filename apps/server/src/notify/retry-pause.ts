import { backoffMs } from '../timing/backoff.ts'

/** How a channel retries first. */
export interface RetryPolicy {
  /** tries with a doubling pause */
  quickTries: number
  firstPauseMs: number
}

const longestQuickMs = 30_000
const longestMs = 5 * 60_000
/** Share of the time for which a message has failed: after a short outage the channel is tried again soon. */
const shareOfOutage = 0.08
/** Pauses are shortened by up to this share, so that channels that failed together do not retry together. */
const jitterShare = 0.2
/** Between two tries of one channel. */
export const leastPauseMs = 1_000

/** The pause before the next try of a message: exponential at first, then by the length of the outage. */
export function retryPauseMs(
  { quickTries, firstPauseMs }: RetryPolicy,
  { failures, failingMs, random }: { failures: number; failingMs: number; random: number },
): number {
  const pauseMs =
    failures <= quickTries
      ? backoffMs({ firstMs: firstPauseMs, longestMs: longestQuickMs }, failures)
      : Math.max(longestQuickMs, Math.min(longestMs, failingMs * shareOfOutage))
  return Math.ceil(Math.max(leastPauseMs, pauseMs * (1 - jitterShare * random)))
}
