import { type AnyRecord, type Formula, type Kind, kindOf, type RecordKind } from '@pulse/contract'
import { percentOf } from '../usage.ts'

type Fields = Record<string, unknown>

interface Filling {
  /** the nested object that has the field, or the list of objects that have it */
  within: string | undefined
  field: string
  from: (beside: Fields) => number | undefined
}

/** Undefined if any input is unknown. */
const formulas: Record<Formula, (beside: Fields) => number | undefined> = {
  left: ({ used, total }) => (isNumber(used) && isNumber(total) ? Math.max(0, total - used) : undefined),
  percent: ({ used, total }) => (isNumber(used) && isNumber(total) ? percentOf(used, total) : undefined),
  avail: ({ avail }) => (isNumber(avail) ? avail : undefined),
}

const fillings = new WeakMap<Kind, readonly Filling[]>()

/** Fills in the fields that the wire omits, in place. The reader's own copy may have them already. */
export function complete(kind: RecordKind, record: Fields): AnyRecord {
  for (const filling of fillingsOf(kind)) fill(record, filling)
  return record as AnyRecord
}

/** The same after a change of one field: computes only its dependents. */
export function completeAfter(kind: RecordKind, path: string, record: Fields): void {
  const parent = splitPath(path)[0]
  for (const filling of fillingsOf(kind)) {
    if (filling.within === parent || filling.within === path) fill(record, filling)
  }
}

function fill(record: Fields, filling: Filling): void {
  const { within } = filling
  const holder = within === undefined ? record : (record[within] as Fields | Fields[] | undefined)
  if (Array.isArray(holder)) for (const one of holder) fillIn(one, filling)
  else if (holder) fillIn(holder, filling)
}

function fillIn(holder: Fields, { field, from }: Filling): void {
  const value = from(holder)
  if (value !== undefined) holder[field] = value
  // deleting a field makes an object slow in V8 forever
  else if (field in holder) delete holder[field]
}

type Path = readonly [within: string | undefined, field: string]

const paths = new Map<string, Path>()

/** 'memory.used' is `used` within `memory`. The cache is bounded by the number of fields. */
export function splitPath(path: string): Path {
  let parts = paths.get(path)
  if (!parts) {
    const dot = path.indexOf('.')
    parts = dot < 0 ? [undefined, path] : [path.slice(0, dot), path.slice(dot + 1)]
    paths.set(path, parts)
  }
  return parts
}

function fillingsOf(kind: RecordKind): readonly Filling[] {
  const entry = kindOf(kind)
  let all = fillings.get(entry)
  if (!all) fillings.set(entry, (all = Object.entries(entry.derived ?? {}).map(toFilling)))
  return all
}

function toFilling([path, formula]: [string, Formula]): Filling {
  const [within, field] = splitPath(path)
  return { within, field, from: formulas[formula] }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'
