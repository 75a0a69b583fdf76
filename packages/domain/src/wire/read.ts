import type { AnyRecord, DeltaFrame, PatchFrame, RecordKind, RecordOf, SnapshotFrame } from '@pulse/contract'
import type { KindPatch, StatePatch } from '../state/patch.ts'
import { complete } from './complete.ts'
import { type ChangedFields, changedFields, createTable, type Fields, type Table } from './table.ts'

export type { ChangedFields, LazyRecords, FieldFilter, VisitField } from './table.ts'

export interface WireChange {
  /** the frame was a snapshot, so records that are not in `changed` were removed */
  reset: boolean
  changed: WirePatch
}

export type WirePatch = { [K in RecordKind]?: WireKindPatch<RecordOf<K>> }

export interface WireKindPatch<T> extends KindPatch<T> {
  /** existing records with changed fields */
  set?: ChangedFields
}

/** The browser's side of one slice. */
export interface LazyReader {
  /** `gap`: the frame does not build on the previous one, so request a snapshot. */
  read(frame: DeltaFrame): WireChange | 'gap'
}

/** For callers that need a new object for every changed record. */
export function createWireReader() {
  const lazy = createLazyReader()
  return {
    read(frame: DeltaFrame): { reset: boolean; changed: StatePatch } | 'gap' {
      const change = lazy.read(frame)
      if (change === 'gap') return 'gap'
      for (const { put, set } of Object.values(change.changed) as WireKindPatch<AnyRecord>[]) {
        for (const id of set?.ids() ?? []) put.set(id, set!.records.renew(id, true)!)
      }
      return change
    },
  }
}

/** Writes changes into a record only when the record is read. Of thousands, most are not read. */
export function createLazyReader(): LazyReader {
  let epoch: string | undefined
  let rev = -1
  let tables = new Map<RecordKind, Table>()

  /**
   * A failure midway leaves the tables without a revision, so every frame is a gap until the next snapshot.
   */
  function started(read: () => WirePatch): WirePatch {
    epoch = undefined
    return read()
  }

  return {
    read(frame) {
      if (frame.t === 'snapshot') {
        const changed = started(() => load((tables = new Map()), frame))
        ;({ epoch, rev } = frame)
        return { reset: true, changed }
      }
      if (frame.epoch !== epoch || frame.from !== rev) return 'gap'
      const changed = started(() => advance(tables, frame))
      ;({ epoch, rev } = frame)
      return { reset: false, changed }
    },
  }
}

function load(tables: Map<RecordKind, Table>, frame: SnapshotFrame): WirePatch {
  const changed: WirePatch = {}
  for (const kind of Object.keys(frame.index) as RecordKind[]) {
    const ids = frame.index[kind]!
    const records = frame.state[kind]! as (Fields | null)[]
    tables.set(kind, createTable(kind, ids, records))
    const put = new Map<string, AnyRecord>()
    ids.forEach((id, at) => {
      const record = records[at]
      if (id !== null && record) put.set(id, complete(kind, record))
    })
    setKind(changed, kind, { put, remove: new Set() })
  }
  return changed
}

function advance(tables: Map<RecordKind, Table>, frame: PatchFrame): WirePatch {
  const changed: WirePatch = {}
  const touched = new Set([
    ...Object.keys(frame.add ?? {}),
    ...Object.keys(frame.remove ?? {}),
    ...Object.keys(frame.set ?? {}),
  ] as RecordKind[])
  const tableOf = (kind: RecordKind) => {
    let table = tables.get(kind)
    if (!table) tables.set(kind, (table = createTable(kind)))
    return table
  }
  // Checked before the first write, so a refused frame changes no record.
  for (const kind of touched) {
    for (const [id, record] of frame.add?.[kind] ?? [])
      if (!record) throw new Error(`The update adds ${id} to ${kind} without its record`)
    for (const [path, { i, v }] of Object.entries(frame.set?.[kind] ?? {}))
      tableOf(kind).lazy.check(path, i, v)
  }
  for (const kind of touched) setKind(changed, kind, advanceKind(kind, tableOf(kind), frame))
  return changed
}

function advanceKind(kind: RecordKind, table: Table, frame: PatchFrame): WireKindPatch<AnyRecord> {
  const put = new Map<string, AnyRecord>()
  const remove = new Set<string>()
  const { ids, records, lazy } = table
  for (const at of frame.remove?.[kind] ?? []) {
    const id = ids[at]
    if (id != null) {
      remove.add(id)
      table.indexById?.delete(id)
    }
    ids[at] = null
    records[at] = null
    lazy.take(at, () => {})
  }
  const columns = Object.entries(frame.set?.[kind] ?? {})
  for (const [path, { i, v }] of columns) lazy.add(path, i, v)
  const set = columns.length > 0 ? changedFields(table, columns) : undefined
  for (const [id, record] of frame.add?.[kind] ?? []) {
    table.indexById?.set(id, ids.length)
    ids.push(id)
    records.push(record as Fields)
    remove.delete(id)
    put.set(id, complete(kind, record as Fields))
  }
  return { put, remove, ...(set && { set }) }
}

function setKind<K extends RecordKind>(patch: WirePatch, kind: K, change: WireKindPatch<AnyRecord>) {
  ;(patch as Record<K, WireKindPatch<RecordOf<K>>>)[kind] = change as WireKindPatch<RecordOf<K>>
}
