import type { Clock } from '@pulse/domain'
import { pause } from '../timing/pause.ts'

/** Between the beginnings of two readings. */
const gapMs = 200

interface NewerRightsEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Reads the stored sessions, tokens and users again. */
  read: () => Promise<void>
}

/**
 * Another process may have created a session or token that this one has not read yet. The function resolves when what was
 * stored before the call has been read. One reading answers all callers, so that false credentials cannot burden the database.
 */
export function createNewerRights({ clock, read }: NewerRightsEdges): () => Promise<void> {
  let readAt = -Infinity
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()

  async function readNext(before: Promise<void>) {
    await before
    const waitMs = readAt + gapMs - clock.monotonic()
    if (waitMs > 0) await pause(clock, waitMs, new AbortController().signal)
    next = undefined
    readAt = clock.monotonic()
    // The caches have reported the failure. The caller is refused, as without this reading.
    await read().catch(() => {})
  }

  return () => {
    if (!next) {
      next = readNext(last)
      last = next
    }
    return next
  }
}
