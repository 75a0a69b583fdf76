import { formatNumber } from '../../lib/format.ts'
import type { List } from '../../parts/list/list-selector.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'

/** How many storages are shown, and how many of them need a look. */
export function PoolLegend({ marks, waiting }: Pick<List, 'marks' | 'waiting'>) {
  const of = (mark: string) => marks.get(mark) ?? 0
  const all = of('available') + of('unavailable') + of('stale')
  return (
    <TableFoot waiting={waiting}>
      <span>
        {formatNumber(all)} {all === 1 ? 'storage' : 'storages'}
      </span>
      {of('unavailable') > 0 && (
        <span className="text-red">{formatNumber(of('unavailable'))} not available</span>
      )}
      {of('stale') > 0 && <span className="text-orange">{formatNumber(of('stale'))} with old figures</span>}
    </TableFoot>
  )
}
