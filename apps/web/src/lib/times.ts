/** A span of time in epoch ms. */
export interface Span {
  from: number
  to: number
}

/** A time of an address. */
export const readTime = (text: string | null): number | undefined =>
  text && /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** The times of an address, if both are times and in order. */
export function readTimes(from: string | null, to: string | null): Span | undefined {
  const [start, end] = [readTime(from), readTime(to)]
  return start !== undefined && end !== undefined && start < end ? { from: start, to: end } : undefined
}
