import type { Clock } from '@pulse/domain'
import { uptime } from 'node:os'

/** Interval of the check for time spent suspended. */
const lookMs = 1_000
/**
 * A smaller difference between the two readings comes from their resolution, not from a suspended machine.
 */
const noticeableMs = 2_000

/**
 * `performance.now()` does not advance while the machine is suspended (CLOCK_MONOTONIC on Linux), but
 * `os.uptime()` does. The difference is added, so that figures from before the suspension count as old after
 * it.
 */
export function monotonicReading(running: () => number, uptimeMs: () => number): () => number {
  const aheadMs = uptimeMs() - running()
  let suspendedMs = 0
  let lookedAt = running()
  return () => {
    const now = running()
    if (now - lookedAt >= lookMs) {
      lookedAt = now
      const foundMs = uptimeMs() - now - aheadMs
      if (foundMs - suspendedMs > noticeableMs) suspendedMs = foundMs
    }
    return now + suspendedMs
  }
}

/**
 * A timer this late means that the whole process was blocked. Pending input is read before the timer runs;
 * otherwise a limit would reject an answer that arrived in time.
 */
const lateMs = 1_000

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: monotonicReading(
    () => performance.now(),
    () => uptime() * 1000,
  ),
  after(ms, run) {
    const inMs = Math.max(0, ms) // a due timer runs immediately
    const dueAt = performance.now() + inMs
    let turn: NodeJS.Immediate | undefined
    const timer = setTimeout(() => {
      if (performance.now() - dueAt < lateMs) run()
      else turn = setImmediate(run)
    }, inMs)
    return () => {
      clearTimeout(timer)
      clearImmediate(turn)
    }
  },
}
