import { splitPath } from './complete.ts'

/**
 * Received values that are not written into their records yet: an update has thousands, and a page shows a
 * few dozen. They are stored by field, the newest per record. A record gets its values when it is read.
 */
export interface LazyValues {
  /** Throws if the update refers to an unknown record or field, before it writes anything. */
  check(path: string, indices: readonly number[], values: readonly unknown[]): void
  add(path: string, indices: readonly number[], values: readonly unknown[]): void
  isDue(at: number): boolean
  /** Reads the newest value of a field. undefined: the record has it already. `null`: removed. */
  of(path: string): (at: number) => unknown
  /** Writes the pending values of a record, objects before their fields. */
  take(at: number, write: (path: string, value: unknown) => void): void
}

interface Column {
  path: string
  within: string | undefined
  /** by index: none, a number, or one of `others` */
  states: Uint8Array
  /** most fields of an update are numbers, and a typed array causes no garbage collection */
  numbers: Float64Array
  others: Map<number, unknown>
}

const NOTHING = 0
const NUMBER = 1
const OTHER = 2

/** `size`: the number of records, which may grow. */
export function createLazyValues(size: () => number): LazyValues {
  /** columns of whole fields before columns of nested fields */
  const columns: Column[] = []
  const byPath = new Map<string, Column>()
  let due = new Uint8Array(0)

  const columnOf = (path: string): Column => {
    let column = byPath.get(path)
    if (!column) {
      const [within] = splitPath(path)
      column = { path, within, states: new Uint8Array(0), numbers: new Float64Array(0), others: new Map() }
      byPath.set(path, column)
      if (within === undefined) columns.unshift(column)
      else columns.push(column)
    }
    if (column.states.length < due.length) {
      column.states = grown(column.states, new Uint8Array(due.length))
      column.numbers = grown(column.numbers, new Float64Array(due.length))
    }
    return column
  }

  return {
    check(path, indices, values) {
      const [within, field] = splitPath(path)
      // writing there would change every object
      if (field in Object.prototype || (within ?? '') in Object.prototype)
        throw new Error(`The update names a field that no record has: ${path}`)
      if (indices.length !== values.length)
        throw new Error(`The update of ${path} has ${indices.length} indices and ${values.length} values`)
      const count = size()
      for (const at of indices)
        // a record added later at this index would get the value
        if (!(at >= 0 && at < count))
          throw new Error(`The update of ${path} is of a record that is not there`)
    },
    add(path, indices, values) {
      const count = size()
      if (due.length < count) due = grown(due, new Uint8Array(count + SPARE))
      const column = columnOf(path)
      const { states, numbers, others } = column
      for (let n = 0; n < indices.length; n++) {
        const at = indices[n]!
        const value = values[n]
        due[at] = 1
        if (typeof value === 'number') {
          states[at] = NUMBER
          numbers[at] = value
        } else {
          states[at] = OTHER
          others.set(at, value)
        }
      }
      // a whole field replaces pending values of its parts
      if (column.within !== undefined) return
      for (const { within, states: inner } of columns) {
        if (within === path) for (const at of indices) inner[at] = NOTHING
      }
    },
    isDue: (at) => due[at] === 1,
    of(path) {
      const [within, field] = splitPath(path)
      const column = byPath.get(path)
      const whole = within === undefined ? undefined : byPath.get(within)
      return (at) => {
        const value = column && valueAt(column, at)
        return value === undefined && whole ? valueIn(valueAt(whole, at), field) : value
      }
    },
    take(at, write) {
      if (due[at] !== 1) return
      due[at] = 0
      for (const column of columns) {
        const value = valueAt(column, at)
        if (value === undefined) continue
        if (column.states[at] === OTHER) column.others.delete(at)
        column.states[at] = NOTHING
        write(column.path, value)
      }
    },
  }
}

/** Spare capacity, so that each new record does not copy every column. */
const SPARE = 64

function valueAt({ states, numbers, others }: Column, at: number): unknown {
  const state = states[at]
  return state === NUMBER ? numbers[at] : state === OTHER ? others.get(at) : undefined
}

/** A part of a whole field; undefined if it is absent. */
function valueIn(holder: unknown, field: string): unknown {
  if (holder === undefined) return undefined
  return (holder as Record<string, unknown> | null)?.[field] ?? null
}

function grown<T extends Uint8Array | Float64Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}
