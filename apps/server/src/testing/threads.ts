import type { Worker } from 'node:worker_threads'

/** Sees the threads that are started from now on; the returned function ends the newest, as running out of memory would. */
export function watchThreads(): () => void {
  let newest: Worker | undefined
  process.on('worker', (worker: Worker) => (newest = worker))
  return () => {
    if (!newest) throw new Error('no thread was started')
    void newest.terminate()
  }
}
