import { backoffMs } from '../timing/backoff.ts'
import type { Outcome, RetryPolicy } from './channel.ts'

export const defaultRetryPolicy: RetryPolicy = { quickRetries: 3, firstPauseMs: 1_000 }

const longestQuickMs = 30_000
const longestMs = 5 * 60_000
/** Share of the time for which a message has failed: after a short outage the channel is tried again soon. */
const shareOfOutage = 0.08
/** Pauses are shortened by up to this share, so that channels that failed together do not retry together. */
const jitterShare = 0.2
/** Between two attempts of one channel. */
export const leastPauseMs = 1_000

/** The pause before the next attempt: exponential at first, then by the length of the outage. */
export function retryPauseMs(
  { quickRetries, firstPauseMs }: RetryPolicy,
  { failures, failingMs, random }: { failures: number; failingMs: number; random: number },
): number {
  const pauseMs =
    failures <= quickRetries
      ? backoffMs({ firstMs: firstPauseMs, longestMs: longestQuickMs }, failures)
      : Math.max(longestQuickMs, Math.min(longestMs, failingMs * shareOfOutage))
  return Math.ceil(Math.max(leastPauseMs, pauseMs * (1 - jitterShare * random)))
}

/** A receiver cannot ask for a longer pause. */
const longestAskedMs = 60 * 60_000

/** The pause after a failed attempt: as the receiver asked, otherwise by the channel's policy. */
export function pauseAfter(
  { retryAfterMs }: Extract<Outcome, { delivered: false }>,
  policy: RetryPolicy,
  failed: { failures: number; failingMs: number },
): number {
  if (retryAfterMs === undefined) return retryPauseMs(policy, { ...failed, random: Math.random() })
  return Math.min(longestAskedMs, Math.max(leastPauseMs, retryAfterMs))
}
