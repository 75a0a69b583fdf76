import { type Clock, DueQueue, type Observation } from '@pulse/domain'
import { createDueTimer } from '../timing/due-timer.ts'
import { graceMs, suspendedMs } from '../timing/suspend-detector.ts'

export interface Promises {
  hear(observation: Pick<Observation, 'source' | 'promiseMs'>): void
  forget(source: string): void
  stop(): void
}

/**
 * Finds sources that broke their promise. While the machine slept none could keep it: that time does not count, and they
 * get a moment to answer.
 */
export function watchPromises(clock: Clock, onOverdue: (source: string) => void): Promises {
  /** by the time that the machine was awake */
  const due = new DueQueue<string>()
  let sleptMs = 0
  /** A renewed promise does not move it to a later moment: only a timer that runs late tells that the machine slept. */
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
      lookAt = at === undefined ? undefined : at + sleptMs
      if (at === undefined || at > now) return
      onOverdue(due.take()!)
    }
  }

  return {
    hear({ source, promiseMs }) {
      if (promiseMs === undefined) return
      const at = awakeMs() + promiseMs
      due.offer(source, at)
      if (lookAt === undefined || at + sleptMs < lookAt) lookAt = at + sleptMs
      timer.reschedule()
    },
    forget: (source) => due.remove(source),
    stop: timer.stop,
  }
}

function rethrow(error: unknown) {
  throw error
}
