import type { Moment } from './condition.ts'

/** Smaller corrections apply at once. */
const smallMs = 60_000
/** A step of the clock applies after this time. */
const believedAfterMs = 24 * 3_600_000

/**
 * The date for ages. Setting the wall clock three days ahead must not age every backup by three days. A step
 * of the clock therefore applies only after it has lasted for a day.
 */
export function dateClock(first: Moment): (moment: Moment) => number {
  let offset = first.now - first.monotonic
  let step: { offset: number; since: number } | undefined
  return ({ now, monotonic }) => {
    const current = now - monotonic
    if (Math.abs(current - offset) < smallMs) {
      offset = current
      step = undefined
    } else if (!step || Math.abs(current - step.offset) >= smallMs) {
      step = { offset: current, since: monotonic }
    } else if (monotonic - step.since >= believedAfterMs) {
      offset = current
      step = undefined
    }
    return monotonic + offset
  }
}
