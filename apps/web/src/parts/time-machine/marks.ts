import type { AlertHistoryEntry, HistoryGap } from '@pulse/contract'
import type { Span } from '../../lib/times.ts'

/** Columns of the bar. Alerts of one column are one mark. */
const columns = 400

/** The bar in paths: as many elements for ten thousand alerts as for one. */
export interface BarPaths {
  critical: string
  warning: string
  off: string
}

/** The width of the bar is 400, its height 1. */
export function barPaths(
  span: Span,
  alerts: readonly Pick<AlertHistoryEntry, 'startTime' | 'peakLevel'>[],
  gaps: readonly Pick<HistoryGap, 'from' | 'to'>[],
): BarPaths {
  const placeOf = (at: number) => ((at - span.from) / (span.to - span.from)) * columns
  const marked = { critical: new Set<number>(), warning: new Set<number>() }
  for (const { startTime, peakLevel } of alerts) {
    const place = Math.floor(placeOf(Date.parse(startTime)))
    if (place >= 0 && place <= columns) marked[peakLevel].add(place)
  }
  for (const place of marked.critical) marked.warning.delete(place)
  return {
    critical: ticks(marked.critical),
    warning: ticks(marked.warning),
    off: gaps
      .map(({ from, to }) => [placeOf(Math.max(from, span.from)), placeOf(Math.min(to, span.to))] as const)
      .filter(([start, end]) => end > start)
      .map(([start, end]) => `M${round(start)} 0H${round(end)}V1H${round(start)}Z`)
      .join(''),
  }
}

const ticks = (places: ReadonlySet<number>) => [...places].map((at) => `M${at} 0V1`).join('')
const round = (at: number) => Math.round(at * 100) / 100
