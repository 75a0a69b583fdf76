/** What is done between two of its stops takes about a millisecond. */
export const STEP = 200

/** Sorts without holding up anybody: stops after every so many records. */
export function* sortedInSteps<T>(
  list: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<undefined, readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let from = 0; from < list.length; from += STEP) {
    runs.push(list.slice(from, from + STEP).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let n = 0; n < runs.length; n += 2) {
      merged.push(n + 1 < runs.length ? yield* mergedInSteps(runs[n]!, runs[n + 1]!, compare) : runs[n]!)
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedInSteps<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<undefined, readonly T[]> {
  // Most lists come nearly in order.
  if (a.length === 0 || b.length === 0 || compare(a.at(-1)!, b[0]!) <= 0) return a.concat(b)
  const merged: T[] = []
  let [i, k] = [0, 0]
  while (i < a.length && k < b.length) {
    merged.push(compare(a[i]!, b[k]!) <= 0 ? a[i++]! : b[k++]!)
    if (merged.length % STEP === 0) yield
  }
  return merged.concat(a.slice(i), b.slice(k))
}
