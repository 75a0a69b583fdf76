import { formatNumber } from '../../lib/format.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'

/** How many of the guests run. */
export function Legend({
  running,
  stopped,
  unreachable,
  waiting,
  filtered,
}: {
  running: number
  stopped: number
  /** of the stopped */
  unreachable: number
  /** the order is of before, because somebody is at the table */
  waiting: boolean
  /** it counts only what is shown, while the head of the page counts all */
  filtered: boolean
}) {
  return (
    <TableFoot waiting={waiting} stays={filtered || waiting}>
      {filtered && <span>Shown:</span>}
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-flex">
          <StatusDot tone="green" label="" />
        </span>
        {formatNumber(running)} running
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-flex">
          <StatusDot tone="neutral" label="" ring />
        </span>
        {formatNumber(stopped)} stopped
        {unreachable > 0 && (
          <span className="-ml-1.5 text-red">{`, ${formatNumber(unreachable)} of them unreachable`}</span>
        )}
      </span>
    </TableFoot>
  )
}
