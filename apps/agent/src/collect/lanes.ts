/** Does the work of all, at most so many at a time, and keeps their order. What one throws ends it all. */
export async function inLanes<T, R>(
  all: readonly T[],
  most: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async () => {
    while (next < all.length) {
      const at = next++
      results[at] = await work(all[at]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, lane))
  return results
}
