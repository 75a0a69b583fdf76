import type { RateClass } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { clientKey } from './caller.ts'

const WINDOW_MS = 60_000
const MAX_CLIENTS = 20_000

/** Calls a minute from one client. Of sockets only the refused ones count. */
export const rateLimits: Record<Exclude<RateClass, 'exempt'> | 'socket', number> = {
  auth: 10,
  config: 30,
  general: 500,
  read: 1000,
  public: 1000,
  socket: 120,
}

export interface RateLimit {
  /** Counts one; throws AppError `rate_limited` (429, with Retry-After) when the minute is used up. */
  take(kind: RateClass | 'socket', client: string): void
  /** A good sign-in was no guess: it does not count. */
  giveBack(kind: RateClass, client: string): void
}

export function createRateLimit(clock: Clock, limits = rateLimits): RateLimit {
  const windows = new Map<string, number[]>()

  function recent(key: string): number[] {
    const now = clock.now()
    const times = (windows.get(key) ?? []).filter((at) => now - at < WINDOW_MS && at <= now)
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
      if (times.length >= limit) throw refusal(limit, times[0]! + WINDOW_MS, clock.now())
      times.push(clock.now())
      if (windows.size > MAX_CLIENTS) windows.delete(windows.keys().next().value!)
    },
    giveBack(kind, client) {
      windows.get(`${kind} ${clientKey(client)}`)?.pop()
    },
  }
}

function refusal(limit: number, freeAt: number, now: number): AppError {
  return new AppError('rate_limited', 'Too many requests. Please wait a moment and try again.', {
    headers: {
      'retry-after': String(Math.max(1, Math.ceil((freeAt - now) / 1000))),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': new Date(freeAt).toISOString(),
    },
  })
}
