import type { RecordKind, RecordOf } from '@pulse/contract'

/** The changes between two states, as a value that can be sent, merged and applied. */
export type StatePatch = { [K in RecordKind]?: KindPatch<RecordOf<K>> }

export interface KindPatch<T> {
  put: Map<string, T>
  remove: Set<string>
}

export type Records<T> = ReadonlyMap<string, T>

/** Undefined without a difference. Records that are equal by value are unchanged. */
export function diffRecords<T>(before: Records<T>, after: Records<T>): KindPatch<T> | undefined {
  const put = new Map<string, T>()
  const remove = new Set<string>()
  for (const [id, record] of after) {
    const old = before.get(id)
    if (old === undefined || !isEqual(old, record)) put.set(id, record)
  }
  for (const id of before.keys()) if (!after.has(id)) remove.add(id)
  return put.size || remove.size ? { put, remove } : undefined
}

/** Untouched records keep their identity, so readers can compare with ===. */
export function applyRecords<T>(records: Records<T>, { put, remove }: KindPatch<T>): Map<string, T> {
  const next = new Map(records)
  for (const id of remove) next.delete(id)
  for (const [id, record] of put) next.set(id, record)
  return next
}

/** By value, for JSON-like data. A field set to undefined equals an absent one. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => isEqual(v, b[i]))
    )
  }
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  for (const key in left) if (!isEqual(left[key], right[key])) return false
  for (const key in right) {
    if (right[key] === undefined) continue
    // a label may be called like what every object inherits, such as `constructor`
    if (left[key] === undefined || typeof left[key] === 'function') return false
  }
  return true
}

/** One patch with the effect of `first` and then `second`. Neither is changed. */
export function mergePatches(first: StatePatch, second: StatePatch): StatePatch {
  const merged: StatePatch = { ...first }
  for (const kind of Object.keys(second) as RecordKind[]) {
    const before = first[kind] as KindPatch<unknown> | undefined
    const after = second[kind] as KindPatch<unknown>
    ;(merged as Record<RecordKind, KindPatch<unknown>>)[kind] = before ? mergeKind(before, after) : after
  }
  return merged
}

function mergeKind<T>(first: KindPatch<T>, second: KindPatch<T>): KindPatch<T> {
  const merged = { put: new Map(first.put), remove: new Set(first.remove) }
  addKind(merged, second)
  return merged
}

/**
 * Merges the given kinds of `patch` into a patch that only the caller has. Returns whether there was a
 * change. The cost depends on `patch` alone.
 */
export function takeInto(own: StatePatch, patch: StatePatch, kinds: readonly RecordKind[]): boolean {
  let isAny = false
  for (const kind of kinds) {
    const change = patch[kind] as KindPatch<unknown> | undefined
    if (!change) continue
    isAny = true
    const owns = own as Record<RecordKind, KindPatch<unknown>>
    addKind((owns[kind] ??= { put: new Map(), remove: new Set() }), change)
  }
  return isAny
}

function addKind<T>(own: KindPatch<T>, { put, remove }: KindPatch<T>): void {
  for (const [id, record] of put) {
    own.put.set(id, record)
    own.remove.delete(id)
  }
  for (const id of remove) {
    own.put.delete(id)
    own.remove.add(id)
  }
}
