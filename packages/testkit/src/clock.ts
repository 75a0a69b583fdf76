import type { Clock } from '@pulse/domain'

/** A longer step of real time means that the machine was busy. The excess is not counted. */
const mostStepMs = 3

/** How time passes, decided at every tick: with real time, not at all, or directly to the next timer. */
export type Passing = 'flows' | 'stands' | 'leaps'

/**
 * Accelerated real time: a minute passes in `60 / factor` seconds. For tests against real sockets. It slows
 * down with the process, so that a busy machine does not cause timeouts. While a timer is set, time passes in
 * ticks only, and every timer runs at exactly its time.
 */
export function acceleratedClock(
  factor: number,
  startMs = Date.UTC(2026, 0, 1, 12),
  passing: () => Passing = () => 'flows',
): SuspendedClock {
  const timers = new Map<number, Timer>()
  let now = startMs
  let steppedMs = 0
  let last = performance.now()
  let lastId = 0
  let ticker: ReturnType<typeof setInterval> | undefined

  function realMs(): number {
    const before = last
    last = performance.now()
    return last - before
  }

  function read(): number {
    if (timers.size === 0) now += realMs() * factor
    return Math.floor(now)
  }

  function tick() {
    const until = now + Math.min(realMs(), mostStepMs) * factor
    const how = passing()
    if (timers.size === 0) return rest()
    if (how === 'leaps') moveTo(Math.max(now, firstOf(timers)![1].at))
    else if (how === 'flows') moveTo(until)
  }

  function rest() {
    clearInterval(ticker)
    ticker = undefined
  }

  function moveTo(until: number) {
    for (let due = nextDue(timers, until); due; due = nextDue(timers, until)) {
      timers.delete(due[0])
      now = Math.max(now, due[1].at)
      due[1].run()
    }
    now = until
  }

  return {
    now: () => read() + steppedMs,
    monotonic: () => read() - startMs,
    step: (ms) => void (steppedMs += ms),
    suspend: (ms) => void (now += ms),
    after(ms, run) {
      const id = ++lastId
      // Rounded up, because readings are whole ms: a caller that waits for a fraction would wait forever.
      timers.set(id, { at: read() + Math.ceil(Math.max(0, ms)), run })
      ticker ??= setInterval(tick, 1)
      return () => timers.delete(id)
    },
  }
}

interface Timer {
  at: number
  run: () => void
}

/** The earliest timer. Of several at the same time, the one set first: a map keeps the order. */
function firstOf(timers: ReadonlyMap<number, Timer>): [number, Timer] | undefined {
  let first: [number, Timer] | undefined
  for (const entry of timers) if (!first || entry[1].at < first[1].at) first = entry
  return first
}

function nextDue(timers: ReadonlyMap<number, Timer>, until: number): [number, Timer] | undefined {
  const first = firstOf(timers)
  return first && first[1].at <= until ? first : undefined
}

export interface SteppedClock extends Clock {
  /** Sets the wall clock forward or back. Nothing else changes. */
  step(ms: number): void
}

export interface SuspendedClock extends SteppedClock {
  /**
   * The machine or process is suspended: both clocks go on, no timer runs, and all overdue timers run late at
   * once.
   */
  suspend(ms: number): void
}

export interface FakeClock extends SuspendedClock {
  /** The machine sleeps: both clocks go on, while timers stop and keep their remaining time. */
  sleep(ms: number): void
  /** Lets that much time pass. Runs due timers in order, and settles promises. */
  advance(ms: number): Promise<void>
  /** number of set timers */
  pending(): number
}

/** A clock that stands still until a test moves it. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1, 12)): FakeClock {
  let now = startMs
  let steppedMs = 0
  let lastId = 0
  const timers = new Map<number, Timer>()

  return {
    now: () => now + steppedMs,
    monotonic: () => now - startMs,
    step: (ms) => void (steppedMs += ms),
    suspend: (ms) => void (now += ms),
    sleep(ms) {
      now += ms
      for (const timer of timers.values()) timer.at += ms
    },
    after(ms, run) {
      const id = ++lastId
      timers.set(id, { at: now + Math.max(0, ms), run })
      return () => timers.delete(id)
    },
    async advance(ms) {
      const until = now + ms
      await settle()
      for (let due = nextDue(timers, until); due; due = nextDue(timers, until)) {
        timers.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].run()
        await settle()
      }
      now = until
    },
    pending: () => timers.size,
  }
}

/** A macrotask, which runs after promise chains of any length. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
