import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { backoffMs, hostBackoff } from '../timing/backoff.ts'

/** The time limit of a run. */
export interface Deadline {
  /** Waits without counting the time against the deadline. */
  outside<T>(wait: () => Promise<T>): Promise<T>
}

export interface LoopPlan {
  clock: Clock
  /** logs an error outside the run: a defect of Pulse, which does not end the loop */
  log: Pick<Logger, 'error'>
  intervalMs: number | (() => number)
  firstAfterMs?: number
  /** the run's signal fires after this time; the run is expected to end then */
  deadlineMs: number | (() => number)
  /** Milliseconds to postpone the run, 0 to start it. Called again after that time. */
  hold?: () => number
  run: (signal: AbortSignal, deadline: Deadline) => Promise<void>
  /** Called after every failed run. A returned pause replaces the usual backoff. */
  failed?: (error: unknown, failures: number) => number | void
}

export interface Loop {
  /** Runs as soon as possible. */
  refresh(): void
  /** Milliseconds until it wants to run; undefined while it runs. */
  waitMs(): number | undefined
  /** Resolves when no run is active. */
  stop(): Promise<void>
}

/**
 * Repeats a run at a steady interval, one run at a time. The next run starts at its planned time, or at once
 * if that has passed. A late start does not shift the plan, and missed runs are not made up for.
 */
export function startLoop(plan: LoopPlan): Loop {
  const { clock } = plan
  const intervalMs = () =>
    orLater(() => (typeof plan.intervalMs === 'number' ? plan.intervalMs : plan.intervalMs()))
  const deadlineMs = () => (typeof plan.deadlineMs === 'number' ? plan.deadlineMs : plan.deadlineMs())
  let planned = clock.monotonic() + (plan.firstAfterMs ?? 0)
  let failures = 0
  let wanted = false
  let stopped = false
  let running: Promise<void> | undefined
  let abort: AbortController | undefined
  let dueAt = planned
  let cancel = clock.after(planned - clock.monotonic(), wake)

  function schedule(at: number) {
    cancel()
    dueAt = at
    if (!stopped) cancel = clock.after(Math.max(0, at - clock.monotonic()), wake)
  }

  function wake() {
    if (stopped || running) return
    const holdMs = orLater(() => plan.hold?.() ?? 0)
    if (holdMs > 0) return schedule(clock.monotonic() + holdMs)
    const now = clock.monotonic()
    if (now - planned > intervalMs()) planned = now // the machine slept, or `hold` postponed the run for long
    running = runOnce().finally(() => {
      running = undefined
      if (wanted) planned = clock.monotonic()
      wanted = false
      schedule(planned)
    })
  }

  async function runOnce() {
    abort = new AbortController()
    const deadline = startDeadline(clock, deadlineMs(), abort)
    try {
      await plan.run(abort.signal, deadline)
      failures = 0
      const now = clock.monotonic()
      planned = Math.min(Math.max(planned + intervalMs(), now), now + intervalMs())
    } catch (error) {
      if (stopped) return
      failures++
      planned =
        clock.monotonic() + orLater(() => plan.failed?.(error, failures) ?? backoffMs(hostBackoff, failures))
    } finally {
      deadline.cancel()
    }
  }

  function orLater(decide: () => number): number {
    try {
      return decide()
    } catch (err) {
      plan.log.error({ err }, 'internal error in a polling loop; it continues')
      return backoffMs(hostBackoff, 1)
    }
  }

  return {
    refresh() {
      wanted = running !== undefined
      if (wanted || stopped) return
      planned = clock.monotonic()
      schedule(planned)
    },
    waitMs: () => (running ? undefined : Math.max(0, dueAt - clock.monotonic())),
    async stop() {
      stopped = true
      cancel()
      abort?.abort()
      await running
    },
  }
}

function startDeadline(clock: Clock, ms: number, abort: AbortController): Deadline & { cancel(): void } {
  let leftMs = ms
  let startedAt = clock.monotonic()
  let waits = 0
  let isOver = false
  let cancel = clock.after(leftMs, () => abort.abort())
  return {
    async outside(wait) {
      if (waits++ === 0) {
        cancel()
        leftMs -= clock.monotonic() - startedAt
      }
      try {
        return await wait()
      } finally {
        startedAt = clock.monotonic()
        if (--waits === 0 && !isOver) cancel = clock.after(Math.max(0, leftMs), () => abort.abort())
      }
    },
    cancel() {
      isOver = true
      cancel()
    },
  }
}
