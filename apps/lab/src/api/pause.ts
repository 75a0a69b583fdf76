import type { ServerResponse } from 'node:http'

/** Waits, but only while the client stays connected. */
export function pauseUntilGone(response: ServerResponse, ms: number): Promise<void> {
  if (ms <= 0 || response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      response.off('close', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    response.once('close', finish)
  })
}
