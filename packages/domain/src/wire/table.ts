import type { AnyRecord, RecordKind } from '@pulse/contract'
import { completeAfter, splitPath } from './complete.ts'
import { createLateValues, type LateValues } from './lazy-values.ts'

export type Fields = Record<string, unknown>

export interface Table {
  ids: (string | null)[]
  records: (Fields | null)[]
  /** index by id; made when the first field changes */
  places: Map<string, number> | undefined
  late: LateValues
  handle: LazyRecords
}

/** `before` is the record as it was when somebody last looked at it. */
export type VisitField = (id: string, value: unknown, before: AnyRecord) => void

/** Asked about a field by its name at the top of the record, and by its whole path. */
export type FieldFilter = (field: string, path: string) => boolean

export interface ChangedFields {
  has(id: string): boolean
  /** Of which a field changed that `matters`, without it of which any did: see `FieldFilter`. */
  ids(matters?: FieldFilter): string[]
  /** The newest of one field, of those of which it changed; `null` is none. */
  each(path: string, visit: VisitField): void
  records: LazyRecords
}

/** Records of a kind that may be behind what the wire said of them. */
export interface LazyRecords {
  isBehind(id: string): boolean
  /** Brings one up to date: itself, or a copy of it with the objects in it, which leaves the old one as it was. */
  renew(id: string, asCopy: boolean): AnyRecord | undefined
}

export function createTable(kind: RecordKind, ids: Table['ids'] = [], records: Table['records'] = []): Table {
  const late = createLateValues(() => records.length)
  const table: Table = { ids, records, places: undefined, late, handle: undefined as never }
  table.handle = lateRecords(kind, table)
  return table
}

function lateRecords(kind: RecordKind, table: Table): LazyRecords {
  const { records, late } = table
  const placeOf = (id: string) => placesOf(table).get(id) ?? -1
  return {
    isBehind: (id) => late.isDue(placeOf(id)),
    renew(id, asCopy) {
      const at = placeOf(id)
      const old = records[at]
      if (!old) return undefined
      if (!late.isDue(at)) return old as AnyRecord
      const record = asCopy ? copyOf(old) : old
      const came: string[] = []
      late.take(at, (path, value) => {
        came.push(path)
        assign(record, path, value)
      })
      for (const path of came) completeAfter(kind, path, record)
      records[at] = record
      return record as AnyRecord
    },
  }
}

function placesOf(table: Table): Map<string, number> {
  if (table.places) return table.places
  const places = new Map<string, number>()
  table.ids.forEach((id, at) => id !== null && places.set(id, at))
  return (table.places = places)
}

/** Keeps the indices, not the values: it may be asked some updates later. */
export function changedFields(
  table: Table,
  columns: [path: string, { i: readonly number[] }][],
): ChangedFields {
  const { ids, records, late } = table
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
    has: (id) => (touched ??= marked())?.[placesOf(table).get(id) ?? -1] === 1,
    ids(matters) {
      const found: string[] = []
      marked(matters)?.forEach((mark, at) => {
        const id = ids[at]
        if (mark === 1 && id != null) found.push(id)
      })
      return found
    },
    each(path, visit) {
      const newest = late.of(path)
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

/** With the objects in it, so that these too may be written to. */
function copyOf(record: Fields): Fields {
  const copy: Fields = { ...record }
  for (const key in copy) {
    const value = copy[key]
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) copy[key] = { ...value }
  }
  return copy
}
