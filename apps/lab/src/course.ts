/** What happens in the lab by itself, later. */
export interface Course {
  /**
   * `begin` in so many ms, and `end` when it has lasted so long. What is under way when everything is reset is cut short;
   * what has not begun never does.
   */
  plan(inMs: number, lastsMs: number, begin: () => unknown, end?: (isCutShort: boolean) => unknown): void
  /** Done when what was under way has ended. */
  reset(): Promise<void>
  /** Nothing more happens. */
  stop(): void
}

/** `after` runs something once after so many ms; what it returns cancels it. */
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
