import type { DailyBackups } from '@pulse/contract'
import { useCallback, useMemo, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { dayOf } from '../../lib/days.ts'
import { lastDays, noonOf } from '../../parts/backups/backup-row.ts'
import { ChartBars } from './chart-bars.tsx'
import { defaultRange, type Range, ranges } from './chart-scale.ts'

interface BackupChartProps {
  /** days with backups */
  days: ReadonlyMap<string, DailyBackups>
  picked: string | undefined
  onPick: (day: string) => void
  /** the selected backup server */
  server: string | undefined
}

/** Number of backups per day. */
export function BackupChart({ days, picked, onPick, server }: BackupChartProps) {
  const [range, setRange] = useState<Range>(defaultRange)
  const today = useNow(60_000, dayOf)
  const shown = useMemo(
    () =>
      lastDays(Number(range), noonOf(today).getTime()).map(
        (date) => days.get(date) ?? { date, total: 0, snapshots: 0, pve: 0, pbs: 0 },
      ),
    [days, range, today],
  )
  const sum = (of: 'snapshots' | 'pve' | 'pbs') => shown.reduce((total, day) => total + day[of], 0)
  return (
    <figure className="flex flex-col gap-2 p-3" aria-labelledby="available-backups">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="available-backups" className="text-table font-semibold">
          Available backups
        </h2>
        <ul aria-label="Legend" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-2">
          <Swatch label="Snapshots" count={sum('snapshots')} strength="opacity-35" />
          <Swatch label="PVE" count={sum('pve')} strength="opacity-65" />
          <Swatch label="PBS" count={sum('pbs')} strength="" />
          <Deduplication server={server} />
        </ul>
        <span className="ml-auto">
          <SegmentedToggle label="Range" value={range} options={ranges} onChange={setRange} />
        </span>
      </figcaption>
      <ChartBars days={shown} picked={picked} onPick={onPick} />
    </figure>
  )
}

/** Legend entry; the opacity matches the source's part of each bar. */
const Swatch = ({ label, count, strength }: { label: string; count: number; strength: string }) => (
  <li className="inline-flex items-center gap-1.5 tabular-nums">
    <span aria-hidden className={`size-2.5 rounded-xs bg-ink-3 ${strength}`} />
    {label} <span className="text-ink-3">{formatNumber(count)}</span>
  </li>
)

/** Deduplication over all datastores that report it, or over those of one server. */
function Deduplication({ server }: { server: string | undefined }) {
  const factor = useLive(
    ['datastores'],
    useCallback((live) => averageDeduplication(live, server), [server]),
  )
  if (factor === undefined) return null
  return (
    <li className="tabular-nums" {...tip('Average of the deduplication factors of all datastores', 260)}>
      Average deduplication <span className="text-ink">{formatNumber(factor, undefined, 1)}x</span>
    </li>
  )
}

export function averageDeduplication(live: LiveReader, server?: string): number | undefined {
  const factors = [...live.records('datastores').values()].flatMap(({ source, deduplicationFactor }) =>
    deduplicationFactor !== undefined && deduplicationFactor > 0 && (server ?? source) === source
      ? [deduplicationFactor]
      : [],
  )
  return factors.length === 0 ? undefined : factors.reduce((sum, one) => sum + one, 0) / factors.length
}
