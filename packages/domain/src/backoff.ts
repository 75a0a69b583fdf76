/** Exponential backoff without jitter: the pause after this many consecutive failures, up to the longest. */
export function exponentialBackoffMs(
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
  failures: number,
): number {
  const doublings = Math.min(Math.max(0, failures - 1), 32)
  return Math.min(longestMs, firstMs * 2 ** doublings)
}
