import type { Clock } from '@pulse/domain'

/** A browser sends two messages a minute, and a few when it comes. */
const WINDOW_MS = 10_000
const MAX_MESSAGES = 300

/** How much one client may say. */
export function createInbound(clock: Clock): { take(): boolean } {
  let since = clock.monotonic()
  let count = 0
  return {
    take() {
      const now = clock.monotonic()
      if (now - since >= WINDOW_MS) {
        since = now
        count = 0
      }
      return ++count <= MAX_MESSAGES
    },
  }
}
