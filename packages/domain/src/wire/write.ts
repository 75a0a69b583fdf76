import {
  type AnyRecord,
  kindsOf,
  type PatchFrame,
  type RecordKind,
  type Slice,
  type SnapshotFrame,
} from '@pulse/contract'
import { type Records, isEqual, type StatePatch } from '../state/patch.ts'
import { type WireFields, wireFields } from './fields.ts'

type Fields = Record<string, unknown>
type Columns = Record<string, { i: number[]; v: unknown[] }>

interface Table {
  ids: (string | null)[]
  at: Map<string, number>
  sent: (Fields | null)[]
}

/** One slice as it was last sent to everybody: turns state patches into frames that all clients share. */
export interface WireWriter {
  readonly rev: number
  /** undefined when nothing differs after rounding */
  advance(patch: StatePatch): PatchFrame | undefined
  /** a frame that says only "nothing changed" */
  heartbeat(): PatchFrame
  snapshot(): SnapshotFrame
  /** part of the index that points at removed records, 0-1 */
  waste(): number
}

export function createWireWriter(
  slice: Slice,
  epoch: string,
  records: { [K in RecordKind]?: Records<AnyRecord> } = {},
): WireWriter {
  const kinds = kindsOf(slice)
  const tables = new Map(kinds.map((kind) => [kind, emptyTable()]))
  let rev = 0
  for (const kind of kinds) {
    for (const [id, record] of records[kind] ?? []) append(tables.get(kind)!, id, toWire(kind, record))
  }

  return {
    get rev() {
      return rev
    },
    advance(patch) {
      const frame: PatchFrame = { t: 'patch', s: slice, epoch, rev: rev + 1, from: rev }
      for (const kind of kinds) {
        const change = patch[kind]
        if (change) advanceKind(frame, kind, tables.get(kind)!, change)
      }
      if (!frame.add && !frame.remove && !frame.set) return undefined
      rev++
      return frame
    },
    heartbeat: () => ({ t: 'patch', s: slice, epoch, rev, from: rev }),
    snapshot() {
      const frame: SnapshotFrame = { t: 'snapshot', s: slice, epoch, rev, index: {}, state: {} }
      for (const [kind, table] of tables) {
        if (table.ids.length === 0) continue
        frame.index[kind] = table.ids
        frame.state[kind] = table.sent as (AnyRecord | null)[]
      }
      return frame
    },
    waste() {
      let all = 0
      let live = 0
      for (const table of tables.values()) {
        all += table.ids.length
        live += table.at.size
      }
      return all === 0 ? 0 : 1 - live / all
    },
  }
}

const emptyTable = (): Table => ({ ids: [], at: new Map(), sent: [] })

function append(table: Table, id: string, record: Fields) {
  table.at.set(id, table.ids.length)
  table.ids.push(id)
  table.sent.push(record)
}

function advanceKind(
  frame: PatchFrame,
  kind: RecordKind,
  table: Table,
  change: { put: ReadonlyMap<string, AnyRecord>; remove: ReadonlySet<string> },
) {
  const removed: number[] = []
  for (const id of change.remove) {
    const at = table.at.get(id)
    if (at === undefined) continue
    table.at.delete(id)
    table.ids[at] = null
    table.sent[at] = null
    removed.push(at)
  }
  const added: [string, AnyRecord][] = []
  const columns: Columns = {}
  const fields = wireFields[kind]
  for (const [id, record] of change.put) {
    const next = toWire(kind, record)
    const at = table.at.get(id)
    if (at === undefined) {
      append(table, id, next)
      added.push([id, next as AnyRecord])
      continue
    }
    collectChanges(columns, at, table.sent[at]!, next, fields)
    table.sent[at] = next
  }
  if (removed.length) (frame.remove ??= {})[kind] = removed
  if (added.length) (frame.add ??= {})[kind] = added
  if (Object.keys(columns).length) (frame.set ??= {})[kind] = columns
}

function collectChanges(columns: Columns, at: number, before: Fields, after: Fields, fields: WireFields) {
  for (const key in after) {
    const old = before[key]
    const value = after[key]
    if (old === value) continue
    if (isObject(old) && isObject(value) && fields.nested.includes(key)) {
      compareFlat(columns, at, `${key}.`, old, value)
    } else if (!isEqual(old, value)) {
      push(columns, key, at, value)
    }
  }
  for (const key in before) if (!(key in after)) push(columns, key, at, null)
}

function compareFlat(columns: Columns, at: number, prefix: string, before: Fields, after: Fields) {
  for (const key in after) if (!isEqual(before[key], after[key])) push(columns, prefix + key, at, after[key])
  for (const key in before) if (!(key in after)) push(columns, prefix + key, at, null)
}

function push(columns: Columns, path: string, at: number, value: unknown) {
  const column = (columns[path] ??= { i: [], v: [] })
  column.i.push(at)
  column.v.push(value)
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy as it travels: rounded, without absent and derived fields. */
function toWire(kind: RecordKind, record: AnyRecord): Fields {
  const fields = wireFields[kind]
  return copy(record as Fields, '', fields)
}

function copy(source: Fields, prefix: string, fields: WireFields): Fields {
  const result: Fields = {}
  for (const key in source) {
    const value = source[key]
    if (value === undefined) continue
    const path = prefix + key
    if (fields.derived.includes(path)) continue
    if (typeof value === 'number') {
      const round = fields.round[path]
      result[key] = round ? round(value) : value
    } else if (prefix === '' && isObject(value) && fields.nested.includes(key)) {
      result[key] = copy(value, `${key}.`, fields)
    } else {
      result[key] = value
    }
  }
  return result
}
