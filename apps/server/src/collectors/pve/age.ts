/**
 * How long an answer counts before its records are marked as stale: here for all facts, and nowhere else.
 * A little more than the rhythm in which each is asked, so that one answer that is late marks nothing.
 */
export const freshMs = {
  /** of the whole cluster: every 10 s */
  listing: 15_000,
  /** of all nodes, while nothing better comes: every half minute */
  nodes: 45_000,
  /** of a node's own guests, while nothing better comes: every minute */
  nodeGuests: 75_000,
  /** a node about itself: every half minute, or every minute while it lists its guests */
  nodeStatus: 90_000,
  /** a node about its storages, which may keep it waiting: every minute and a half */
  nodeStorages: 120_000,
  /** what is asked every few minutes or more seldom: that much longer than its rhythm */
  late: 180_000,
} as const

/** Of the listing, when the user wants it more seldom. */
export const freshForListing = (intervalMs: number): number =>
  Math.max(freshMs.listing, intervalMs + freshMs.listing / 3)

/** The next of these moments that is still to come; Infinity when there is none. */
export function nextOf(now: number, ...moments: (number | undefined)[]): number {
  return moments.reduce<number>(
    (next, moment) => (moment !== undefined && moment >= now && moment < next ? moment : next),
    Infinity,
  )
}
