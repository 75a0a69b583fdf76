import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { List } from '../../parts/list/list-selector.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import type { ContainerMark } from './container-status.ts'

interface ContainerLegendProps extends Pick<List, 'counts' | 'orderPending'> {
  /** not all of them are shown */
  filtered: boolean
}

/** How many of the containers that are shown run, where the head of the page counts more; and those it does not name. */
export function ContainerLegend({ counts, orderPending, filtered }: ContainerLegendProps) {
  const of = (mark: ContainerMark) => counts.get(mark) ?? 0
  if (!filtered && !orderPending && of('other') === 0) return null
  return (
    <TableFoot orderPending={orderPending} sticky={filtered || orderPending}>
      {filtered && (
        <>
          <span>Shown:</span>
          <Entry tone="green" count={of('running') + of('unhealthy')} word="running">
            {of('unhealthy') > 0 && (
              <span className="-ml-1.5 text-red">{`, ${formatNumber(of('unhealthy'))} of them unhealthy`}</span>
            )}
          </Entry>
          <Entry tone="red" count={of('exited')} word="exited" />
        </>
      )}
      {of('other') > 0 && <Entry tone="yellow" count={of('other')} word="in another state" />}
    </TableFoot>
  )
}

interface EntryProps {
  tone: 'green' | 'red' | 'yellow'
  count: number
  word: string
  children?: ReactNode
}

const Entry = ({ tone, count, word, children }: EntryProps) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className="inline-flex">
      <StatusDot tone={count > 0 ? tone : 'neutral'} label="" ring={tone !== 'green'} />
    </span>
    {formatNumber(count)} {word}
    {children}
  </span>
)
