import { AppError } from '../app-error.ts'
import type { HistoryRequest } from '../db/history/messages.ts'
import { createBoundedQueue } from '../timing/concurrency.ts'

/** The thread takes what comes first, so the samples of a tick wait for so many answers at most. */
const atOnce = 2
/** Callers that wait. Each answer takes up to a third of a second. */
const waiting = 200

/** Back-tests and forecasts, which are long, yield to others themselves. */
const reading: ReadonlySet<HistoryRequest['do']> = new Set<HistoryRequest['do']>([
  'samples',
  'buckets',
  'trends',
  'charts',
  'state',
  'changes',
  'sizes',
])

export const isRead = (what: HistoryRequest['do']): boolean => reading.has(what)

/** However many callers read the past, samples and changes are written at once. */
export function createReads() {
  const queue = createBoundedQueue({ atOnce, waiting })
  return {
    async run<T>(read: () => Promise<T>): Promise<T> {
      const answer = queue.tryRun(read)
      if (answer) return answer
      throw new AppError(
        'history_unavailable',
        'Too many calls read the metric history. Try again in a few seconds.',
      )
    },
  }
}
