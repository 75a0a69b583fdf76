import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { backoffMs, hostBackoff } from '../timing/backoff.ts'

/** What a run may take. */
export interface Deadline {
  /** Waits; the time that it takes does not count. */
  outside<T>(wait: () => Promise<T>): Promise<T>
}

export interface LoopPlan {
  clock: Clock
  /** logs an error outside the run, which is a defect of Pulse and ends no loop */
  log: Pick<Logger, 'error'>
  intervalMs: number | (() => number)
  firstAfterMs?: number
  /** the signal fires then; the run is expected to end with it */
  deadlineMs: number | (() => number)
  /** Milliseconds to put the run off, 0 to let it start. Asked again after that time. */
  hold?: () => number
  run: (signal: AbortSignal, deadline: Deadline) => Promise<void>
  /** Called after every failed run. May return its own pause instead of the usual backoff. */
  failed?: (error: unknown, failures: number) => number | void
}

export interface Loop {
  /** Runs as soon as it may. */
  refresh(): void
  /** Resolves when nothing is under way. */
  stop(): Promise<void>
}

/**
 * Runs again and again, one run at a time, in a steady rhythm: the next start is the planned time,
 * or at once when that has passed. Late starts do not shift the plan, and there is no catching up.
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
  let cancel = clock.after(planned - clock.monotonic(), wake)

  function schedule(at: number) {
    cancel()
    if (!stopped) cancel = clock.after(Math.max(0, at - clock.monotonic()), wake)
  }

  function wake() {
    if (stopped || running) return
    const holdMs = orLater(() => plan.hold?.() ?? 0)
    if (holdMs > 0) return schedule(clock.monotonic() + holdMs)
    const now = clock.monotonic()
    if (now - planned > intervalMs()) planned = now // the machine slept, or it was held back for long
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
