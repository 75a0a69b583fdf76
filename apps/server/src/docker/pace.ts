import type { Clock } from '@pulse/domain'
import { tooManyRequests } from '../auth/rate-limit.ts'

export interface Pace {
  /** Counts one; throws AppError `rate_limit` (429, with Retry-After) when there were too many. */
  take(key: string): void
}

/** So many at once, and so many a second from then on; of that many keys. */
export interface PaceLimits {
  burst: number
  perSecond: number
  keys: number
}

export function createPace(clock: Clock, { burst, perSecond, keys }: PaceLimits): Pace {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    take(key) {
      const now = clock.monotonic()
      const { left, at } = buckets.get(key) ?? { left: burst, at: now }
      const filled = Math.min(burst, left + ((now - at) / 1000) * perSecond)
      // behind all others: the first are those that nobody used for longest
      buckets.delete(key)
      buckets.set(key, { left: Math.max(0, filled - 1), at: now })
      if (buckets.size > keys) buckets.delete(buckets.keys().next().value!)
      if (filled >= 1) return
      buckets.set(key, { left: filled, at: now })
      throw tooManyRequests({ 'retry-after': String(Math.max(1, Math.ceil((1 - filled) / perSecond))) })
    },
  }
}
