import pLimit from 'p-limit'

/** Runs one job at a time, in the order of the calls. A failed job rejects only for its own caller. */
export type Mutex = <T>(job: () => Promise<T>) => Promise<T>

export const createMutex = (): Mutex => pLimit(1)

/** Resolves when every job that the mutex has received so far has ended. */
export const idle = (mutex: Mutex): Promise<void> => mutex(async () => {})

export interface BoundedQueue {
  /** The promise of the job; undefined when the queue is full. */
  tryRun<T>(job: () => Promise<T>): Promise<T> | undefined
  isIdle(): boolean
}

/** Runs `atOnce` jobs at a time, in the order of the calls; `waiting` more may wait. */
export function createBoundedQueue({
  atOnce = 1,
  waiting,
}: {
  atOnce?: number
  waiting: number
}): BoundedQueue {
  const limit = pLimit(atOnce)
  const size = () => limit.activeCount + limit.pendingCount
  return {
    tryRun: (job) => (size() < atOnce + waiting ? limit(job) : undefined),
    isIdle: () => size() === 0,
  }
}
