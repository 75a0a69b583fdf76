import type { Clock } from '@pulse/domain'
import { tooManyRequests } from '../auth/rate-limit.ts'

export interface Pace {
  /** Throws AppError `rate_limit` (429, with Retry-After) while nothing is left. */
  look(key: string): void
  /** Looks, and counts one or so many: what is more than was left is made up for by a longer pause. */
  take(key: string, amount?: number): void
}

/** So many at once, and so many a second from then on; of that many keys. */
export interface PaceLimits {
  burst: number
  perSecond: number
  keys: number
}

export function createPace(clock: Clock, { burst, perSecond, keys }: PaceLimits): Pace {
  const buckets = new Map<string, { left: number; at: number }>()

  function filled(key: string): number {
    const { left, at } = buckets.get(key) ?? { left: burst, at: clock.monotonic() }
    return Math.min(burst, left + ((clock.monotonic() - at) / 1000) * perSecond)
  }

  function refuseBelowOne(left: number): void {
    if (left >= 1) return
    throw tooManyRequests({ 'retry-after': String(Math.max(1, Math.ceil((1 - left) / perSecond))) })
  }

  return {
    look: (key) => refuseBelowOne(filled(key)),
    take(key, amount = 1) {
      const left = filled(key)
      // behind all others: the first are those that nobody used for longest
      buckets.delete(key)
      buckets.set(key, { left: left >= 1 ? left - amount : left, at: clock.monotonic() })
      if (buckets.size > keys) buckets.delete(buckets.keys().next().value!)
      refuseBelowOne(left)
    },
  }
}
