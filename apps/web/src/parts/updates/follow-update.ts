import type { UpdateStatus } from '@pulse/contract'
import { exponentialBackoffMs } from '@pulse/domain'
import { hasEnded } from './update-flow.ts'

export const pollIntervalMs = 2_000
const afterReconnectMs = 1_000
const pauses = { firstMs: 2_000, longestMs: 15_000 }

/** Delay before a health check; the first attempt is 0. */
export const healthDelayMs = (attempt: number): number => exponentialBackoffMs(pauses, attempt + 1)

export type UpdatePhase =
  | { step: 'updating' | 'restarting'; status: UpdateStatus | undefined }
  | { step: 'finished'; failed: boolean; status: UpdateStatus }

export interface FollowEdges {
  /** rejects without an answer */
  askStatus(): Promise<UpdateStatus>
  /** whether the server reports itself healthy */
  isHealthy(): Promise<boolean>
  /** the user may not read the status, so only a reload helps */
  isRefused(error: unknown): boolean
  show(phase: UpdatePhase): void
  reload(): void
}

/**
 * Follows an update to its end. The server is unreachable while it is replaced, and may roll back to the
 * previous version. The page therefore reloads only after a successful update.
 */
export function followUpdate({ askStatus, isHealthy, isRefused, show, reload }: FollowEdges) {
  let step: UpdatePhase['step'] = 'updating'
  let last: UpdateStatus | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  /** the server was unreachable, so another version may answer now */
  let wasUnreachable = false
  /** increases with each scheduled poll, so that late answers to earlier polls are ignored */
  let generation = 0

  function next(delayMs: number, run: () => Promise<void>): void {
    clearTimeout(timer)
    const started = ++generation
    timer = setTimeout(() => void (started === generation && run()), delayMs)
  }

  function end(act: () => void): void {
    isOver = true
    clearTimeout(timer)
    act()
  }

  /** Handles a status, polled or pushed. */
  function handle(status: UpdateStatus): void {
    if (isOver) return
    last = status
    const failed = status.status === 'error'
    if (!hasEnded(status)) {
      if (status.status === 'restarting' && step === 'updating') return restart()
      return show({ step: step === 'restarting' ? 'restarting' : 'updating', status })
    }
    if (wasUnreachable && !failed) return end(reload)
    end(() => show({ step: 'finished', failed, status }))
  }

  async function poll(): Promise<void> {
    const started = generation
    try {
      const status = await askStatus()
      if (isOver || started !== generation) return
      handle(status)
      if (!isOver && step === 'updating') next(pollIntervalMs, poll)
    } catch {
      if (!isOver && started === generation) restart()
    }
  }

  function restart(): void {
    step = 'restarting'
    wasUnreachable = true
    show({ step, status: last })
    awaitHealth(0)
  }

  const awaitHealth = (attempt: number) => next(healthDelayMs(attempt), () => checkHealth(attempt))

  async function checkHealth(attempt: number): Promise<void> {
    const started = generation
    const healthy = await isHealthy().catch(() => false)
    if (isOver || started !== generation) return
    if (!healthy) return step === 'updating' ? restart() : awaitHealth(attempt + 1)
    try {
      const status = await askStatus()
      if (isOver || started !== generation) return
      handle(status)
      // the update continues: the new version is being checked, or the old one still runs
      if (!isOver) awaitHealth(0)
    } catch (error) {
      if (isOver || started !== generation) return
      if (isRefused(error)) end(reload)
      else awaitHealth(attempt + 1)
    }
  }

  show({ step: 'updating', status: undefined })
  void poll()
  return {
    onStatus: handle,
    /** The live connection is back. */
    reconnected() {
      if (isOver) return
      wasUnreachable = true
      next(afterReconnectMs, () => checkHealth(0))
    },
    stop: () => end(() => {}),
  }
}
