import type { Clock } from '@pulse/domain'
import { pause } from '../timing/pause.ts'

/** A call waits for the database no longer than this. */
const waitMs = 2_000
/** A database that does not answer is not asked for each call. */
const askAgainMs = 5_000

interface LeadCheckEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Then no other process can have begun to lead. */
  holdsLease: () => boolean
  /** Asks the database. It rejects if another process leads, which ends the lead of this one. */
  confirm: () => Promise<unknown>
}

/**
 * Makes a process find out that it does not lead any more before it answers from its memory, for example after it was
 * stopped for a while. Resolves when it is as clear as it can be: without the database, it goes on.
 */
export function createLeadCheck({ clock, holdsLease, confirm }: LeadCheckEdges): () => Promise<void> {
  let asking: Promise<void> | undefined
  let askFrom = -Infinity

  async function ask() {
    const ended = new AbortController()
    const answered = confirm().then(
      () => true,
      // the database has reported it
      () => false,
    )
    try {
      const isAnswered = await Promise.race([answered, pause(clock, waitMs, ended.signal).then(() => false)])
      if (!isAnswered) askFrom = clock.monotonic() + askAgainMs
    } finally {
      ended.abort()
    }
  }

  return async () => {
    if (holdsLease() || clock.monotonic() < askFrom) return
    asking ??= ask().finally(() => (asking = undefined))
    await asking
  }
}
