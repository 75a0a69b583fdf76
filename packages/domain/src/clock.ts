/** Time as a dependency: the real clock in the product, a fake one in tests. */
export interface Clock {
  /** Wall time in epoch ms, for display and stored dates. It may jump. */
  now(): number
  /**
   * Milliseconds since an arbitrary moment of this process. Never goes back, ignores corrections of the wall
   * clock, and includes suspended time. For every duration, age, rate, limit and pause.
   */
  monotonic(): number
  /** Runs once after that many milliseconds. The returned function cancels it. */
  after(ms: number, run: () => void): () => void
}
