import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { Chart } from '../../parts/chart/chart.tsx'
import type { ChartSeries } from '../../parts/chart/series.ts'
import type { GuestTrails } from './guest-trails.ts'

const title = 'CPU and memory, since these details were opened'
const percent = (value: number | undefined) => formatPercent(value)

/** For a guest with figures now, or earlier while its details were open. */
export function GuestChart({ id, trails, running }: { id: string; trails: GuestTrails; running: boolean }) {
  const subscribe = useCallback((listener: () => void) => trails.subscribe(id, listener), [trails, id])
  const trail = useSyncExternalStore(subscribe, () => trails.get(id))
  const series = useMemo(
    (): ChartSeries[] => [
      { label: 'CPU', values: trail.cpu, format: percent, tone: 'accent', max: 100 },
      { label: 'Memory', values: trail.memory, format: percent, tone: 'neutral', max: 100 },
    ],
    [trail],
  )
  if (!running && !trail.cpu.some((value) => value !== undefined)) return null
  return (
    <div className="mt-4 max-w-240">
      <p aria-hidden className="mb-1.5 text-2xs font-semibold tracking-wide text-ink-3">
        {title}
      </p>
      <Chart label={title} times={trail.times} series={series} empty="Chart starts with the next update." />
    </div>
  )
}
