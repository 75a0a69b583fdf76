import { compareNames } from '@pulse/domain'

export type Direction = 'asc' | 'desc'

/** null, undefined, NaN and '' are missing values. They sort last in both directions. */
export type SortValue = string | number | null | undefined

export interface Sort<Id extends string = string> {
  key: Id
  direction: Direction
}

/** Stable: rows that compare equal keep their order. */
export function sortBy<Row>(
  rows: readonly Row[],
  value: (row: Row) => SortValue,
  direction: Direction,
): Row[] {
  const known: { row: Row; value: string | number }[] = []
  const missing: Row[] = []
  for (const row of rows) {
    const one = value(row)
    if (isMissing(one)) missing.push(row)
    else known.push({ row, value: one })
  }
  const sign = direction === 'asc' ? 1 : -1
  known.sort((a, b) => sign * compareValues(a.value, b.value))
  return [...known.map(({ row }) => row), ...missing]
}

/** Numbers by value, texts in natural order without case: 'vm2' before 'vm10'. */
export function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareNames(String(a), String(b))
}

export const isMissing = (value: SortValue): value is null | undefined =>
  value === null || value === undefined || value === '' || Number.isNaN(value)

const opposite = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc')

interface Clicked<Id extends string> {
  id: Id
  firstDirection: Direction
}

/**
 * A click on the active column reverses the direction. Another column starts with its own first direction.
 */
export function flipSort<Id extends string>(current: Sort<Id>, column: Clicked<Id>): Sort<Id> {
  const active = current.key === column.id
  return { key: column.id, direction: active ? opposite(current.direction) : column.firstDirection }
}

/**
 * The first click sorts by the column, the second reverses it, the third restores the default order
 * (undefined).
 */
export function cycleSort<Id extends string>(
  current: Sort<Id> | undefined,
  column: Clicked<Id>,
): Sort<Id> | undefined {
  if (current?.key !== column.id) return { key: column.id, direction: column.firstDirection }
  return current.direction === column.firstDirection
    ? { key: column.id, direction: opposite(column.firstDirection) }
    : undefined
}
