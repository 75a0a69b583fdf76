import { AppError } from '../app-error.ts'
import type { HistoryRequest } from '../db/history/messages.ts'
import { createBoundedQueue } from '../timing/concurrency.ts'

/** The thread takes what comes first, so the samples of a tick wait for so many answers at most. */
const atOnce = 2
/** Callers that wait. Each answer takes up to a third of a second. */
const waiting = 200

/** `long`: a read that does not wait for others, because it yields to them itself. `none`: no read. */
const reading: Record<HistoryRequest['do'], 'short' | 'charts' | 'changes' | 'long' | 'none'> = {
  edgeValues: 'short',
  series: 'short',
  trends: 'short',
  state: 'short',
  changes: 'changes',
  sizes: 'short',
  charts: 'charts',
  backTest: 'long',
  forecasts: 'long',
  hello: 'none',
  open: 'none',
  identify: 'none',
  append: 'none',
  log: 'none',
  maintain: 'none',
  clear: 'none',
  close: 'none',
}

export const isRead = (what: HistoryRequest['do']): boolean => reading[what] !== 'none'

/** However many callers read the past, samples and changes are written at once. */
export function createReads() {
  const short = createBoundedQueue({ atOnce, waiting })
  // A part of the charts takes seconds, in steps, and much memory. It holds up only other charts.
  const charts = createBoundedQueue({ waiting })
  // Looking for the changes of one thing takes up to a second, in steps.
  const changes = createBoundedQueue({ atOnce, waiting })
  const queues = { short, charts, changes }
  return {
    async run<T>(what: HistoryRequest['do'], read: () => Promise<T>): Promise<T> {
      const how = reading[what]
      if (how === 'long' || how === 'none') return read()
      const answer = queues[how].tryRun(read)
      if (answer) return answer
      throw new AppError(
        'history_unavailable',
        'Too many calls read the metric history. Try again in a few seconds.',
      )
    },
  }
}
