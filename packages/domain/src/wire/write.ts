import {
  type AnyRecord,
  kindsOf,
  type PatchFrame,
  type RecordKind,
  type Slice,
  type SnapshotFrame,
} from '@pulse/contract'
import { type Records, isEqual, type StatePatch } from '../state/patch.ts'
import { atOnce, type InSteps, listInSteps, STEP } from './in-steps.ts'
import { inLines } from './chunks.ts'
import { type FieldRule, type FieldRules, rulesOf } from './rules.ts'

type Fields = Record<string, unknown>
type Columns = Record<string, { i: number[]; v: unknown[] }>

interface Table {
  ids: (string | null)[]
  at: Map<string, number>
  /** The record objects of the state themselves */
  sent: (AnyRecord | null)[]
}

/** One slice as last sent. Turns state patches into frames that all clients share. */
export interface WireWriter {
  readonly rev: number
  /** undefined if nothing differs after rounding; run it to its end before any other call */
  advance(patch: StatePatch): InSteps<PatchFrame | undefined>
  /** an empty frame */
  heartbeat(): PatchFrame
  /** A `SnapshotFrame` as pieces of JSON: the state at the time of the call. */
  snapshot(): InSteps<string[]>
  /** share of the index that points to removed records, 0-1 */
  waste(): number
}

/** For the current records, in one step. */
export function createWireWriter(...given: Parameters<typeof wireWriterInSteps>): WireWriter {
  return atOnce(wireWriterInSteps(...given))
}

/** The same in steps that yield to the event loop. Changes made meanwhile must be applied afterwards. */
export function wireWriterInSteps(
  slice: Slice,
  epoch: string,
  records: { [K in RecordKind]?: Records<AnyRecord> } = {},
): InSteps<WireWriter> {
  const held = kindsOf(slice).map((kind): [RecordKind, Table] => {
    const there = records[kind] ?? new Map<string, AnyRecord>()
    return [kind, { ids: [...there.keys()], at: new Map(), sent: [...there.values()] }]
  })
  function* filled() {
    for (const [, { ids, at }] of held) {
      for (const [n, id] of ids.entries()) {
        at.set(id!, n)
        if (n % STEP === STEP - 1) yield
      }
    }
    return writerOf(slice, epoch, new Map(held))
  }
  return filled()
}

function writerOf(slice: Slice, epoch: string, tables: ReadonlyMap<RecordKind, Table>): WireWriter {
  const kinds = [...tables.keys()]
  let rev = 0

  return {
    get rev() {
      return rev
    },
    *advance(patch) {
      const frame: PatchFrame = { t: 'patch', s: slice, epoch, rev: rev + 1, from: rev }
      for (const kind of kinds) {
        const change = patch[kind]
        if (change) yield* advanceKind(frame, kind, tables.get(kind)!, change)
      }
      if (!frame.add && !frame.remove && !frame.set) return undefined
      rev++
      return frame
    },
    heartbeat: () => ({ t: 'patch', s: slice, epoch, rev, from: rev }),
    snapshot() {
      const held = [...tables]
        .filter(([, { ids }]) => ids.length > 0)
        .map(([kind, { ids, sent }]): Held => [kind, [...ids], [...sent]])
      return snapshotJson({ t: 'snapshot', s: slice, epoch, rev }, held)
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

type Held = [kind: RecordKind, ids: readonly (string | null)[], records: readonly (AnyRecord | null)[]]

function* snapshotJson(
  head: Omit<SnapshotFrame, 'index' | 'state'>,
  held: readonly Held[],
): InSteps<string[]> {
  const index: string[] = []
  const state: string[] = []
  for (const [kind, ids, records] of held) {
    const rules = rulesOf(kind)
    const name = `${index.length > 0 ? ',' : ''}"${kind}":`
    index.push(name, ...(yield* listInSteps(ids)))
    state.push(name, ...(yield* inLines(records, (record) => record && toWire(record as Fields, rules))))
  }
  return [JSON.stringify(head).slice(0, -1), ',"index":{', ...index, '},"state":{', ...state, '}}']
}

function append(table: Table, id: string, record: AnyRecord) {
  table.at.set(id, table.ids.length)
  table.ids.push(id)
  table.sent.push(record)
}

function* advanceKind(
  frame: PatchFrame,
  kind: RecordKind,
  table: Table,
  change: { put: ReadonlyMap<string, AnyRecord>; remove: ReadonlySet<string> },
): InSteps<void> {
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
  const rules = rulesOf(kind)
  let done = 0
  for (const [id, record] of change.put) {
    if (++done % STEP === 0) yield
    const at = table.at.get(id)
    if (at === undefined) {
      append(table, id, record)
      added.push([id, toWire(record as Fields, rules) as AnyRecord])
      continue
    }
    const before = table.sent[at] as Fields
    if (before === (record as Fields)) continue
    collectChanges(columns, at, '', before, record as Fields, rules)
    table.sent[at] = record
  }
  if (removed.length) (frame.remove ??= {})[kind] = removed
  if (added.length) (frame.add ??= {})[kind] = added
  if (Object.keys(columns).length) (frame.set ??= {})[kind] = columns
}

/** Compares values as sent: those that round to the same, or are not sent, have not changed. */
function collectChanges(
  columns: Columns,
  at: number,
  prefix: string,
  before: Fields,
  after: Fields,
  rules: FieldRules,
) {
  for (const key in after) {
    const old = before[key]
    const value = after[key]
    if (old === value || value === undefined) continue
    const rule = rules.get(key)
    if (rule?.dropped) continue
    if (rule?.inner && isObject(old) && isObject(value)) {
      collectChanges(columns, at, `${prefix}${key}.`, old, value, rule.inner)
      continue
    }
    const sent = travelling(value, rule)
    if (!isEqual(travelling(old, rule), sent)) push(columns, prefix + key, at, sent)
  }
  for (const key in before) {
    const isGone = after[key] === undefined && before[key] !== undefined
    if (isGone && !rules.get(key)?.dropped) push(columns, prefix + key, at, null)
  }
}

function push(columns: Columns, path: string, at: number, value: unknown) {
  const column = (columns[path] ??= { i: [], v: [] })
  column.i.push(at)
  column.v.push(value)
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function travelling(value: unknown, rule: FieldRule | undefined): unknown {
  if (!rule) return value
  if (rule.round && typeof value === 'number') return rule.round(value)
  const { inner } = rule
  if (!inner) return value
  if (Array.isArray(value)) return value.map((one) => travelling(one, { inner }))
  return isObject(value) ? toWire(value, inner) : value
}

/** A copy as sent: rounded, without absent and derived fields. */
function toWire(record: Fields, rules: FieldRules): Fields {
  const result: Fields = {}
  for (const key in record) {
    const value = record[key]
    if (value === undefined) continue
    const rule = rules.get(key)
    if (!rule?.dropped) result[key] = travelling(value, rule)
  }
  return result
}
