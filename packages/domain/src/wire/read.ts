import type { AnyRecord, DeltaFrame, PatchFrame, RecordKind, RecordOf, SnapshotFrame } from '@pulse/contract'
import type { KindPatch, StatePatch } from '../state/patch.ts'
import { complete, completeAfter, splitPath } from './complete.ts'

type Fields = Record<string, unknown>

type IsHeld = (kind: RecordKind, id: string) => boolean

interface Table {
  ids: (string | null)[]
  records: (Fields | null)[]
}

export interface WireChange {
  /** the frame was a snapshot: everything not in `changed` is gone */
  reset: boolean
  changed: StatePatch
}

/** The browser's half of one slice. */
export interface WireReader {
  /** `gap` when the frame does not build on what was read before: ask for a snapshot. */
  read(frame: DeltaFrame): WireChange | 'gap'
}

/**
 * `isHeld` says whether somebody may compare a record with what it was: a changed one is another object then. All
 * others change in place, which for thousands of them that nobody looks at costs a third.
 */
export function createWireReader(isHeld: IsHeld = () => true): WireReader {
  let epoch: string | undefined
  let rev = -1
  let tables = new Map<RecordKind, Table>()

  /** What fails half-way leaves tables that fit no revision: until a snapshot every frame is a gap. */
  function started(read: () => StatePatch): StatePatch {
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
      const changed = started(() => advance(tables, frame, isHeld))
      ;({ epoch, rev } = frame)
      return { reset: false, changed }
    },
  }
}

function load(tables: Map<RecordKind, Table>, frame: SnapshotFrame): StatePatch {
  const changed: StatePatch = {}
  for (const kind of Object.keys(frame.index) as RecordKind[]) {
    const ids = frame.index[kind]!
    const records = frame.state[kind]! as (Fields | null)[]
    tables.set(kind, { ids, records })
    const put = new Map<string, AnyRecord>()
    ids.forEach((id, at) => {
      const record = records[at]
      if (id !== null && record) put.set(id, complete(kind, record))
    })
    setKind(changed, kind, { put, remove: new Set() })
  }
  return changed
}

function advance(tables: Map<RecordKind, Table>, frame: PatchFrame, isHeld: IsHeld): StatePatch {
  const changed: StatePatch = {}
  const touched = new Set([
    ...Object.keys(frame.add ?? {}),
    ...Object.keys(frame.remove ?? {}),
    ...Object.keys(frame.set ?? {}),
  ] as RecordKind[])
  for (const kind of touched) {
    let table = tables.get(kind)
    if (!table) tables.set(kind, (table = { ids: [], records: [] }))
    setKind(changed, kind, advanceKind(kind, table, frame, isHeld))
  }
  return changed
}

function advanceKind(
  kind: RecordKind,
  table: Table,
  frame: PatchFrame,
  isHeld: IsHeld,
): KindPatch<AnyRecord> {
  const put = new Map<string, AnyRecord>()
  const remove = new Set<string>()
  for (const at of frame.remove?.[kind] ?? []) {
    const id = table.ids[at]
    if (id != null) remove.add(id)
    table.ids[at] = null
    table.records[at] = null
  }
  const { ids, records } = table
  const columns = Object.entries(frame.set?.[kind] ?? {})
  const touched = new Uint8Array(records.length)
  for (const [, { i }] of columns) {
    for (const at of i) {
      const old = records[at]
      if (!old || touched[at]) continue
      touched[at] = 1
      const id = ids[at]!
      const record = isHeld(kind, id) ? copyOf(old) : old
      records[at] = record
      put.set(id, record as AnyRecord)
    }
  }
  for (const [path, { i, v }] of columns) {
    const [parent, field] = splitPath(path)
    for (let n = 0; n < i.length; n++) {
      const record = records[i[n]!]
      if (record) assign(parent === undefined ? record : innerOf(record, parent), field, v[n])
    }
  }
  for (const [path, { i }] of columns) completeAfter(kind, path, records, i)
  for (const [id, record] of frame.add?.[kind] ?? []) {
    table.ids.push(id)
    table.records.push(record as Fields)
    remove.delete(id)
    put.set(id, complete(kind, record as Fields))
  }
  return { put, remove }
}

function assign(record: Fields, key: string, value: unknown) {
  if (value === null) delete record[key]
  else record[key] = value
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

const innerOf = (record: Fields, parent: string) => (record[parent] ??= {}) as Fields

function setKind<K extends RecordKind>(patch: StatePatch, kind: K, change: KindPatch<AnyRecord>) {
  ;(patch as Record<K, KindPatch<RecordOf<K>>>)[kind] = change as KindPatch<RecordOf<K>>
}
