import type { Moment } from './condition.ts'

/** Corrections smaller than this are followed at once. */
const smallMs = 60_000
/** A clock that was set is believed when it has said the same for a day. */
const believedAfterMs = 24 * 3_600_000

/**
 * The date by which it is judged how old something is. Somebody who sets the wall clock three days forward has not
 * made every backup three days older: such a step is not followed before it has lasted for a day.
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
