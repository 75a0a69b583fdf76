import type { Clock } from '@pulse/domain'
import { pause } from '../timing/pause.ts'

/** A call waits for the database no longer than this. */
const waitMs = 2_000
/** A connection that has ended is another one soon. */
const againMs = 100
/** A wait that lasts longer by this was no wait: the process itself was stopped. */
const stoppedMs = 1_000
/** A database that does not answer is not asked for each call. */
const askAgainMs = 5_000

interface LeadCheckEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** This process leads, as far as it knows, but another one may have begun to. */
  isInDoubt: () => boolean
  /** Asks the database. It rejects if another process leads, which ends the lead of this one, and if it does not answer. */
  confirm: () => Promise<unknown>
}

/**
 * Makes a process find out that it does not lead any more before it answers from its memory, for example after it was
 * stopped for a while. Resolves when it is as clear as it can be: without the database, it goes on.
 */
export function createLeadCheck({ clock, isInDoubt, confirm }: LeadCheckEdges): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let askFrom = -Infinity
  const mustAsk = () => isInDoubt() && clock.monotonic() >= askFrom

  /** Whether the database has said in time that this process leads. */
  async function isConfirmed(): Promise<boolean> {
    const ended = new AbortController()
    const answered = confirm().then(
      () => true,
      // the database has reported it
      () => false,
    )
    try {
      return await Promise.race([answered, pause(clock, waitMs, ended.signal).then(() => false)])
    } finally {
      ended.abort()
    }
  }

  async function ask(before: Promise<void>) {
    await before
    next = undefined
    let since = clock.monotonic()
    while (mustAsk()) {
      const askedAt = clock.monotonic()
      if (await isConfirmed()) return
      const now = clock.monotonic()
      if (now - askedAt >= waitMs + stoppedMs) since = now
      else if (now - since >= waitMs) askFrom = now + askAgainMs
      else if (mustAsk()) await pause(clock, againMs, new AbortController().signal)
    }
  }

  return async () => {
    if (!mustAsk()) return
    // An answer to an earlier question may be older than this call: the process may have been stopped since.
    last = next ??= ask(last)
    await last
  }
}
