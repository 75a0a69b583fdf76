import type { Clock } from './clock.ts'

/** Corrections smaller than this are no reason to tell every moment anew. */
const noticeableMs = 1_000

/**
 * What to add to a monotonic moment for its place on the wall clock, as people see it. Moments are kept by the
 * monotonic reading and shown by this, so that whoever sets the wall clock moves them all along and ages stay right.
 */
export function wallOffset(clock: Clock): () => number {
  let offset = clock.now() - clock.monotonic()
  return () => {
    const current = clock.now() - clock.monotonic()
    if (Math.abs(current - offset) >= noticeableMs) offset = current
    return offset
  }
}
