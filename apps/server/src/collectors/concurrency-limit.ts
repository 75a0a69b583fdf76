import { SourceError } from './source-error.ts'

/** At most so many calls at a time; the others wait in the order of asking. */
export interface ConcurrencyLimit {
  /** Fails when `signal` fires while the call waits. */
  run<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

export function createConcurrencyLimit(count: number): ConcurrencyLimit {
  let free = count
  const waiting = new Set<() => void>()

  function release() {
    const [next] = waiting
    if (!next) return void free++
    waiting.delete(next)
    next()
  }

  function enter(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free--
      return Promise.resolve()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.delete(start)
      reject(new SourceError('crowded', 'earlier calls to the same host took too long'))
    }
    waiting.add(start)
    signal.addEventListener('abort', giveUp, { once: true })
    return promise
  }

  return {
    async run(signal, call) {
      await enter(signal)
      try {
        return await call()
      } finally {
        release()
      }
    },
  }
}
