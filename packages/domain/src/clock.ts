/** Time as an argument: the real one in the product, a driven one in tests. */
export interface Clock {
  /** Wall time in epoch milliseconds, for display and stored dates. It may jump. */
  now(): number
  /**
   * Milliseconds since some fixed moment of this process; never goes back, follows no correction of the wall
   * clock, and counts time spent suspended. For every duration, age, rate, limit and pause.
   */
  monotonic(): number
  /** Runs once after that many milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}
