/** Scheduled events of the lab. */
export interface Course {
  /** Calls `begin` after a delay, then `end` after a duration. A reset ends a running event and cancels others. */
  plan(inMs: number, lastsMs: number, begin: () => unknown, end?: (isCutShort: boolean) => unknown): void
  /** Resolves when all running events have ended. */
  reset(): Promise<void>
  /** Stops all events. */
  stop(): void
}

/** `after` calls a function once after a delay, and returns a function that cancels the call. */
export function createCourse(after: (ms: number, run: () => void) => () => void): Course {
  const waiting = new Set<() => void>()
  const underWay = new Set<(isCutShort: boolean) => unknown>()

  function later(ms: number, run: () => unknown): () => void {
    const cancel = after(ms, () => {
      waiting.delete(end)
      void run()
    })
    const end = () => {
      waiting.delete(end)
      cancel()
    }
    waiting.add(end)
    return end
  }

  function stop() {
    for (const cancel of waiting) cancel()
  }

  return {
    plan(inMs, lastsMs, begin, end) {
      const ending = (isCutShort: boolean) => {
        underWay.delete(ending)
        return end?.(isCutShort)
      }
      later(inMs, () => {
        underWay.add(ending)
        later(lastsMs, () => ending(false))
        return begin()
      })
    },
    async reset() {
      stop()
      for (const ending of underWay) await ending(true)
    },
    stop,
  }
}

/** Real time; its timers do not keep the process alive. */
export function inRealTime(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
