import type { UpdateStatus } from '@pulse/contract'
import { hasEnded } from './update-flow.ts'

export const statusEveryMs = 2_000
const afterReconnectMs = 1_000
const backoffMs = { first: 2_000, most: 15_000, mostDoublings: 3 }

/** Before the n-th look, the first being 0. */
export const healthDelayMs = (attempt: number): number =>
  Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(attempt, backoffMs.mostDoublings))

export type UpdatePhase =
  | { step: 'updating' | 'restarting'; status: UpdateStatus | undefined }
  | { step: 'finished'; failed: boolean; status: UpdateStatus }

export interface FollowEdges {
  /** throws when there is no answer */
  askStatus(): Promise<UpdateStatus>
  /** whether the server answers that it is well */
  isHealthy(): Promise<boolean>
  /** the status is not for whoever is here now: only a new page can tell */
  isRefused(error: unknown): boolean
  show(phase: UpdatePhase): void
  reload(): void
}

/**
 * Follows an update to its end. The server falls silent while it is replaced, and may come back as the version before:
 * the page is loaded anew only when the update has ended well.
 */
export function followUpdate({ askStatus, isHealthy, isRefused, show, reload }: FollowEdges) {
  let step: UpdatePhase['step'] = 'updating'
  let last: UpdateStatus | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  /** the server was away, so that another version may answer by now */
  let wasAway = false
  /** an answer that was asked for before the last change of plans is none any more */
  let turn = 0

  function next(delayMs: number, look: () => Promise<void>): void {
    clearTimeout(timer)
    const own = ++turn
    timer = setTimeout(() => void (own === turn && look()), delayMs)
  }

  function end(act: () => void): void {
    over = true
    clearTimeout(timer)
    act()
  }

  /** What the server says, asked for or not. */
  function take(status: UpdateStatus): void {
    if (over) return
    last = status
    const failed = status.status === 'error'
    if (!hasEnded(status)) {
      if (status.status === 'restarting' && step === 'updating') return restart()
      return show({ step: step === 'restarting' ? 'restarting' : 'updating', status })
    }
    if (wasAway && !failed) return end(reload)
    end(() => show({ step: 'finished', failed, status }))
  }

  async function look(): Promise<void> {
    const own = turn
    try {
      const status = await askStatus()
      if (over || own !== turn) return
      take(status)
      if (!over && step === 'updating') next(statusEveryMs, look)
    } catch {
      if (!over && own === turn) restart()
    }
  }

  function restart(): void {
    step = 'restarting'
    wasAway = true
    show({ step, status: last })
    awaitHealth(0)
  }

  const awaitHealth = (attempt: number) => next(healthDelayMs(attempt), () => checkHealth(attempt))

  async function checkHealth(attempt: number): Promise<void> {
    const own = turn
    const healthy = await isHealthy().catch(() => false)
    if (over || own !== turn) return
    if (!healthy) return step === 'updating' ? restart() : awaitHealth(attempt + 1)
    try {
      const status = await askStatus()
      if (over || own !== turn) return
      take(status)
      // it answers, and has not ended: the new version is on trial, or the old one not gone yet
      if (!over) awaitHealth(0)
    } catch (error) {
      if (over || own !== turn) return
      if (isRefused(error)) end(reload)
      else awaitHealth(attempt + 1)
    }
  }

  show({ step: 'updating', status: undefined })
  void look()
  return {
    heard: take,
    /** The live connection is back. */
    reconnected() {
      if (over) return
      wasAway = true
      next(afterReconnectMs, () => checkHealth(0))
    },
    stop: () => end(() => {}),
  }
}
