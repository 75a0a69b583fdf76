import { useSyncExternalStore } from 'react'
import type { Span } from '../../lib/times.ts'
import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Crosshair } from './crosshair.ts'
import { LineSample } from './line-sample.tsx'
import { happenedAt, lastReading, pointText, readAt } from './reading.ts'
import { type ChartData, type ChartSeries, chartSummary, dashOf, timeText } from './series.ts'

interface ChartProps {
  /** accessible name */
  label: string
  data: ChartData
  /** shared by the charts of a view */
  crosshair: Crosshair
  /** height of the plot, in px */
  height?: number
  isZoomed?: boolean
  /** the user chose another span; undefined: the whole range */
  onZoom: (span: Span | undefined) => void
  /** other figures are on their way */
  busy?: boolean
}

/** The chart library loads with the first chart. */
const Plot = lazyPart('Chart', async () => ({ default: (await import('./plot.tsx')).Plot }), {
  fallback: () => <Skeleton className="size-full" />,
  renderFailure: ({ error }) => (
    <p className="flex size-full items-center justify-center rounded border border-dashed border-line text-ink-3">
      {`The chart could not be drawn: ${error.message}`}
    </p>
  ),
})

/** Lines over time, with the figures of one moment above. The size does not depend on the data. */
export function Chart(props: ChartProps) {
  const { label, data, crosshair, height = 132, isZoomed = false, onZoom, busy = false } = props
  return (
    <figure aria-label={label} aria-busy={busy} className="m-0 min-w-0 text-xs">
      <Readout label={label} data={data} crosshair={crosshair} />
      <div style={{ height }}>
        <Plot {...{ label, data, crosshair, height, isZoomed, onZoom }} />
      </div>
      <figcaption className="sr-only">{chartSummary(data)}</figcaption>
    </figure>
  )
}

/** More figures have lines of their own, in two columns, so that the height does not depend on them. */
const mostInLine = 2

/** The figures at the crosshair, or else the last ones. */
function Readout({ label: title, data, crosshair }: Pick<ChartProps, 'label' | 'data' | 'crosshair'>) {
  const at = useSyncExternalStore(crosshair.subscribe, crosshair.get)
  const { span, series, limits = [] } = data
  const isLong = series.length > mostInLine
  const figures = series.map((one, index) => (
    <span key={one.label} className="flex h-4 min-w-0 items-center gap-1.5">
      <LineSample dash={dashOf(one, index)} tone={one.tone} />
      <span className="truncate">
        {one.label !== title && `${one.label} `}
        <span className="text-ink">{figureText(one, data, at)}</span>
      </span>
    </span>
  ))
  return (
    <div aria-hidden className="mb-1 text-ink-2 tabular-nums">
      <div className="flex h-4 flex-wrap gap-x-3 overflow-hidden">
        <span className="font-semibold whitespace-nowrap">{title}</span>
        {!isLong && figures}
        {at === undefined ? (
          <span className="ml-auto truncate text-ink-3">{limits.map(({ label }) => label).join(' · ')}</span>
        ) : (
          <span className="ml-auto truncate text-ink-3">
            {[timeText(at, span), ...happenedAt(data, at)].join(' · ')}
          </span>
        )}
      </div>
      {isLong && <div className="grid grid-cols-2 gap-x-3">{figures}</div>}
    </div>
  )
}

/** The range of two lines has no room. */
function figureText(series: ChartSeries, data: ChartData, at: number | undefined): string {
  const isShort = data.series.length > 1
  const reading = at === undefined ? lastReading(series, data) : readAt(series, data.gaps, at)
  if (!reading) return series.format(undefined)
  if ('gap' in reading) return reading.gap.words
  return at === undefined || isShort
    ? series.format(reading.point.value)
    : pointText(reading.point, series.format)
}
