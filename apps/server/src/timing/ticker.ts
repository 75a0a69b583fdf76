import type { Clock } from '@pulse/domain'

export interface TickerOptions {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** The time from one run to the next. A function is called after each run. */
  intervalMs: number | (() => number)
  /** The pause before the first run; defaults to `intervalMs`. */
  firstMs?: number
  /** Runs never overlap: a run that becomes due during another one follows it. */
  run: () => unknown
  /**
   * Called when a run throws or rejects: once per cause, and again every 10 minutes while the cause persists.
   */
  onError: (error: unknown) => void
}

export interface Ticker {
  /** Runs immediately. The usual pause follows. */
  now(): void
  stop(): void
}

/** The pause when `intervalMs` throws. */
const fallbackMs = 60_000
/** Shorter than the 15 minutes for which Pulse shows a trouble, so that a persistent cause stays visible. */
export const repeatErrorMs = 10 * 60_000

/**
 * Repeats a job until it is stopped: the server's `setInterval`. A run that throws or rejects is reported,
 * and the next run follows as usual.
 */
export function createTicker({ clock, intervalMs, firstMs, run, onError }: TickerOptions): Ticker {
  let isRunning = false
  let isOverdue = false
  let isStopped = false
  let lastError: { cause: string; at: number } | undefined
  let cancel = clock.after(firstMs ?? pauseMs(), tick)

  function tick() {
    cancel()
    try {
      if (isRunning) isOverdue = true
      else start()
    } finally {
      // also if `onError` throws: nothing in a run can end the ticker
      if (!isStopped) cancel = clock.after(pauseMs(), tick)
    }
  }

  function start() {
    try {
      const result = run()
      if (result instanceof Promise) void follow(result)
      else lastError = undefined
    } catch (error) {
      report(error)
    }
  }

  async function follow(result: Promise<unknown>) {
    isRunning = true
    try {
      await result
      lastError = undefined
    } catch (error) {
      report(error)
    } finally {
      isRunning = false
      const isNext = isOverdue && !isStopped
      isOverdue = false
      if (isNext) start()
    }
  }

  function pauseMs(): number {
    try {
      return typeof intervalMs === 'number' ? intervalMs : intervalMs()
    } catch (error) {
      report(error)
      return fallbackMs
    }
  }

  function report(error: unknown) {
    const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const now = clock.monotonic()
    if (lastError?.cause === cause && now - lastError.at < repeatErrorMs) return
    lastError = { cause, at: now }
    onError(error)
  }

  return {
    now: tick,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
