import { backoffMs } from '../timing/backoff.ts'
import type { Outcome, RetryPolicy } from './channel.ts'

export const defaultRetryPolicy: RetryPolicy = { quickRetries: 3, firstPauseMs: 1_000 }

const longestQuickMs = 30_000
const longestMs = 5 * 60_000
/** Pause as a share of the outage so far: after a short outage the channel is retried soon. */
const shareOfOutage = 0.08
/**
 * Largest share by which a pause is shortened, so that channels that failed together do not retry together.
 */
const jitterShare = 0.2
/** Least time between two attempts of one channel. */
export const leastPauseMs = 1_000

/** The pause before the next attempt: first exponential, then proportional to the length of the outage. */
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

/** Longest pause that a receiver can request. */
const longestAskedMs = 60 * 60_000

/** The pause after a failed attempt: requested by the receiver, otherwise by the channel's policy. */
export function pauseAfter(
  { retryAfterMs }: Extract<Outcome, { delivered: false }>,
  policy: RetryPolicy,
  failed: { failures: number; failingMs: number },
): number {
  if (retryAfterMs === undefined) return retryPauseMs(policy, { ...failed, random: Math.random() })
  return Math.min(longestAskedMs, Math.max(leastPauseMs, retryAfterMs))
}
