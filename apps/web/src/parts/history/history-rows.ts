import type { HistoryGap, HistoryPoint } from '@pulse/contract'
import type { KindHistory } from './charts.ts'
import { type FigureForm, formOf } from './figure-forms.ts'
import type { HistoryAnswer } from './use-series.ts'

/** A column of the table: one line of the charts. */
export interface HistoryColumn {
  field: string
  label: string
  form: FigureForm
}

interface FigureRow {
  at: number
  /** one per column; undefined: none at that time */
  points: readonly (HistoryPoint | undefined)[]
}

interface GapRow {
  at: number
  to: number
  reason: HistoryGap['reason']
  /** columns without figures in it; empty: all */
  labels: readonly string[]
}

export type HistoryRow = FigureRow | GapRow

export interface HistoryTableData {
  columns: readonly HistoryColumn[]
  /** in the order of time */
  rows: readonly HistoryRow[]
}

/** The same figures as the charts have, as rows: one per time, and one per gap. */
export function toRows({ charts }: KindHistory, { series }: HistoryAnswer): HistoryTableData {
  const lines = charts.flatMap(({ title, lines: own }) =>
    own.map((line) => ({ ...line, label: line.label === title ? title : `${title}: ${line.label}` })),
  )
  const shown = lines.flatMap(({ field, label, isFactor }) => {
    const found = series.find((one) => one.field === field)
    if (!found || found.points.length === 0) return []
    return [{ column: { field, label, form: formOf(found.unit, isFactor) }, series: found }]
  })
  const byTime = new Map<number, (HistoryPoint | undefined)[]>()
  for (const [index, { series: one }] of shown.entries())
    for (const point of one.points) {
      const row = byTime.get(point.at) ?? shown.map(() => undefined)
      byTime.set(point.at, row)
      row[index] = point
    }
  const figures = [...byTime].map(([at, points]): FigureRow => ({ at, points }))
  const rows = [...figures, ...gapRows(series, shown)].toSorted((a, b) => a.at - b.at)
  return { columns: shown.map(({ column }) => column), rows }
}

type Shown = { column: HistoryColumn; series: HistoryAnswer['series'][number] }

function gapRows(series: HistoryAnswer['series'], shown: readonly Shown[]): GapRow[] {
  const sources = shown.length > 0 ? shown.map(({ series: one }) => one) : series
  const byGap = Map.groupBy(
    sources.flatMap(({ gaps, field }) => gaps.map((gap) => ({ gap, field }))),
    ({ gap: { from, to, reason } }) => `${from} ${to} ${reason}`,
  )
  return [...byGap.values()].map((same): GapRow => {
    const { from, to, reason } = same[0]!.gap
    const fields = new Set(same.map(({ field }) => field))
    const labels = shown.flatMap(({ column }) => (fields.has(column.field) ? [column.label] : []))
    return { at: from, to, reason, labels: labels.length < shown.length ? labels : [] }
  })
}
