import type { RateClass } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { clientKey } from './caller.ts'

const WINDOW_MS = 60_000
const MAX_CLIENTS = 20_000

/** Besides the classes of calls: sockets that were refused, and passwords that were shown and were wrong. */
export type RateKind = RateClass | 'socket' | 'password'

/** Calls a minute from one client. */
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
  /** Counts one; throws AppError `rate_limit` (429, with Retry-After) when the minute is used up. */
  take(kind: RateKind, client: string): void
  /** Whether the next one would be refused. */
  isUsedUp(kind: Exclude<RateKind, 'exempt'>, client: string): boolean
  /** A good sign-in was no guess: it does not count. */
  giveBack(kind: RateKind, client: string): void
}

export function createRateLimit(clock: Clock, limits = rateLimits): RateLimit {
  const windows = new Map<string, number[]>()

  function recent(key: string): number[] {
    const now = clock.monotonic()
    const times = (windows.get(key) ?? []).filter((at) => now - at < WINDOW_MS)
    windows.delete(key)
    windows.set(key, times)
    return times
  }

  return {
    take(kind, client) {
      if (kind === 'exempt') return
      const key = `${kind} ${clientKey(client)}`
      const times = recent(key)
      const limit = limits[kind]
      const now = clock.monotonic()
      if (times.length >= limit) throw refusal(limit, times[0]! + WINDOW_MS - now, clock.now())
      times.push(now)
      if (windows.size > MAX_CLIENTS) windows.delete(windows.keys().next().value!)
    },
    isUsedUp: (kind, client) => recent(`${kind} ${clientKey(client)}`).length >= limits[kind],
    giveBack(kind, client) {
      windows.get(`${kind} ${clientKey(client)}`)?.pop()
    },
  }
}

function refusal(limit: number, waitMs: number, now: number): AppError {
  return tooManyRequests({
    'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': new Date(now + waitMs).toISOString(),
  })
}

/** The one form of every 429: the sign-in call has `success` and `message` documented. */
export function tooManyRequests(headers: Record<string, string>): AppError {
  const message = 'Too many requests. Please wait a moment and try again.'
  return new AppError('rate_limit', message, { fields: { success: false, message }, headers })
}
