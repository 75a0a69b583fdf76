import type { AnyRecord, RecordKind } from '@pulse/contract'
import { completeAfter, splitPath } from './complete.ts'
import { createLazyValues, type LazyValues } from './lazy-values.ts'

export type Fields = Record<string, unknown>

export interface Table {
  ids: (string | null)[]
  records: (Fields | null)[]
  /** index by id; made when the first field changes */
  indexById: Map<string, number> | undefined
  lazy: LazyValues
  handle: LazyRecords
}

/** `before`: the record as it was last read. */
export type VisitField = (id: string, value: unknown, before: AnyRecord) => void

/** Receives the top-level name of a field and its full path. */
export type FieldFilter = (field: string, path: string) => boolean

export interface ChangedFields {
  has(id: string): boolean
  /** Ids of records with a changed field that `matters`; without a filter, with any change. */
  ids(matters?: FieldFilter): string[]
  /** The newest value of a field for the records in which it changed; `null`: no value. */
  each(path: string, visit: VisitField): void
  records: LazyRecords
}

/** Records of a kind that may have pending values. */
export interface LazyRecords {
  isBehind(id: string): boolean
  /** Writes the pending values into the record, or into a deep copy. */
  renew(id: string, asCopy: boolean): AnyRecord | undefined
}

export function createTable(kind: RecordKind, ids: Table['ids'] = [], records: Table['records'] = []): Table {
  const lazy = createLazyValues(() => records.length)
  const table: Table = { ids, records, indexById: undefined, lazy, handle: undefined as never }
  table.handle = lazyRecordsOf(kind, table)
  return table
}

function lazyRecordsOf(kind: RecordKind, table: Table): LazyRecords {
  const { records, lazy } = table
  const indexOf = (id: string) => indexByIdOf(table).get(id) ?? -1
  return {
    isBehind: (id) => lazy.isDue(indexOf(id)),
    renew(id, asCopy) {
      const at = indexOf(id)
      const old = records[at]
      if (!old) return undefined
      if (!lazy.isDue(at)) return old as AnyRecord
      const record = asCopy ? copyOf(old) : old
      const came: string[] = []
      lazy.take(at, (path, value) => {
        came.push(path)
        assign(record, path, value)
      })
      for (const path of came) completeAfter(kind, path, record)
      records[at] = record
      return record as AnyRecord
    },
  }
}

function indexByIdOf(table: Table): Map<string, number> {
  if (table.indexById) return table.indexById
  const indexById = new Map<string, number>()
  table.ids.forEach((id, at) => id !== null && indexById.set(id, at))
  return (table.indexById = indexById)
}

/** Stores indices instead of values, because it may be read some updates later. */
export function changedFields(
  table: Table,
  columns: [path: string, { i: readonly number[] }][],
): ChangedFields {
  const { ids, records, lazy } = table
  const indices = new Map(columns.map(([path, { i }]) => [path, i]))
  const marked = (matters?: FieldFilter): Uint8Array | undefined => {
    let marks: Uint8Array | undefined
    for (const [path, i] of indices) {
      const [within, field] = splitPath(path)
      if (matters && !matters(within ?? field, path)) continue
      marks ??= new Uint8Array(records.length)
      for (const at of i) marks[at] = 1
    }
    return marks
  }
  let touched: Uint8Array | undefined
  return {
    records: table.handle,
    has: (id) => (touched ??= marked())?.[indexByIdOf(table).get(id) ?? -1] === 1,
    ids(matters) {
      const found: string[] = []
      marked(matters)?.forEach((mark, at) => {
        const id = ids[at]
        if (mark === 1 && id != null) found.push(id)
      })
      return found
    },
    each(path, visit) {
      const newest = lazy.of(path)
      for (const at of indices.get(path) ?? []) {
        const id = ids[at]
        const record = records[at]
        if (id == null || !record) continue
        const came = newest(at)
        visit(id, came === undefined ? (fieldOf(record, path) ?? null) : came, record as AnyRecord)
      }
    },
  }
}

function assign(record: Fields, path: string, value: unknown): void {
  const [within, field] = splitPath(path)
  const holder = within === undefined ? record : ((record[within] ??= {}) as Fields)
  if (value === null) delete holder[field]
  else holder[field] = value
}

function fieldOf(record: Fields, path: string): unknown {
  const [within, field] = splitPath(path)
  return within === undefined ? record[field] : (record[within] as Fields | null | undefined)?.[field]
}

/** A deep copy, because nested objects are written to as well. */
function copyOf(record: Fields): Fields {
  const copy: Fields = { ...record }
  for (const key in copy) {
    const value = copy[key]
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) copy[key] = { ...value }
  }
  return copy
}
