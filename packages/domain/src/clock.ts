/** Time as an argument: the real one in the product, a driven one in tests. */
export interface Clock {
  /** epoch milliseconds */
  now(): number
  /** Runs once after that many milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}
