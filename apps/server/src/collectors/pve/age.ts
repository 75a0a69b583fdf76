/**
 * The time until the records of an answer are marked as stale, for all facts. Each is slightly longer than
 * the polling interval, so that one late answer marks nothing.
 */
export const freshMs = {
  /** of the whole cluster: every 10 s */
  listing: 15_000,
  /** of all nodes, if no better source answers: every half minute */
  nodes: 45_000,
  /** of a node's own guests, if no better source answers: every minute */
  nodeGuests: 75_000,
  /** a node's own status: every half minute, or every minute while the node lists its guests */
  nodeStatus: 90_000,
  /** a node's storages, which may answer slowly: every minute and a half */
  nodeStorages: 120_000,
  /** added to the interval of anything polled every few minutes or less often */
  late: 180_000,
} as const

/** For the listing, if the settings have a longer interval. */
export const freshForListing = (intervalMs: number): number =>
  Math.max(freshMs.listing, intervalMs + freshMs.listing / 3)

/** The earliest of these times that is not past; Infinity if there is none. */
export function nextOf(now: number, ...moments: (number | undefined)[]): number {
  return moments.reduce<number>(
    (next, moment) => (moment !== undefined && moment >= now && moment < next ? moment : next),
    Infinity,
  )
}
