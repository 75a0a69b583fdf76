import type { Clock } from '@pulse/domain'
import { createTicker } from '../../timing/ticker.ts'

const askMs = 3_000

export interface DatabaseWatch {
  /** since it has answered this process last, or since the watch began */
  readonly unansweredMs: number
  stop(): void
}

interface DatabaseWatchEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Rejects if the database does not answer. */
  ask: () => Promise<unknown>
}

/** Whether the database answers this process, also while this process has nothing to store. */
export function watchDatabase({ clock, ask }: DatabaseWatchEdges): DatabaseWatch {
  let answeredAt = clock.monotonic()
  const asking = createTicker({
    clock,
    intervalMs: askMs,
    async run() {
      await ask()
      answeredAt = clock.monotonic()
    },
    // the database has reported it
    onError: () => {},
  })
  return {
    get unansweredMs() {
      return clock.monotonic() - answeredAt
    },
    stop: asking.stop,
  }
}
