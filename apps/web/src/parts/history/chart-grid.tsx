import { useMemo } from 'react'
import type { Span } from '../../lib/times.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Chart } from '../chart/chart.tsx'
import type { Crosshair } from '../chart/crosshair.ts'
import type { ChartEvent } from '../chart/series.ts'
import { complete, type ShownChart } from './chart-data.ts'
import type { Triggers } from './triggers.ts'
import { alertsOfChart, type HistoryAlert } from './use-alerts.ts'

interface ChartGridProps {
  charts: readonly ShownChart[]
  span: Span
  triggers: Triggers
  alerts: readonly HistoryAlert[]
  events: readonly ChartEvent[]
  crosshair: Crosshair
  isZoomed: boolean
  busy: boolean
  onZoom: (span: Span | undefined) => void
}

/** All charts of a thing, side by side if they fit. They have one time axis and one crosshair. */
export function ChartGrid({ charts, span, triggers, alerts, events, ...shared }: ChartGridProps) {
  const drawn = useMemo(() => {
    const all = new Set(charts.flatMap(({ lines }) => lines.map(({ field }) => field)))
    return charts.map((chart) => {
      const own = chart.lines.map(({ field }) => field)
      return {
        title: chart.title,
        data: complete(chart, span, triggers, alertsOfChart(alerts, own, all), events),
      }
    })
  }, [charts, span, triggers, alerts, events])
  return (
    <div className={gridClass}>
      {drawn.map(({ title, data }) => (
        <div key={title} className="min-w-0">
          <Chart label={title} data={data} {...shared} />
        </div>
      ))}
    </div>
  )
}

/** The same places while the figures load. */
export function LoadingCharts({ titles }: { titles: readonly string[] }) {
  return (
    <div role="status" aria-label="Loading history" className={gridClass}>
      {titles.map((title) => (
        <div key={title} className="min-w-0">
          <p className="mb-1 h-4 text-xs font-semibold text-ink-2">{title}</p>
          <Skeleton className="h-33 w-full" />
        </div>
      ))}
    </div>
  )
}

const gridClass = 'grid grid-cols-[repeat(auto-fit,minmax(min(340px,100%),1fr))] gap-x-6 gap-y-4'
