import { formatNumber } from '../../lib/format.ts'
import type { List } from '../../parts/list/list-selector.ts'
import type { DiskHealth } from '../../parts/storage-health.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'
import { healthTone } from './disk-health.ts'

const worth: readonly DiskHealth[] = ['FAILED', 'LOW LIFE']

/** How many disks are shown, and how many of them need a look. */
export function DiskLegend({ marks }: Pick<List, 'marks'>) {
  const all = [...marks.values()].reduce((sum, count) => sum + count, 0)
  return (
    <TableFoot waiting={false}>
      <span>
        {formatNumber(all)} {all === 1 ? 'disk' : 'disks'}
      </span>
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
