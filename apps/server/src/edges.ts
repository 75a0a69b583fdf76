import type { Clock } from '@pulse/domain'
import { uptime } from 'node:os'

/** How often the time spent suspended is looked for. */
const lookMs = 1_000
/** Less than this between the two readings is their resolution, not a suspended machine. */
const noticeableMs = 2_000

/**
 * `performance.now()` stands still while the machine is suspended (CLOCK_MONOTONIC on Linux); `os.uptime()` goes on.
 * What the second is ahead of the first is added, so that figures from before the sleep are old after it.
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
 * A timer so late was held up with the whole process. What has come in meanwhile is read before it runs, or a limit would
 * pass for what was in time.
 */
const lateMs = 1_000

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: monotonicReading(
    () => performance.now(),
    () => uptime() * 1000,
  ),
  after(ms, run) {
    const inMs = Math.max(0, ms) // what is due already runs at once
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
