import type { RecordKind } from '@pulse/contract'
import type { LiveReader } from './store.ts'

/** Increases when one of these kinds changes. */
export const versionOf = (live: LiveReader, kinds: readonly RecordKind[]): number =>
  kinds.reduce((sum, kind) => sum + live.version(kind), 0)

/** One value per store, created at the first call. For counters that follow a store's changes. */
export function perStore<T>(create: () => T): (live: LiveReader) => T {
  const values = new WeakMap<LiveReader, { value: T }>()
  return (live) => {
    let entry = values.get(live)
    if (!entry) values.set(live, (entry = { value: create() }))
    return entry.value
  }
}

/**
 * Memoizes a value derived from the records of these kinds: computed once per version, for all callers. A
 * result that equals the previous one keeps its identity.
 */
export function perVersion<T>(
  kinds: readonly RecordKind[],
  compute: (live: LiveReader) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): (live: LiveReader) => T {
  const cacheOf = perStore<{ version: number; result?: { value: T } }>(() => ({ version: -1 }))
  return (live) => {
    const cache = cacheOf(live)
    const version = versionOf(live, kinds)
    if (cache.result && cache.version === version) return cache.result.value
    const value = compute(live)
    if (!cache.result || !isEqual(cache.result.value, value)) cache.result = { value }
    cache.version = version
    return cache.result.value
  }
}

/** Compares members. The `isEqual` for sets, because a comparison by fields would find all sets equal. */
export const sameSet = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && [...a].every((member) => b.has(member))
