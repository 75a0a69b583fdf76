import { type Clock, DueQueue, type Observation } from '@pulse/domain'
import { createDueTimer } from '../timing/due-timer.ts'
import { graceMs, suspendedMs } from '../timing/suspend-detector.ts'

export interface OverdueSources {
  hear(observation: Pick<Observation, 'source' | 'promiseMs'>): void
  forget(source: string): void
  stop(): void
}

/** The interval of checks. Only a timer that is due soon is late after every suspension. */
const lookMs = 5_000

/**
 * Finds sources that broke their promise to answer. Time in which the machine slept does not count. After a
 * suspension, sources get a moment to answer.
 */
export function findOverdueSources(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  onOverdue: (source: string) => void,
): OverdueSources {
  /** in milliseconds that the machine was awake */
  const due = new DueQueue<string>()
  let sleptMs = 0
  let lookAt: number | undefined
  const timer = createDueTimer({ clock, dueAt: () => lookAt, run: look, onError: rethrow })

  function awakeMs(): number {
    const now = clock.monotonic()
    if (lookAt !== undefined && now - lookAt >= suspendedMs) {
      sleptMs += now - lookAt
      lookAt = now + graceMs
    }
    return now - sleptMs
  }

  function look() {
    const now = awakeMs()
    if (lookAt! > clock.monotonic()) return
    for (let at = due.nextAt(); ; at = due.nextAt()) {
      lookAt = at === undefined ? undefined : Math.min(at + sleptMs, clock.monotonic() + lookMs)
      if (at === undefined || at > now) return
      onOverdue(due.take()!)
    }
  }

  return {
    hear({ source, promiseMs }) {
      if (promiseMs === undefined) return
      const at = awakeMs() + Math.max(0, promiseMs)
      due.offer(source, at)
      lookAt = Math.min(lookAt ?? Infinity, at + sleptMs, clock.monotonic() + lookMs)
      timer.reschedule()
    },
    forget: (source) => due.remove(source),
    stop: timer.stop,
  }
}

function rethrow(error: unknown) {
  throw error
}
