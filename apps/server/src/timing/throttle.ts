import type { Clock } from '@pulse/domain'

export interface ThrottleOptions {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** Minimum time between two runs. */
  gapMs?: number
  /**
   * Minimum time between a call and its run, so that the calls of a burst share one run. Unlike with a
   * debounce, further calls do not extend the wait.
   */
  delayMs?: number
  /** A run that resolves to false did nothing, so no gap follows it. */
  run: () => unknown
  onError: (error: unknown) => void
}

export interface Throttle {
  /** Runs as soon as gap and delay allow. Further calls until then have no effect. */
  call(): void
  /** Runs a scheduled call now, and resolves when it has ended. */
  flush(): Promise<void>
  cancel(): void
}

/** Runs at most once per gap. A call within the gap, or during a run, causes one more run afterwards. */
export function createThrottle({ clock, gapMs = 0, delayMs = 0, run, onError }: ThrottleOptions): Throttle {
  let freeAt = -Infinity
  let cancelTimer: (() => void) | undefined
  let running: Promise<void> | undefined
  let isCalledAgain = false

  function call() {
    if (cancelTimer) return
    if (running) {
      isCalledAgain = true
      return
    }
    const waitMs = Math.max(delayMs, freeAt - clock.monotonic())
    if (waitMs <= 0) start()
    else cancelTimer = clock.after(waitMs, start)
  }

  function start() {
    cancelTimer = undefined
    freeAt = clock.monotonic() + gapMs
    try {
      const result = run()
      if (result instanceof Promise) running = follow(result)
    } catch (error) {
      onError(error)
    }
  }

  async function follow(result: Promise<unknown>) {
    try {
      if ((await result) === false) freeAt = -Infinity
    } catch (error) {
      onError(error)
    } finally {
      running = undefined
      if (isCalledAgain) {
        isCalledAgain = false
        call()
      }
    }
  }

  function cancel() {
    cancelTimer?.()
    cancelTimer = undefined
    isCalledAgain = false
  }

  return {
    call,
    async flush() {
      await running
      if (!cancelTimer) return
      cancelTimer()
      start()
      await running
    },
    cancel,
  }
}
