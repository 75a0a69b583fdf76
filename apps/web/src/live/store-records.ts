import type { RecordOf, RecordKind } from '@pulse/contract'
import type { LazyRecords } from '@pulse/domain'

type AnyRecord = RecordOf<RecordKind>

/** The records of one kind. Pending changes are applied to a record when it is read. */
export interface StoreRecords extends ReadonlyMap<string, AnyRecord> {
  /** Like `get`, but the result never changes: a changed record is a new object. */
  getSnapshot(id: string): AnyRecord | undefined
  put(id: string, record: AnyRecord): void
  delete(id: string): boolean
  clear(): void
  /** The pending changes of these records. */
  setSource(source: LazyRecords | undefined): void
}

/**
 * `inPlace`: records without a snapshot are changed in place. This reduces the cost to a third when thousands
 * are read.
 */
export function createStoreRecords(inPlace: boolean): StoreRecords {
  const records = new Map<string, AnyRecord>()
  /** records with a snapshot that a caller holds */
  let snapshots = new WeakSet<AnyRecord>()
  let source: LazyRecords | undefined

  const get = (id: string): AnyRecord | undefined => {
    const record = records.get(id)
    if (!record || !source?.isBehind(id)) return record
    const current = source.renew(id, !inPlace || snapshots.has(record)) as AnyRecord
    if (current !== record) records.set(id, current)
    return current
  }

  function* entries(): Generator<[string, AnyRecord], undefined> {
    for (const id of records.keys()) yield [id, get(id)!]
  }

  function* values(): Generator<AnyRecord, undefined> {
    for (const id of records.keys()) yield get(id)!
  }

  return {
    get size() {
      return records.size
    },
    get,
    has: (id) => records.has(id),
    keys: () => records.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
    forEach(run) {
      for (const [id, record] of entries()) run(record, id, this)
    },
    getSnapshot(id) {
      const record = get(id)
      if (record) snapshots.add(record)
      return record
    },
    put: (id, record) => void records.set(id, record),
    delete: (id) => records.delete(id),
    clear() {
      records.clear()
      snapshots = new WeakSet()
    },
    setSource: (next) => void (source = next),
  }
}
