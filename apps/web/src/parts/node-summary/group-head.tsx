import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { webUrl } from '../../lib/links.ts'
import { DownEdge, StaleBadge } from '../cells/outage.tsx'
import { SiteBadge } from '../sources/sites.tsx'
import { PageLinkBeside } from '../thing/page-link.tsx'
import type { SummaryRow } from './rows.ts'
import { NameLink } from './summary-name.tsx'

interface GroupFrameProps {
  colSpan: number
  /** the group's machine; undefined without a record */
  row?: Pick<SummaryRow, 'online' | 'outage'> | undefined
  children: ReactNode
}

/** The head of a group, across all columns. */
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
  /** undefined for a node without a record of its own */
  row: SummaryRow | undefined
  /** its store id */
  id: string | undefined
  tabIndex: 0 | -1
}

/** A node's name with the link to its web interface, its cluster and the age of its figures. */
export const NodeTitle = ({ name, row, id, tabIndex }: NodeTitleProps) => (
  <>
    <NameLink
      url={row ? row.url : webUrl(undefined, name, 'pve')}
      name={name}
      dimmed={false}
      tabIndex={tabIndex}
    />
    {id !== undefined && <PageLinkBeside kind="nodes" id={id} name={name} tabIndex={tabIndex} />}
    {row?.cluster && <ClusterBadge name={row.cluster} />}
    {id !== undefined && <SiteBadge kind="nodes" id={id} />}
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
