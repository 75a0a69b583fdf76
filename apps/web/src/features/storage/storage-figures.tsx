import { isEqual } from '@pulse/domain'
import { TriangleAlert } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { alertLevels } from '../../parts/alerts/alert-levels.ts'
import { diskTrouble, storageTrouble } from '../../parts/alerts/attention.ts'
import { FigureButton } from '../../parts/filter-bar/figure-button.tsx'
import { cx } from '../../ui/cx.ts'

interface Figures {
  pools: number
  disks: number
  attention: { pools: number; disks: number }
}

const kinds = ['storage', 'physicalDisks', 'activeAlerts'] as const

function selectFigures(live: LiveReader): Figures {
  const alerts = alertLevels(live)
  const pools = [...live.records('storage').values()]
  const disks = [...live.records('physicalDisks').values()]
  return {
    pools: pools.length,
    disks: disks.length,
    attention: {
      pools: pools.filter((pool) => storageTrouble(pool, alerts.get(pool.id))).length,
      disks: disks.filter((disk) => diskTrouble(disk, alerts.get(disk.id))).length,
    },
  }
}

interface StorageFiguresProps {
  /** the attention filter is active */
  pressed: boolean
  onPress: () => void
}

/** Key figures above the tables. */
export function StorageFigures({ pressed, onPress }: StorageFiguresProps) {
  const { pools, disks, attention } = useLive(kinds, selectFigures, isEqual)
  const alarmed = attention.pools + attention.disks > 0
  return (
    <div
      role="group"
      aria-label="Summary"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2 tabular-nums sm:text-table"
    >
      <span className="pl-1">{counted(pools, 'storage')}</span>
      {disks > 0 && <span>{counted(disks, 'disk')}</span>}
      <FigureButton
        pressed={pressed}
        onPress={onPress}
        hint="Show only storages that are unavailable, degraded, full, stale or alerting, and disks that failed or are worn out"
      >
        <TriangleAlert
          aria-hidden
          size={13}
          className={cx('shrink-0', alarmed ? 'text-red' : 'text-ink-3')}
        />
        Need attention{' '}
        <span className={cx('font-semibold', !pressed && (alarmed ? 'text-red' : 'text-ink'))}>
          {textOf(attention)}
        </span>
      </FigureButton>
    </div>
  )
}

/** '1 storage, 2 disks', '2 disks', '0' */
function textOf({ pools, disks }: Figures['attention']): string {
  const parts = [pools > 0 && counted(pools, 'storage'), disks > 0 && counted(disks, 'disk')]
  return parts.filter(Boolean).join(', ') || '0'
}

const counted = (count: number, one: string) => `${formatNumber(count)} ${one}${count === 1 ? '' : 's'}`
