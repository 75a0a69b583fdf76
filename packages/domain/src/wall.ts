import type { Clock } from './clock.ts'

/** Smaller corrections do not change displayed times. */
const noticeableMs = 1_000

/**
 * The offset from monotonic to wall time, for display. Times are stored monotonic. Setting the wall clock
 * therefore shifts all displayed times together, and ages stay right.
 */
export function wallOffset(clock: Clock): () => number {
  let offset = clock.now() - clock.monotonic()
  return () => {
    const current = clock.now() - clock.monotonic()
    if (Math.abs(current - offset) >= noticeableMs) offset = current
    return offset
  }
}
