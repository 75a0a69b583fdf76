import { formatNumber } from '../../lib/format.ts'
import type { List } from '../../parts/list/list-selector.ts'
import type { DiskHealth } from '../../parts/storage/health.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'
import { healthTone } from './disk-health.ts'

const worth: readonly DiskHealth[] = ['FAILED', 'LOW LIFE']

interface DiskLegendProps extends Pick<List, 'marks'> {
  /** not all of them are shown */
  filtered: boolean
}

/** What is wrong with the disks shown, and how many those are where the head of the page counts more. */
export function DiskLegend({ marks, filtered }: DiskLegendProps) {
  const all = [...marks.values()].reduce((sum, count) => sum + count, 0)
  if (!filtered && worth.every((health) => !marks.has(health))) return null
  return (
    <TableFoot waiting={false} stays={filtered}>
      {filtered && (
        <span>
          {formatNumber(all)} {all === 1 ? 'disk' : 'disks'} shown
        </span>
      )}
      {worth.map((health) => {
        const count = marks.get(health) ?? 0
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
