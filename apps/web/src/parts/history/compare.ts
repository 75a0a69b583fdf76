import { mostSeries } from '@pulse/contract'
import { compareTones } from '../chart/series.ts'
import type { HistoryLine } from './charts.ts'
import type { Viewed } from './last-week.ts'

/** Beside the guest itself. */
export const mostOthers = mostSeries.ids - 1

/** So that lines differ without colour. */
const dashes: readonly (readonly number[])[] = [
  [],
  [7, 3],
  [2, 3],
  [9, 3, 2, 3],
  [4, 2],
  [13, 4],
  [6, 2, 2, 2, 2, 2],
  [1, 2],
]

export interface Compared {
  id: string
  /** different for each of them */
  name: string
}

/** The look of the line of a guest, by its position. */
export const lineOf = (position: number) => ({
  tone: compareTones[position % compareTones.length]!,
  dash: dashes[position % dashes.length]!,
})

/** One chart per figure, with a line per guest. The first guest is the one whose charts these are. */
export function compared({ history, data }: Viewed, guests: readonly Compared[]): Viewed {
  const fieldOf = (field: string, id: string) => (id === guests[0]?.id ? field : `${field} of ${id}`)
  const charts = history.charts.flatMap(({ title, lines }) =>
    lines.map(({ field, label, isFactor }) => ({
      title: lines.length > 1 ? `${title}: ${label}` : title,
      lines: guests.map(({ id, name }, position): HistoryLine => ({
        field: fieldOf(field, id),
        label: name,
        ...lineOf(position),
        isApart: true,
        ...(isFactor && { isFactor }),
      })),
    })),
  )
  const series = data.series.map(({ field, ...rest }) => ({ ...rest, field: fieldOf(field, rest.id) }))
  return { history: { ...history, charts }, data: { ...data, series } }
}
