import type { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'

/** An agent has some 120 MB, and needs no sign-in. */
const mostAtOnce = 4
const retryAfterSeconds = 30

/** Files that are being sent, so many at a time. */
export function createDownloads() {
  const open = new Set<Readable>()
  return {
    /** Throws `too_many_connections` when there are too many. */
    admit(): void {
      if (open.size < mostAtOnce) return
      throw new AppError(
        'too_many_connections',
        `${mostAtOnce} agent downloads are in progress. Try again in ${retryAfterSeconds} s.`,
        { headers: { 'retry-after': String(retryAfterSeconds) } },
      )
    },
    count<Source extends Readable>(source: Source): Source {
      open.add(source)
      source.once('close', () => open.delete(source))
      return source
    },
  }
}
