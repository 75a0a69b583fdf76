import { formatNumber } from '../../lib/format.ts'
import type { List } from '../../parts/list/list-selector.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'

interface PoolLegendProps extends Pick<List, 'marks' | 'waiting'> {
  /** not all of them are shown */
  filtered: boolean
}

/** What is wrong with the storages shown, and how many those are where the head of the page counts more. */
export function PoolLegend({ marks, waiting, filtered }: PoolLegendProps) {
  const of = (mark: string) => marks.get(mark) ?? 0
  const all = [...marks.values()].reduce((sum, count) => sum + count, 0)
  const isBroken = of('unavailable') + of('stale') > 0
  if (!filtered && !waiting && !isBroken) return null
  return (
    <TableFoot waiting={waiting} stays={filtered || waiting}>
      {filtered && (
        <span>
          {formatNumber(all)} {all === 1 ? 'storage' : 'storages'} shown
        </span>
      )}
      {of('unavailable') > 0 && (
        <span className="text-red">{formatNumber(of('unavailable'))} not available</span>
      )}
      {of('stale') > 0 && <span className="text-orange">{formatNumber(of('stale'))} with old figures</span>}
    </TableFoot>
  )
}
