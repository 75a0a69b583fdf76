import { formatNumber } from '../../lib/format.ts'
import type { List } from '../../parts/list/list-selector.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'

/** How many storages are shown, and how many of them need a look. */
export function PoolLegend({ marks, waiting }: Pick<List, 'marks' | 'waiting'>) {
  const of = (mark: string) => marks.get(mark) ?? 0
  const attention = of('attention') + of('unavailable') + of('stale')
  const all = of('available') + attention
  return (
    <TableFoot waiting={waiting}>
      <span>
        {formatNumber(all)} {all === 1 ? 'storage' : 'storages'}
      </span>
      {attention > 0 && (
        <span className="text-ink">
          {formatNumber(attention)} {attention === 1 ? 'needs attention' : 'need attention'}
        </span>
      )}
      {of('unavailable') > 0 && (
        <span className="text-red">{formatNumber(of('unavailable'))} not available</span>
      )}
      {of('stale') > 0 && <span className="text-orange">{formatNumber(of('stale'))} with old figures</span>}
    </TableFoot>
  )
}
