import type { Clock } from '@pulse/domain'

/** Timers of the platform hold for 24 days at most; what falls due later is looked at in between. */
export const longestWaitMs = 3_600_000
/** What has just failed is not tried at once. */
export const afterFaultMs = 1_000

export interface WakeUpEdges {
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** monotonic; when something falls due next, if anything does */
  dueAt: () => number | undefined
  run: () => void
  onError: (error: unknown) => void
}

export interface WakeUp {
  /** Something may fall due at another time than before. */
  plan(): void
  stop(): void
}

/** Runs when something falls due. A run that throws is reported, and what falls due next comes all the same. */
export function wakeUp({ clock, dueAt, run, onError }: WakeUpEdges): WakeUp {
  let planned: number | undefined
  /** when what has failed is tried again */
  let againAt: number | undefined
  let cancel = () => {}
  let isStopped = false

  function plan() {
    if (isStopped) return
    const next = againAt ?? dueAt()
    if (next === planned) return
    cancel()
    planned = next
    if (next === undefined) return
    const waitMs = Math.max(0, Math.ceil(next - clock.monotonic()))
    cancel = clock.after(Math.min(longestWaitMs, waitMs), wake)
  }

  function wake() {
    planned = undefined
    againAt = clock.monotonic() + afterFaultMs
    try {
      run()
      againAt = undefined
    } catch (error) {
      onError(error)
    } finally {
      plan()
    }
  }

  return {
    plan,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
