import type { Clock } from '@pulse/domain'

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    // what is due already runs at once
    const timer = setTimeout(run, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}
