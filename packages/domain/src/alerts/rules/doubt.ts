import type { Judging } from '../judging.ts'

/** What nobody has confirmed or denied for that long counts. */
export const longestDoubtMs = 24 * 3_600_000

/**
 * A reason to wait, for a day at most: what is bad fires in the end, also when the source or process that it waits for is dead.
 * `name`: where it is kept since when. The day is one of the engine's own running time, whatever clock is set.
 */
export function boundedDoubt(on: Judging, name: string, reason: string | undefined): string | undefined {
  const since = on.recall<number>(name)
  if (reason === undefined) {
    if (since !== undefined) on.keep(name, undefined)
    return undefined
  }
  // older versions kept a date
  if (since === undefined || since > on.runtime) on.keep(name, on.runtime)
  const leftMs = Math.min(since ?? on.runtime, on.runtime) + longestDoubtMs - on.runtime
  if (leftMs <= 0) return undefined
  on.recheckIn(leftMs)
  return reason
}
