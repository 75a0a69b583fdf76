import { exponentialBackoffMs } from '@pulse/domain'

export interface Backoff {
  firstMs: number
  longestMs: number
  /**
   * Share by which a pause varies in both directions, so that callers that failed together do not retry
   * together; default 0.
   */
  jitter?: number
}

/** For calls to monitored hosts: 5 s doubling to 5 min, ±20 %. */
export const hostBackoff: Backoff = { firstMs: 5_000, longestMs: 300_000, jitter: 0.2 }

/** Exponential backoff: the pause after this many consecutive failures. */
export function backoffMs(backoff: Backoff, failures: number, random: () => number = Math.random): number {
  const { longestMs, jitter = 0 } = backoff
  const pauseMs = exponentialBackoffMs(backoff, failures)
  return Math.min(longestMs, Math.round(spread(pauseMs, jitter, random)))
}

/** Varies by that share in both directions. */
export const spread = (ms: number, jitter: number, random: () => number): number =>
  ms * (1 - jitter + 2 * jitter * random())
