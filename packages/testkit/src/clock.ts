import type { Clock } from '@pulse/domain'

/** Real time, run fast: a minute passes in `60 / factor` seconds. For tests against real sockets. */
export function acceleratedClock(factor: number, startMs = Date.UTC(2026, 0, 1, 12)): Clock {
  const origin = performance.now()
  return {
    now: () => Math.floor(startMs + (performance.now() - origin) * factor),
    after(ms, run) {
      const timer = setTimeout(run, Math.max(0, ms) / factor)
      return () => clearTimeout(timer)
    },
  }
}

export interface FakeClock extends Clock {
  /** Lets that much time pass, running what falls due in order, promises included. */
  advance(ms: number): Promise<void>
  /** how many timers are set */
  pending(): number
}

/** Time that stands still until a test moves it. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1, 12)): FakeClock {
  let now = startMs
  let lastId = 0
  const timers = new Map<number, { at: number; run: () => void }>()

  const nextDue = (until: number) => {
    let found: [number, { at: number; run: () => void }] | undefined
    for (const entry of timers) {
      if (entry[1].at <= until && (!found || entry[1].at < found[1].at)) found = entry
    }
    return found
  }

  return {
    now: () => now,
    after(ms, run) {
      const id = ++lastId
      timers.set(id, { at: now + Math.max(0, ms), run })
      return () => timers.delete(id)
    },
    async advance(ms) {
      const until = now + ms
      await settle()
      for (let due = nextDue(until); due; due = nextDue(until)) {
        timers.delete(due[0])
        now = due[1].at
        due[1].run()
        await settle()
      }
      now = until
    },
    pending: () => timers.size,
  }
}

/** A macrotask, so that promise chains of any length have run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
