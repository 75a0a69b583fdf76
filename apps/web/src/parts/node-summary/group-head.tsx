import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { webUrl } from '../../lib/links.ts'
import { DownEdge } from '../cells/offline.tsx'
import type { SummaryRow } from './rows.ts'
import { NameLink } from './summary-name.tsx'
import { StaleBadge } from '../cells/stale.tsx'

interface GroupFrameProps {
  colSpan: number
  /** the machine whose group it is, when there is a record of it */
  row?: Pick<SummaryRow, 'online' | 'outage'> | undefined
  children: ReactNode
}

/** Across all columns, above the records of a group. */
export function GroupFrame({ colSpan, row, children }: GroupFrameProps) {
  const dimmed = row !== undefined && !row.online
  return (
    <div
      role="gridcell"
      aria-colspan={colSpan}
      data-dimmed={dimmed}
      className={cx(
        'relative h-full border-b border-line text-xs',
        row?.outage ? 'bg-down' : 'bg-sunken',
        dimmed && 'text-ink-3',
      )}
    >
      {row?.outage && <DownEdge />}
      {children}
    </div>
  )
}

interface NodeTitleProps {
  name: string
  /** undefined when only what is on it knows of the node */
  row: SummaryRow | undefined
  tabIndex: 0 | -1
}

/** A node by its name, with the way to its web interface, its cluster, and how old its figures are. */
export const NodeTitle = ({ name, row, tabIndex }: NodeTitleProps) => (
  <>
    <NameLink
      url={row ? row.url : webUrl(undefined, name, 'pve')}
      name={name}
      dimmed={false}
      tabIndex={tabIndex}
    />
    {row?.cluster && <ClusterBadge name={row.cluster} />}
    {row?.staleSince !== undefined && <StaleBadge since={row.staleSince} down={row.outage !== undefined} />}
  </>
)

export const ClusterBadge = ({ name }: { name: string }) => (
  <span className="flex min-w-8">
    <Badge className="max-w-full">
      <span className="truncate">{name}</span>
    </Badge>
  </span>
)
