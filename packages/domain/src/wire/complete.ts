import { type AnyRecord, type Formula, type Kind, kindOf, type RecordKind } from '@pulse/contract'
import { percentOf } from '../usage.ts'

type Fields = Record<string, unknown>

interface Filling {
  /** the nested object that holds the field */
  within: string | undefined
  field: string
  from: (beside: Fields) => number | undefined
}

/** Unknown when one of what they need is. */
const formulas: Record<Formula, (beside: Fields) => number | undefined> = {
  left: ({ used, total }) => (isNumber(used) && isNumber(total) ? Math.max(0, total - used) : undefined),
  percent: ({ used, total }) => (isNumber(used) && isNumber(total) ? percentOf(used, total) : undefined),
  avail: ({ avail }) => (isNumber(avail) ? avail : undefined),
}

const fillings = new WeakMap<Kind, readonly Filling[]>()

/** Fills in what the wire left out, in place: the reader's own copy may carry it too. */
export function complete(kind: RecordKind, record: Fields): AnyRecord {
  for (const { within, field, from } of fillingsOf(kind)) {
    const holder = within === undefined ? record : (record[within] as Fields | undefined)
    if (!holder) continue
    const value = from(holder)
    if (value === undefined) delete holder[field]
    else holder[field] = value
  }
  return record as AnyRecord
}

function fillingsOf(kind: RecordKind): readonly Filling[] {
  const entry = kindOf(kind)
  let all = fillings.get(entry)
  if (!all) fillings.set(entry, (all = Object.entries(entry.derived ?? {}).map(toFilling)))
  return all
}

function toFilling([path, formula]: [string, Formula]): Filling {
  const dot = path.indexOf('.')
  return {
    within: dot < 0 ? undefined : path.slice(0, dot),
    field: path.slice(dot + 1),
    from: formulas[formula],
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'
