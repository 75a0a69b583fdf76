import type { Clock } from '@pulse/domain'
import { timingSafeEqual } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import type { OidcSettings } from './settings.ts'

const lifetimeMs = 10 * 60_000
const most = 1_000

/** A sign-in that the provider has not answered yet. */
export interface Attempt {
  /** settings and provider at the start of the sign-in; its answer is checked against these */
  settings: OidcSettings
  metadata: ServerMetadata
  nonce: string
  codeVerifier: string
  /** known only to the browser that began the sign-in */
  browserKey: string
  redirectUri: string
  returnTo: string
}

export interface PendingAttempts {
  add(state: string, attempt: Attempt): void
  /**
   * Removes and returns the sign-in, so that a second callback finds nothing. Another browser finds and
   * removes nothing.
   */
  take(state: string, browserKey: string | undefined): Attempt | undefined
  clear(): void
}

export function pendingAttempts(clock: Clock): PendingAttempts {
  const attempts = new Map<string, Attempt & { until: number }>()

  function dropOld() {
    for (const [state, { until }] of attempts) {
      if (until > clock.monotonic() && attempts.size < most) return
      attempts.delete(state)
    }
  }

  return {
    add(state, attempt) {
      dropOld()
      attempts.set(state, { ...attempt, until: clock.monotonic() + lifetimeMs })
    },
    take(state, browserKey) {
      const attempt = attempts.get(state)
      if (!attempt || !isSame(attempt.browserKey, browserKey ?? '')) return undefined
      attempts.delete(state)
      return attempt.until > clock.monotonic() ? attempt : undefined
    },
    clear: () => attempts.clear(),
  }
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
