import type { RateClass } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { tooManyRequests } from '../app-error.ts'
import { slidingWindows } from '../timing/rate-limit.ts'
import { clientKey } from './caller.ts'

/** The classes of calls, plus refused sockets and password attempts. */
export type RateKind = RateClass | 'socket' | 'password'

/** Calls per minute and client. */
export const rateLimits: Record<Exclude<RateKind, 'exempt'>, number> = {
  auth: 10,
  password: 10,
  config: 30,
  general: 500,
  read: 1000,
  public: 1000,
  download: 60,
  socket: 120,
}

export interface RateLimit {
  /**
   * Counts one call. Throws AppError `rate_limit` (429, with Retry-After) when the limit for this minute is
   * reached.
   */
  take(kind: RateKind, client: string): void
  /** Whether the next call would be refused. */
  isUsedUp(kind: Exclude<RateKind, 'exempt'>, client: string): boolean
  /** Takes back the count of a successful sign-in, which was no guess. */
  refund(kind: RateKind, client: string): void
}

export function createRateLimit(clock: Clock, limits = rateLimits): RateLimit {
  const windows = slidingWindows(clock, { windowMs: 60_000, keys: 20_000 })
  const windowOf = (kind: RateKind, client: string) => windows(`${kind} ${clientKey(client)}`)
  return {
    take(kind, client) {
      if (kind === 'exempt') return
      const limit = limits[kind]
      const waitMs = windowOf(kind, client).take(limit)
      if (waitMs === 0) return
      throw tooManyRequests(waitMs, {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': new Date(clock.now() + waitMs).toISOString(),
      })
    },
    isUsedUp: (kind, client) => windowOf(kind, client).waitMs(limits[kind]) > 0,
    refund: (kind, client) => windowOf(kind, client).refund(),
  }
}
