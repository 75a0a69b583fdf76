import type { HistoryPoint } from '@pulse/contract'
import type { HistoryLine, KindHistory } from './charts.ts'
import { weekMs } from './range.ts'
import type { HistoryAnswer } from './use-series.ts'

/** The charts and figures of a view. */
export interface Viewed {
  history: KindHistory
  data: HistoryAnswer
}

const fieldOf = (field: string) => `${field} a week before`
/** Wide gaps, so that the line is the faintest one of the chart. */
const dash = [2, 3]

/** Each line has one more for the figures of a week before, at the times of its own. */
export function withLastWeek({ history, data }: Viewed, before: HistoryAnswer): Viewed {
  const charts = history.charts.map(({ title, lines }) => {
    const former = lines.map(({ field, label, isFactor }): HistoryLine => ({
      field: fieldOf(field),
      label: label === title ? 'Last week' : `${label} last week`,
      tone: 'pale',
      dash,
      isApart: true,
      ...(isFactor && { isFactor }),
    }))
    return { title, lines: [...lines, ...former] }
  })
  const series = before.series.map(({ field, points, ...rest }) => {
    const now = data.series.find((one) => one.field === field)?.points ?? []
    return { ...rest, field: fieldOf(field), points: onTimesOf(now, points), gaps: [] }
  })
  return { history: { ...history, charts }, data: { ...data, series: [...data.series, ...series] } }
}

/**
 * The points a week later. One that is near a point of now gets its time, so that the crosshair and the rows of the
 * table show both together.
 */
function onTimesOf(now: readonly HistoryPoint[], points: readonly HistoryPoint[]): HistoryPoint[] {
  const nearMs = Math.min(stepOf(now), stepOf(points)) / 2
  let next = 0
  return points.map((point) => {
    const at = point.at + weekMs
    while (next < now.length && now[next]!.at < at - nearMs) next++
    const near = now[next]
    if (!near || near.at > at + nearMs) return { ...point, at }
    // two points never have the same time
    next++
    return { ...point, at: near.at }
  })
}

const stepOf = (points: readonly HistoryPoint[]): number =>
  points.slice(1).reduce((least, { at }, n) => Math.min(least, at - points[n]!.at), Infinity)
