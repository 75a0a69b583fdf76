import type { RecordKind } from '@pulse/contract'

/** Rows of a table whose figures have trends. */
export interface TrendSource {
  /** the prefix of their keys; the rest is the id of the record */
  rows: string
  kind: RecordKind
  /** figures with history, named as their columns */
  fields: readonly string[]
}

/** Where the trends of a table are, and of what. The parts keep their identity while they do not change. */
export interface TrendTable {
  sources: readonly TrendSource[]
  /** those that are visible */
  columns: readonly { id: string; phone?: { slot: string } }[]
  phone: boolean
}

/** The figures that are visible, and have trends. */
export function trendFields({ sources, columns, phone }: TrendTable): ReadonlySet<string> {
  const known = new Set(sources.flatMap(({ fields }) => fields))
  const shown = phone ? columns.filter((column) => column.phone?.slot === 'figure') : columns
  return new Set(shown.map(({ id }) => id).filter((id) => known.has(id)))
}
