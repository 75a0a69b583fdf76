import pLimit from 'p-limit'
import { SourceError } from './source-error.ts'

/** Limits the calls at a time. Further calls wait in the order of their arrival. */
export interface ConcurrencyLimit {
  /** Fails when `signal` fires while the call waits. */
  run<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

export function createConcurrencyLimit(count: number): ConcurrencyLimit {
  const limit = pLimit(count)
  return {
    run<T>(signal: AbortSignal, call: () => Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const giveUp = () => reject(new SourceError('crowded', 'earlier calls to the same host took too long'))
      if (signal.aborted) giveUp()
      else signal.addEventListener('abort', giveUp, { once: true })
      void limit(async () => {
        signal.removeEventListener('abort', giveUp)
        if (signal.aborted) return
        try {
          resolve(await call())
        } catch (error) {
          reject(error)
        }
      })
      return promise
    },
  }
}
