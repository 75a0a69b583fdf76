import { type AnyRecord, kindOf, type RecordKind, recordKinds } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'

/** One list of the documented state. */
export interface PlainList {
  kind: RecordKind
  /** with a dot when it lies in another */
  name: string
  records: readonly AnyRecord[]
}

/** All lists as they are now, empty ones too. */
export function plainLists(tables: Tables): PlainList[] {
  return recordKinds().flatMap((kind) => {
    const place = kindOf(kind).plain
    if (!place) return []
    const all: AnyRecord[] = [...tables[kind].values()]
    if (typeof place.list === 'string') return [{ kind, name: place.list, records: all }]
    const { by, of } = place.list
    const byWord = Map.groupBy(all, (record) => wordIn(record, by))
    return Object.entries(of).map(([word, name]) => ({ kind, name, records: byWord.get(word) ?? [] }))
  })
}

/** By the fields that the table names; a minus before one turns it round. */
export function comparison(order: readonly string[] = []): (a: AnyRecord, b: AnyRecord) => number {
  const fields = order.map((name) => ({ name: name.replace('-', ''), sign: name.startsWith('-') ? -1 : 1 }))
  return (a, b) => {
    for (const { name, sign } of fields) {
      const [left, right] = [a[name as never] as string, b[name as never] as string]
      if (left < right) return -sign
      if (left > right) return sign
    }
    return 0
  }
}

export const wordIn = (record: AnyRecord, field: string): string => String(record[field as never])
