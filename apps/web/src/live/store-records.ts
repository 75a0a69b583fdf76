import type { RecordOf, RecordKind } from '@pulse/contract'
import type { LateRecords } from '@pulse/domain'

type AnyOne = RecordOf<RecordKind>

/** The records of one kind, each brought up to date when it is read. */
export interface StoreRecords extends ReadonlyMap<string, AnyOne> {
  /** As `get`, for somebody who may keep it: once it changed the next one is another object. */
  keep(id: string): AnyOne | undefined
  put(id: string, record: AnyOne): void
  delete(id: string): boolean
  clear(): void
  /** Who knows what is late of them. */
  follow(late: LateRecords | undefined): void
}

/** `inPlace`: what nobody keeps changes in place, which costs a third where thousands are looked at. */
export function createStoreRecords(inPlace: boolean): StoreRecords {
  const records = new Map<string, AnyOne>()
  /** those that somebody may keep */
  let kept = new WeakSet<AnyOne>()
  let late: LateRecords | undefined

  const get = (id: string): AnyOne | undefined => {
    const record = records.get(id)
    if (!record || !late?.isBehind(id)) return record
    const renewed = late.renew(id, !inPlace || kept.has(record)) as AnyOne
    if (renewed !== record) records.set(id, renewed)
    return renewed
  }

  function* entries(): Generator<[string, AnyOne], undefined> {
    for (const id of records.keys()) yield [id, get(id)!]
  }

  function* values(): Generator<AnyOne, undefined> {
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
    keep(id) {
      const record = get(id)
      if (record) kept.add(record)
      return record
    },
    put: (id, record) => void records.set(id, record),
    delete: (id) => records.delete(id),
    clear() {
      records.clear()
      kept = new WeakSet()
    },
    follow: (next) => void (late = next),
  }
}
