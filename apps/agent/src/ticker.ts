import type { Clock } from '@pulse/domain'

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}

export interface Ticker {
  clock: Clock
  intervalMs: number
  /** a longer run has hung */
  limitMs: number
  /** never rejects */
  run: () => Promise<void>
  hung: () => void
}

/**
 * Runs immediately and then at a fixed interval. A longer run skips ticks. Returns the function that stops
 * it.
 */
export function startTicker({ clock, intervalMs, limitMs, run, hung }: Ticker): () => void {
  const from = clock.monotonic()
  let cancel = () => {}
  let isStopped = false

  async function turn(): Promise<void> {
    const watchdog = clock.after(limitMs, hung)
    await run()
    watchdog()
    if (isStopped) return
    const passedMs = clock.monotonic() - from
    cancel = clock.after(intervalMs - (passedMs % intervalMs), () => void turn())
  }

  void turn()
  return () => {
    isStopped = true
    cancel()
  }
}
