import type { Worker } from 'node:worker_threads'

/**
 * Tracks threads that are started from now on. The returned function ends the newest one, like a thread that
 * runs out of memory.
 */
export function watchThreads(): () => void {
  let newest: Worker | undefined
  process.on('worker', (worker: Worker) => (newest = worker))
  return () => {
    if (!newest) throw new Error('no thread was started')
    void newest.terminate()
  }
}
