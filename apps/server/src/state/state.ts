import { META_ID, type Meta, type RecordKind, type RecordOf, recordKinds } from '@pulse/contract'
import { isEqual, type KindPatch, type Observation, type StatePatch, type Tables } from '@pulse/domain'

/** The live state: one writer, many readers of its patches. */
export interface State {
  readonly tables: Tables
  readonly meta: Meta
  /** grows with every patch */
  readonly version: number
  /** Replaces everything this source said before about the kinds it names. */
  observe(observation: Observation): void
  /** The source is gone, with all it ever said. */
  forget(source: string): void
  /** Changes the record about the product itself. */
  setMeta(change: Partial<Meta>): void
  subscribe(reader: (patch: StatePatch) => void): () => void
}

type MutableTables = { [K in RecordKind]: Map<string, RecordOf<K>> }

/** A reader that throws hurts neither the others nor the source that spoke; `onReaderError` says so. */
export function createState(initial: Meta, onReaderError: (error: unknown) => void = rethrow): State {
  const tables = Object.fromEntries(recordKinds.map((kind) => [kind, new Map()])) as MutableTables
  const owned = new Map<string, Map<RecordKind, ReadonlyMap<string, unknown>>>()
  const readers = new Set<(patch: StatePatch) => void>()
  let version = 0
  tables.meta.set(META_ID, initial)

  function publish(patch: StatePatch) {
    if (Object.keys(patch).length === 0) return
    version++
    for (const reader of readers) {
      try {
        reader(patch)
      } catch (error) {
        onReaderError(error)
      }
    }
  }

  function replace(source: string, kind: RecordKind, after: ReadonlyMap<string, unknown>, patch: StatePatch) {
    const mine = owned.get(source) ?? new Map<RecordKind, ReadonlyMap<string, unknown>>()
    owned.set(source, mine)
    const before = mine.get(kind)
    if (before === after) return
    const table = tables[kind] as Map<string, unknown>
    const put = new Map<string, unknown>()
    const remove = new Set<string>()
    for (const [id, record] of after) {
      const old = table.get(id)
      if (old === record || isEqual(old, record)) continue
      table.set(id, record)
      put.set(id, record)
    }
    for (const id of before?.keys() ?? []) {
      if (after.has(id)) continue
      table.delete(id)
      remove.add(id)
    }
    mine.set(kind, after)
    if (put.size || remove.size) (patch as Record<RecordKind, KindPatch<unknown>>)[kind] = { put, remove }
  }

  function putMeta(change: Partial<Meta>, patch: StatePatch) {
    const before = tables.meta.get(META_ID)!
    const meta = { ...before, ...change }
    if (isEqual(before, meta)) return
    tables.meta.set(META_ID, meta)
    patch.meta = { put: new Map([[META_ID, meta]]), remove: new Set() }
  }

  return {
    tables,
    get meta() {
      return tables.meta.get(META_ID)!
    },
    get version() {
      return version
    },
    observe({ source, records, state }) {
      const patch: StatePatch = {}
      for (const kind of Object.keys(records) as RecordKind[]) replace(source, kind, records[kind]!, patch)
      if (state) replace(source, 'sources', new Map([[source, state]]), patch)
      publish(patch)
    },
    forget(source) {
      const patch: StatePatch = {}
      for (const kind of owned.get(source)?.keys() ?? []) replace(source, kind, new Map(), patch)
      owned.delete(source)
      publish(patch)
    },
    setMeta(change) {
      const patch: StatePatch = {}
      putMeta(change, patch)
      publish(patch)
    },
    subscribe(reader) {
      readers.add(reader)
      return () => readers.delete(reader)
    },
  }
}

/** Later and on its own, as the error of any listener. */
function rethrow(error: unknown) {
  queueMicrotask(() => {
    throw error
  })
}
