import type { Clock } from '@pulse/domain'

export interface Repeated {
  clock: Pick<Clock, 'after'>
  /** From one run to the next. A function is asked after each run. */
  everyMs: number | (() => number)
  /** until the first run; absent: `everyMs` */
  firstMs?: number
  /** One that takes longer than the pause is not overtaken: the next follows it. */
  run: () => unknown
  onError: (error: unknown) => void
}

export interface Repeating {
  /** Runs at once, and from then on as before. */
  now(): void
  stop(): void
}

/** When nobody can say when the next run is. */
const usualMs = 60_000

/**
 * Runs a job again and again, until it is stopped. A run that throws or rejects is reported, and the next one comes all the
 * same.
 */
export function repeat({ clock, everyMs, firstMs, run, onError }: Repeated): Repeating {
  let isRunning = false
  let isLate = false
  let isStopped = false
  let cancel = clock.after(firstMs ?? pauseMs(), tick)

  function tick() {
    cancel()
    if (isRunning) isLate = true
    else start()
    if (!isStopped) cancel = clock.after(pauseMs(), tick)
  }

  function start() {
    try {
      const running = run()
      if (running instanceof Promise) void follow(running)
    } catch (error) {
      onError(error)
    }
  }

  async function follow(running: Promise<unknown>) {
    isRunning = true
    try {
      await running
    } catch (error) {
      onError(error)
    } finally {
      isRunning = false
      const isNext = isLate && !isStopped
      isLate = false
      if (isNext) start()
    }
  }

  function pauseMs(): number {
    try {
      return typeof everyMs === 'number' ? everyMs : everyMs()
    } catch (error) {
      onError(error)
      return usualMs
    }
  }

  return {
    now: tick,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
