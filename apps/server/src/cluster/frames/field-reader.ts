import type { AnyRecord } from '@pulse/contract'
import { type Frame, isEqual } from '@pulse/domain'
import {
  append,
  computedIn,
  drop,
  type Fields,
  isPlain,
  own,
  type SentChanges,
  type SentFrame,
  type Table,
  tableIn,
} from './field-changes.ts'
import { shareTexts } from './shared-texts.ts'

/** Pulse has some twenty. */
const mostKinds = 100

/** The record as the state has it from the same source. */
export type Reported = (kind: string, id: string) => AnyRecord | undefined

export interface Reading {
  /**
   * No other part of the process has any record since the base, so that they need no copies: they change where they are,
   * and the frame does not put them again, unless its sender is bounded.
   */
  isUnseen?: boolean
  /** A base repeats most records; those that are equal are not kept a second time. Not with `isUnseen`. */
  reported?: Reported | undefined
}

export interface FieldReader {
  /** `gap`: a frame before it is missing. Undefined: it came twice. Throws if it is none; then a base has to follow. */
  (frame: SentFrame, reading?: Reading): Frame | 'gap' | undefined
  /** Nothing is known until a base begins. */
  lose(): void
}

/**
 * Completes the frames of one sender. `mostNumbers`: bounds records since a base, also those that were removed again. Other
 * bounds of such a sender need each record that a frame changes.
 */
export function createFieldReader(mostNumbers = Infinity): FieldReader {
  const isBounded = mostNumbers < Infinity
  const tables = new Map<string, Table>()
  let run: string | undefined
  let sequence = 0
  let isInBase = false

  function checkSize() {
    let count = 0
    for (const { entries } of tables.values()) count += entries.length
    if (tables.size > mostKinds || count > mostNumbers) throw new RangeError('a source has too many records')
  }

  function read(frame: SentFrame, { isUnseen = false, reported }: Reading = {}): Frame | 'gap' | undefined {
    if (frame.begins) tables.clear()
    else if (frame.run !== run) return 'gap'
    else if (frame.sequence <= sequence) return undefined
    else if (frame.sequence > sequence + 1) return 'gap'
    ;({ run, sequence } = frame)
    if (frame.begins) isInBase = true
    if (isInBase && reported)
      for (const [kind, { put }] of Object.entries(frame.records)) reuse(put, (id) => reported(kind, id))
    if (frame.completes) isInBase = false
    const records = Object.entries(frame.records).map(([kind, changes]) => [
      kind,
      completed(tableIn(tables, kind), changes, { isUnseen, isBounded }),
    ])
    checkSize()
    return { ...frame, records: Object.fromEntries(records) } as Frame
  }

  return Object.assign(read, {
    lose() {
      tables.clear()
      run = undefined
    },
  })
}

function reuse(put: SentChanges['put'], reported: (id: string) => AnyRecord | undefined) {
  for (const entry of put) {
    const known = reported(entry[0])
    if (known && isEqual(known, entry[1])) entry[1] = known
  }
}

interface Writing {
  isUnseen: boolean
  isBounded: boolean
}

function completed(table: Table, { put, remove, set = {}, unset = {} }: SentChanges, writing: Writing) {
  const changes = createChanges(table, writing)
  for (const [field, { i, v }] of Object.entries(set)) {
    const write = changes.of(field)
    let number = 0
    for (const [n, step] of i.entries()) write((number += step), v[n])
  }
  for (const [field, numbers] of Object.entries(unset)) {
    const write = changes.of(field)
    for (const number of numbers) write(number, undefined)
  }
  const changed = changes.end()
  shareTexts(put)
  for (const [id, record] of put) append(table, id, record as unknown as Fields)
  for (const id of remove) drop(table, id)
  return { put: [...put, ...changed], remove }
}

/** Copies each record and each part of it before its first change, unless they are unseen: the state has the old ones. */
function createChanges(table: Table, { isUnseen, isBounded }: Writing) {
  const records = new Map<number, Fields>()
  const parts = new Set<Fields>()
  /** objects in which `used` or `total` has changed */
  const counted = new Set<Fields>()
  const [free, usage] = [new Set<Fields>(), new Set<Fields>()]
  const notes = new Map(Object.entries({ used: counted, total: counted, free, usage }))

  function recordAt(number: number): Fields {
    const copy = records.get(number)
    if (copy) return copy
    const entry = table.entries[number]
    if (!entry) throw new TypeError('a frame changes a record that there is not')
    if (isUnseen && !isBounded) return entry[1]
    const made = isUnseen ? entry[1] : { ...entry[1] }
    records.set(number, made)
    if (!isUnseen) table.entries[number] = [entry[0], made]
    return made
  }

  function partOf(record: Fields, field: string): Fields {
    const known = own(record, field)
    if (isPlain(known) && (isUnseen || parts.has(known))) return known
    const made = isPlain(known) ? { ...known } : {}
    parts.add(made)
    assign(record, field, made)
    return made
  }

  return {
    /** Writes one field of records; undefined: it is no more. */
    of(path: string) {
      const at = path.indexOf('.')
      const [field, part] = at < 0 ? [path] : [path.slice(0, at), path.slice(at + 1)]
      const name = part ?? field!
      const noted = notes.get(name)
      return (number: number, value: unknown) => {
        const record = recordAt(number)
        const target = part === undefined ? record : partOf(record, field!)
        if (value === undefined) delete target[name]
        else assign(target, name, value)
        noted?.add(target)
      }
    },
    end(): SentChanges['put'] {
      for (const target of counted) {
        const computed = computedIn(target)
        if (!computed) continue
        if (!free.has(target)) target['free'] = computed.free
        if (!usage.has(target)) target['usage'] = computed.usage
      }
      return [...records].map(([number, record]) => [
        table.entries[number]![0],
        record as unknown as AnyRecord,
      ])
    },
  }
}

/** A field of its own, also if it is called like the prototype. */
function assign(fields: Fields, name: string, value: unknown) {
  if (name !== '__proto__') fields[name] = value
  else Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true })
}
