import { formatNumber } from '../../lib/format.ts'
import type { DiskHealth } from '../../parts/alerts/disk-health.ts'
import type { List } from '../../parts/list/list-selector.ts'
import { healthTone } from '../../parts/storage/disk-health.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'

const worth: readonly DiskHealth[] = ['FAILED', 'LOW LIFE']

interface DiskLegendProps extends Pick<List, 'counts'> {
  /** some are hidden */
  filtered: boolean
}

/** Problems of the disks shown, and their number if the page's head counts more. */
export function DiskLegend({ counts, filtered }: DiskLegendProps) {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (!filtered && worth.every((health) => !counts.has(health))) return null
  return (
    <TableFoot orderPending={false} sticky={filtered}>
      {filtered && (
        <span>
          {formatNumber(all)} {all === 1 ? 'disk' : 'disks'} shown
        </span>
      )}
      {worth.map((health) => {
        const count = counts.get(health) ?? 0
        if (count === 0) return null
        return (
          <span key={health} className={cx('lowercase', toneText[healthTone[health]])}>
            {formatNumber(count)} {health}
          </span>
        )
      })}
    </TableFoot>
  )
}
