/** A try that failed is made again after that. */
export interface BackOff {
  /** how often soon, the pause doubling each time */
  quickTries: number
  firstPauseMs: number
}

const longestQuickMs = 30_000
const longestMs = 5 * 60_000
/** Nobody waits longer than the tenth part of what it has failed for, so that whoever comes back is soon heard. */
const shareOfOutage = 0.08
const jitterShare = 0.2
/** Two tries of one way out are never closer than that. */
export const leastPauseMs = 1_000

/** ms; `random` is from 0 to 1: whoever fails together does not come again together. */
export function pauseAfter(
  { quickTries, firstPauseMs }: BackOff,
  { failures, failingMs, random }: { failures: number; failingMs: number; random: number },
): number {
  const quick = Math.min(longestQuickMs, firstPauseMs * 2 ** (failures - 1))
  const pause =
    failures <= quickTries ? quick : Math.max(longestQuickMs, Math.min(longestMs, failingMs * shareOfOutage))
  return Math.ceil(Math.max(leastPauseMs, pause * (1 - jitterShare * random)))
}
