import type { Judging } from '../judging.ts'

/** A doubt ends after this time. */
export const longestDoubtMs = 24 * 3_600_000

/**
 * A reason to hold a condition for at most a day. The condition then fires, even if the source or process
 * that it waits for never returns. `name`: the stored start of the doubt. The day counts the runtime of the
 * engine, independent of the wall clock.
 */
export function boundedDoubt(on: Judging, name: string, reason: string | undefined): string | undefined {
  const since = on.recall<number>(name)
  if (reason === undefined) {
    if (since !== undefined) on.keep(name, undefined)
    return undefined
  }
  // older versions stored a date
  if (since === undefined || since > on.runtime) on.keep(name, on.runtime)
  const leftMs = Math.min(since ?? on.runtime, on.runtime) + longestDoubtMs - on.runtime
  if (leftMs <= 0) return undefined
  on.recheckIn(leftMs)
  return reason
}
