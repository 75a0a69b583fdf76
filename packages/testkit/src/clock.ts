import type { Clock } from '@pulse/domain'

/** More of real time than this at once means that the machine is busy, not that time has passed. */
const mostStepMs = 3

/**
 * Real time, run fast: a minute passes in `60 / factor` seconds. For tests against real sockets.
 * It slows down with the process, so that a busy machine does not turn into timeouts.
 * When nothing is under way (`isIdle`, asked at every tick) it leaps to what falls due next.
 */
export function acceleratedClock(
  factor: number,
  startMs = Date.UTC(2026, 0, 1, 12),
  isIdle: () => boolean = () => false,
): SuspendedClock {
  const timers = new Map<number, Timer>()
  let now = startMs
  let steppedMs = 0
  let last = performance.now()
  let lastId = 0
  let ticker: ReturnType<typeof setInterval> | undefined

  function moveOn(): number {
    const real = performance.now()
    const passedMs = real - last
    last = real
    now += (timers.size > 0 ? Math.min(passedMs, mostStepMs) : passedMs) * factor
    return Math.floor(now)
  }

  function tick() {
    if (isIdle()) now = Math.max(now, Math.min(...[...timers.values()].map(({ at }) => at)))
    const until = moveOn()
    for (const [id, timer] of [...timers].filter(([, { at }]) => at <= until).sort(byTime)) {
      if (timers.delete(id)) timer.run()
    }
    if (timers.size > 0) return
    clearInterval(ticker)
    ticker = undefined
  }

  return {
    now: () => moveOn() + steppedMs,
    monotonic: () => moveOn() - startMs,
    step: (ms) => void (steppedMs += ms),
    suspend: (ms) => void (now += ms),
    after(ms, run) {
      const id = ++lastId
      timers.set(id, { at: moveOn() + Math.max(0, ms), run })
      ticker ??= setInterval(tick, 1)
      return () => timers.delete(id)
    },
  }
}

interface Timer {
  at: number
  run: () => void
}

const byTime = ([idA, a]: [number, Timer], [idB, b]: [number, Timer]) => a.at - b.at || idA - idB

export interface SteppedClock extends Clock {
  /** Somebody sets the wall clock, forward or back. Nothing else notices. */
  step(ms: number): void
}

export interface SuspendedClock extends SteppedClock {
  /** Machine or process stand still: both readings go on, no timer runs, and what fell due runs late, all at once. */
  suspend(ms: number): void
}

export interface FakeClock extends SuspendedClock {
  /** Lets that much time pass, running what falls due in order, promises included. */
  advance(ms: number): Promise<void>
  /** how many timers are set */
  pending(): number
}

/** Time that stands still until a test moves it. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1, 12)): FakeClock {
  let now = startMs
  let steppedMs = 0
  let lastId = 0
  const timers = new Map<number, Timer>()

  const nextDue = (until: number) => [...timers].filter(([, { at }]) => at <= until).sort(byTime)[0]

  return {
    now: () => now + steppedMs,
    monotonic: () => now - startMs,
    step: (ms) => void (steppedMs += ms),
    suspend: (ms) => void (now += ms),
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
        now = Math.max(now, due[1].at)
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
