import type { Clock } from '@pulse/domain'

export interface Spaced {
  call(): void
  cancel(): void
}

/** Runs at once, and whatever is asked within the gap runs once, at its end. */
export function spaced(clock: Clock, gapMs: number, run: () => void): Spaced {
  let lastAt = -Infinity
  let cancel: (() => void) | undefined
  const runNow = () => {
    cancel = undefined
    lastAt = clock.monotonic()
    run()
  }
  return {
    call() {
      if (cancel) return
      const waitMs = lastAt + gapMs - clock.monotonic()
      if (waitMs <= 0) runNow()
      else cancel = clock.after(waitMs, runNow)
    },
    cancel: () => cancel?.(),
  }
}
