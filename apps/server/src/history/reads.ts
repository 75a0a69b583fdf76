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
  'series',
  'trends',
  'state',
  'changes',
  'sizes',
])

export const isRead = (what: HistoryRequest['do']): boolean => what === 'charts' || reading.has(what)

/** However many callers read the past, samples and changes are written at once. */
export function createReads() {
  const short = createBoundedQueue({ atOnce, waiting })
  // A part of the charts takes seconds, in steps, and much memory. It holds up only other charts.
  const charts = createBoundedQueue({ waiting })
  return {
    async run<T>(what: HistoryRequest['do'], read: () => Promise<T>): Promise<T> {
      const answer = (what === 'charts' ? charts : short).tryRun(read)
      if (answer) return answer
      throw new AppError(
        'history_unavailable',
        'Too many calls read the metric history. Try again in a few seconds.',
      )
    },
  }
}
