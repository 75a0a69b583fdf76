import { exponentialBackoffMs } from '@pulse/domain'

export const backoff = {
  firstMs: 1_000,
  longestMs: 30_000,
  /** added for each failed attempt */
  extraPerAttemptMs: 100,
  maxExtraMs: 1_000,
  /** random share of the wait, so that browsers do not all reconnect at once */
  jitter: 0.2,
} as const

/**
 * Milliseconds before attempt number `attempt` (1 is the first after the loss). Exponential backoff; jitter
 * only shortens it. `random` is 0-1.
 */
export function reconnectDelay(attempt: number, random: number): number {
  const wait = exponentialBackoffMs(backoff, attempt)
  const extra = Math.min((attempt - 1) * backoff.extraPerAttemptMs, backoff.maxExtraMs)
  return Math.round(wait * (1 - backoff.jitter * random) + extra)
}
