type Entry = [name: string, value: unknown]

export interface UsablePart {
  value: unknown
  /** paths of the entries that are left out, such as `schedule.days.monday` */
  unusable: string[]
}

/**
 * The part of a JSON value that a predicate accepts, without the entries that it refuses at any depth. Halves
 * are tested first, so that one bad entry among thousands costs a dozen tests. Undefined when the predicate
 * refuses even the empty form.
 */
export function usablePart(value: unknown, isUsable: (part: unknown) => boolean): UsablePart | undefined {
  if (isUsable(value)) return { value, unusable: [] }
  if (typeof value !== 'object' || value === null || !isUsable(formOf(value, []))) return undefined
  const kept: Entry[] = []
  const unusable: string[] = []

  const add = (entries: Entry[]): void => {
    if (entries.length === 0) return
    if (isUsable(formOf(value, [...kept, ...entries]))) return void kept.push(...entries)
    if (entries.length > 1) {
      const half = entries.length >> 1
      add(entries.slice(0, half))
      return add(entries.slice(half))
    }
    const [name, inner] = entries[0]!
    const part = usablePart(inner, (candidate) => isUsable(formOf(value, [...kept, [name, candidate]])))
    if (part) kept.push([name, part.value])
    unusable.push(...(part ? part.unusable.map((path) => `${name}.${path}`) : [name]))
  }

  // An entry that contains others may depend on a plain one, such as a threshold on its margin.
  const entries = Object.entries(value)
  const isPlain = ([, inner]: Entry) => typeof inner !== 'object' || inner === null
  add(
    Array.isArray(value) ? entries : [...entries.filter(isPlain), ...entries.filter((one) => !isPlain(one))],
  )
  return { value: formOf(value, kept), unusable }
}

const formOf = (like: object, entries: readonly Entry[]): unknown =>
  Array.isArray(like) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
