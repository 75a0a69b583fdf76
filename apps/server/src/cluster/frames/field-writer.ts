import { type Frame, isEqual } from '@pulse/domain'
import {
  append,
  type Column,
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

/** The fields that have to be named. */
function changedIn(old: Fields, now: Fields): Set<string> {
  const changed = new Set<string>()
  for (const field in now) if (!isEqual(own(old, field), now[field])) changed.add(field)
  for (const field in old) if (own(now, field) === undefined && old[field] !== undefined) changed.add(field)
  const computed = changed.has('used') || changed.has('total') ? computedIn(now) : undefined
  for (const [field, value] of Object.entries(computed ?? {}))
    if (now[field] === value) changed.delete(field)
    else changed.add(field)
  return changed
}
