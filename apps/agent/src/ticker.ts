import type { Clock } from '@pulse/domain'

export interface Beat {
  clock: Clock
  everyMs: number
  /** what takes longer than this has hung */
  limitMs: number
  /** never rejects */
  run: () => Promise<void>
  hung: () => void
}

/** Runs at once and then on a fixed beat; what takes longer than one leaves beats out. Returns what ends it. */
export function startBeat({ clock, everyMs, limitMs, run, hung }: Beat): () => void {
  const from = clock.monotonic()
  let cancel = () => {}
  let isStopped = false

  async function turn(): Promise<void> {
    const watchdog = clock.after(limitMs, hung)
    await run()
    watchdog()
    if (isStopped) return
    const passedMs = clock.monotonic() - from
    cancel = clock.after(everyMs - (passedMs % everyMs), () => void turn())
  }

  void turn()
  return () => {
    isStopped = true
    cancel()
  }
}
