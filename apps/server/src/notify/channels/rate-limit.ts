import type { Clock } from '@pulse/domain'

export interface RateLimit {
  /** Counts one, or says how long to wait for it, in ms. */
  take(key: string, most: number): number | undefined
}

const windowMs = 60_000

/** So many within any minute, by key; for the whole process. */
export function createRateLimit(clock: Clock): RateLimit {
  const taken = new Map<string, number[]>()
  return {
    take(key, most) {
      const now = clock.monotonic()
      for (const [other, times] of taken) if (times.at(-1)! + windowMs <= now) taken.delete(other)
      const recent = (taken.get(key) ?? []).filter((at) => at + windowMs > now)
      if (recent.length >= most) return recent[recent.length - most]! + windowMs - now
      taken.set(key, [...recent, now])
      return undefined
    },
  }
}
