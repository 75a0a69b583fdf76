import type { AnyRecord, RecordKind } from '@pulse/contract'
import { type Frame, isEqual, usageOf } from '@pulse/domain'

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

interface Column {
  /** the number of the first record, then differences */
  i: number[]
  v: unknown[]
}

type Fields = Record<string, unknown>

/** The records of a kind since the base, by number; removed ones stay as holes. */
interface Table {
  numbers: Map<string, number>
  entries: (readonly [id: string, record: Fields] | undefined)[]
}

const tableIn = (tables: Map<string, Table>, kind: string): Table => {
  const table = tables.get(kind) ?? { numbers: new Map(), entries: [] }
  tables.set(kind, table)
  return table
}

function append({ numbers, entries }: Table, id: string, record: Fields) {
  numbers.set(id, entries.length)
  entries.push([id, record])
}

function drop({ numbers, entries }: Table, id: string) {
  const number = numbers.get(id)
  if (number === undefined) return
  numbers.delete(id)
  entries[number] = undefined
}

/** Shortens the frames of one sender, in their order. */
export function createFieldWriter(): (frame: Frame) => SentFrame {
  const tables = new Map<string, Table>()
  return (frame) => {
    if (frame.begins) tables.clear()
    const records = Object.entries(frame.records).map(([kind, changes]) => [
      kind,
      shortened(tableIn(tables, kind), changes as SentChanges),
    ])
    return { ...frame, records: Object.fromEntries(records) } as SentFrame
  }
}

function shortened(table: Table, { put, remove }: SentChanges): SentChanges {
  const fresh: SentChanges['put'] = []
  const set = new Map<string, Column>()
  const unset = new Map<string, number[]>()
  const last = new Map<Column, number>()

  function note(field: string, number: number, value: unknown) {
    if (value === undefined) {
      unset.set(field, [...(unset.get(field) ?? []), number])
      return
    }
    const column = set.get(field) ?? { i: [], v: [] }
    set.set(field, column)
    column.i.push(number - (last.get(column) ?? 0))
    column.v.push(value)
    last.set(column, number)
  }

  for (const [id, record] of put) {
    const now = record as unknown as Fields
    const number = table.numbers.get(id)
    if (number === undefined) {
      fresh.push([id, record])
      append(table, id, now)
      continue
    }
    const old = table.entries[number]![1]
    for (const field of changedIn(old, now)) {
      const [before, after] = [own(old, field), own(now, field)]
      if (isPlain(before) && isPlain(after))
        for (const part of changedIn(before, after)) note(`${field}.${part}`, number, own(after, part))
      else note(field, number, after)
    }
    table.entries[number] = [id, now]
  }
  for (const id of remove) drop(table, id)
  return {
    put: fresh,
    remove,
    ...(set.size > 0 && { set: Object.fromEntries(set) }),
    ...(unset.size > 0 && { unset: Object.fromEntries(unset) }),
  }
}

/** A field may be called like one that every object inherits. */
const own = (fields: Fields, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined)

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that have to be named. */
function changedIn(old: Fields, now: Fields): Set<string> {
  const changed = new Set<string>()
  for (const field in now) if (!isEqual(own(old, field), now[field])) changed.add(field)
  for (const field in old) if (own(now, field) === undefined && old[field] !== undefined) changed.add(field)
  const computed = computedIn(now, changed)
  for (const [field, value] of Object.entries(computed ?? {}))
    if (now[field] === value) changed.delete(field)
    else changed.add(field)
  return changed
}

/** What follows from the changes of the two other fields. */
function computedIn({ used, total }: Fields, changed: Pick<ReadonlySet<string>, 'has'>) {
  if (!changed.has('used') && !changed.has('total')) return undefined
  if (typeof used !== 'number' || typeof total !== 'number') return undefined
  const { free, usage } = usageOf(used, total)
  return { free, usage }
}

/** Completes the frames of one sender. `gap`: one before it is missing. Undefined: it came twice. Throws if it is none. */
export function createFieldReader(): (frame: SentFrame) => Frame | 'gap' | undefined {
  const tables = new Map<string, Table>()
  let run: string | undefined
  let sequence = 0
  return (frame) => {
    if (frame.begins) tables.clear()
    else if (frame.run !== run) return 'gap'
    else if (frame.sequence <= sequence) return undefined
    else if (frame.sequence > sequence + 1) return 'gap'
    ;({ run, sequence } = frame)
    const records = Object.entries(frame.records).map(([kind, changes]) => [
      kind,
      completed(tableIn(tables, kind), changes),
    ])
    return { ...frame, records: Object.fromEntries(records) } as Frame
  }
}

function completed(table: Table, { put, remove, set = {}, unset = {} }: SentChanges) {
  /** by number: the values of fields; undefined: the field is no more */
  const changes = new Map<number, Map<string, unknown>>()
  const note = (field: string, number: number, value: unknown) => {
    const noted = changes.get(number) ?? new Map<string, unknown>()
    changes.set(number, noted.set(field, value))
  }
  for (const [field, { i, v }] of Object.entries(set)) {
    let number = 0
    for (const [n, step] of i.entries()) note(field, (number += step), v[n])
  }
  for (const [field, numbers] of Object.entries(unset))
    for (const number of numbers) note(field, number, undefined)

  const all = [...put]
  for (const [number, noted] of changes) {
    const entry = table.entries[number]
    if (!entry) throw new TypeError('a frame changes a record that there is not')
    const record = merged(entry[1], noted)
    table.entries[number] = [entry[0], record]
    all.push([entry[0], record as unknown as AnyRecord])
  }
  for (const [id, record] of put) append(table, id, record as unknown as Fields)
  for (const id of remove) drop(table, id)
  return { put: all, remove }
}

function merged(old: Fields, changes: ReadonlyMap<string, unknown>): Fields {
  const now = new Map<string, unknown>()
  const parts = new Map<string, Map<string, unknown>>()
  for (const [path, value] of changes) {
    const at = path.indexOf('.')
    if (at < 0) {
      now.set(path, value)
      continue
    }
    const field = path.slice(0, at)
    parts.set(field, (parts.get(field) ?? new Map<string, unknown>()).set(path.slice(at + 1), value))
  }
  for (const [field, noted] of parts) now.set(field, withFields((own(old, field) ?? {}) as Fields, noted))
  return withFields(old, now)
}

function withFields(old: Fields, changes: ReadonlyMap<string, unknown>): Fields {
  // fields are own ones, whatever their names
  const now: Fields = { ...old, ...Object.fromEntries(changes) }
  for (const [field, value] of changes) if (value === undefined) delete now[field]
  for (const [field, value] of Object.entries(computedIn(now, changes) ?? {}))
    if (!changes.has(field)) now[field] = value
  return now
}
