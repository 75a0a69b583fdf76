import type { Judging } from '../judging.ts'

/** What nobody has confirmed or denied for that long counts. */
export const longestDoubtMs = 24 * 3_600_000

/**
 * A reason to wait, for a day at most: what is bad fires in the end, also when the source or process that it waits for is dead.
 * `name`: where it is kept since when.
 */
export function boundedDoubt(on: Judging, name: string, reason: string | undefined): string | undefined {
  const since = on.recall<number>(name)
  if (reason === undefined) {
    if (since !== undefined) on.keep(name, undefined)
    return undefined
  }
  if (since === undefined) on.keep(name, on.now)
  const leftMs = Math.min(since ?? on.now, on.now) + longestDoubtMs - on.now
  if (leftMs <= 0) return undefined
  on.recheckIn(leftMs)
  return reason
}
