/** Work in steps. The runner may yield to the event loop between them. */
export type InSteps<T> = Generator<undefined, T>

/** Records per step: about a millisecond. */
export const STEP = 200

/** Runs all steps at once. */
export function atOnce<T>(work: Iterator<unknown, T, undefined>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** JSON in chunks. Only lists are long, so they are written some records at a time, nested ones too. */
export function* jsonInSteps(value: unknown): InSteps<string[]> {
  if (Array.isArray(value)) return value.length > STEP ? yield* listInSteps(value) : [JSON.stringify(value)]
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)]
  const pieces: string[] = []
  for (const [name, inner] of Object.entries(value)) {
    pieces.push(`${pieces.length > 0 ? ',' : '{'}${JSON.stringify(name)}:`, ...(yield* jsonInSteps(inner)))
  }
  return pieces.length > 0 ? [...pieces, '}'] : ['{}']
}

/** Converts each item in its step. */
export function* listInSteps<T>(list: readonly T[], made: (item: T) => unknown = same): InSteps<string[]> {
  const pieces = ['[']
  for (let from = 0; from < list.length; from += STEP) {
    const some = JSON.stringify(list.slice(from, from + STEP).map(made)).slice(1, -1)
    pieces.push(from > 0 ? `,${some}` : some)
    yield
  }
  return [...pieces, ']']
}

const same = (item: unknown) => item

/** Sorts in steps of a fixed number of records. */
export function* sortedInSteps<T>(
  list: readonly T[],
  compare: (a: T, b: T) => number,
): InSteps<readonly T[]> {
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
): InSteps<readonly T[]> {
  // Most lists arrive nearly sorted.
  if (a.length === 0 || b.length === 0 || compare(a.at(-1)!, b[0]!) <= 0) return a.concat(b)
  const merged: T[] = []
  let [i, k] = [0, 0]
  while (i < a.length && k < b.length) {
    merged.push(compare(a[i]!, b[k]!) <= 0 ? a[i++]! : b[k++]!)
    if (merged.length % STEP === 0) yield
  }
  return merged.concat(a.slice(i), b.slice(k))
}
