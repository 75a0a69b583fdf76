import type { Clock } from '@pulse/domain'

/** Spaces callers evenly, at most so many a second. An abort ends the wait at once. */
export function createThrottle(perSecond: number, clock: Clock, signal: AbortSignal): () => Promise<void> {
  const gapMs = 1000 / perSecond
  let freeAt = clock.monotonic()
  return () =>
    new Promise((resolve) => {
      const now = clock.monotonic()
      freeAt = Math.max(freeAt, now) + gapMs
      const waitMs = freeAt - gapMs - now
      if (waitMs < 1 || signal.aborted) return resolve()
      const finish = () => {
        cancel()
        signal.removeEventListener('abort', finish)
        resolve()
      }
      const cancel = clock.after(waitMs, finish)
      signal.addEventListener('abort', finish)
    })
}
