import { lazyPart } from '../../ui/code/lazy-part.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type ChartData, chartSummary, dashOf, toneVariable } from './series.ts'

interface ChartProps extends ChartData {
  /** accessible name */
  label: string
  /** height of the plot, in px */
  height?: number
  /** the data is loading */
  loading?: boolean
  /** shown while there are too few values for a line */
  empty?: string
}

/** The chart library loads with the first chart that has data. */
const Plot = lazyPart('Chart', async () => ({ default: (await import('./plot.tsx')).Plot }), {
  fallback: () => <Skeleton className="size-full" />,
  renderFailure: ({ error }) => <Words>{`The chart could not be drawn: ${error.message}`}</Words>,
})

/** Lines over time. The size does not depend on the data. */
export function Chart({ label, height = 140, loading, empty = 'No figures yet', ...data }: ChartProps) {
  const drawable = data.times.length > 1
  return (
    <figure aria-label={label} aria-busy={loading} className="m-0 min-w-0 text-xs">
      <ul aria-hidden className="mb-1 flex flex-wrap gap-x-4 text-ink-2 tabular-nums">
        {data.series.map(({ label: name, values, format, tone }, index) => (
          <li key={name} className="flex items-center gap-1.5">
            <svg width="14" height="2" className="shrink-0">
              <line
                x2="14"
                y1="1"
                y2="1"
                strokeWidth="2"
                strokeDasharray={dashOf(index)?.join(' ')}
                style={{ stroke: `var(${toneVariable[tone]})` }}
              />
            </svg>
            {name} <span className="text-ink">{format(values.at(-1))}</span>
          </li>
        ))}
      </ul>
      <div style={{ height }}>
        {loading && <Skeleton className="size-full" />}
        {!loading && !drawable && <Words>{empty}</Words>}
        {!loading && drawable && <Plot {...data} label={label} height={height} />}
      </div>
      {!loading && drawable && <figcaption className="sr-only">{chartSummary(data)}</figcaption>}
    </figure>
  )
}

const Words = ({ children }: { children: string }) => (
  <p className="flex size-full items-center justify-center rounded border border-dashed border-line text-ink-3">
    {children}
  </p>
)
