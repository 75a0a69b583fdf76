import type { AnyRecord, RecordKind } from '@pulse/contract'
import { type Frame, usageOf } from '@pulse/domain'

/** A frame as it travels: of records that the receiver has, only the changed fields. */
export type SentFrame = Omit<Frame, 'records'> & { records: { [K in RecordKind]?: SentChanges } }

/**
 * A field is `name`, or `name.part` for a part of an object. Records are numbered by kind, in the order in which they
 * were put since the base began. With `used` or `total`, `free` and `usage` are computed unless they are named too.
 */
export interface SentChanges {
  put: [string, AnyRecord][]
  remove: string[]
  set?: Record<string, Column>
  unset?: Record<string, number[]>
}

export interface Column {
  /** the number of the first record, then differences */
  i: number[]
  v: unknown[]
}

export type Fields = Record<string, unknown>

/** The records of a kind since the base, by number; removed ones stay as holes. */
export interface Table {
  numbers: Map<string, number>
  entries: (readonly [id: string, record: Fields] | undefined)[]
}

export const tableIn = (tables: Map<string, Table>, kind: string): Table => {
  const table = tables.get(kind) ?? { numbers: new Map(), entries: [] }
  tables.set(kind, table)
  return table
}

export function append({ numbers, entries }: Table, id: string, record: Fields) {
  numbers.set(id, entries.length)
  entries.push([id, record])
}

export function drop({ numbers, entries }: Table, id: string) {
  const number = numbers.get(id)
  if (number === undefined) return
  numbers.delete(id)
  entries[number] = undefined
}

/** A field may be called like one that every object inherits. */
export const own = (fields: Fields, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined)

export const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What follows from the two other fields. */
export function computedIn({ used, total }: Fields) {
  if (typeof used !== 'number' || typeof total !== 'number') return undefined
  const { free, usage } = usageOf(used, total)
  return { free, usage }
}
