import { SourceError } from '../source-error.ts'

/** A few ways to one host, taken in the order of asking. */
export interface Lanes {
  /** Runs it as soon as there is a lane; fails when `signal` fires before that. */
  run<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>
}

export function createLanes(count: number): Lanes {
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
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(go)
        reject(new SourceError('crowded', 'earlier calls to the same host took too long'))
      }
      waiting.add(go)
      signal.addEventListener('abort', giveUp, { once: true })
    })
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
