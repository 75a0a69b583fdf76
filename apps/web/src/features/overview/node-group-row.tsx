import { isEqual } from '@pulse/domain'
import { memo, useCallback } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { webUrl } from '../../parts/links.ts'
import { clusterBadge } from '../../parts/node-summary/rows.ts'
import { NameLink } from '../../parts/node-summary/summary-name.tsx'
import { indexNodes } from '../../parts/nodes.ts'
import { StaleBadge } from '../../parts/stale.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'

interface Group {
  name: string
  url: string | undefined
  /** undefined when only its guests know of the node */
  cluster: string | undefined
  online: boolean
  /** nobody answers for it, which is not the same as being off */
  silent: boolean
  staleSince: number | undefined
}

export function describeGroup(live: LiveReader, place: string): Group {
  const known = indexNodes(live).get(place)
  const node = known && live.get('nodes', known.id)
  if (!node) {
    const name = place.slice(place.indexOf('\0') + 1)
    return {
      name,
      url: webUrl(undefined, name, 'pve'),
      cluster: undefined,
      online: true,
      silent: false,
      staleSince: undefined,
    }
  }
  const { name, online, silent } = known
  return {
    name,
    url: webUrl(node.host, node.name, 'pve'),
    cluster: clusterBadge(node),
    online,
    silent,
    staleSince: node.staleSince,
  }
}

interface NodeGroupRowProps {
  place: string
  colSpan: number
  tabIndex: 0 | -1
}

/** Above the guests of a node. */
export const NodeGroupRow = memo(function NodeGroupRow({ place, colSpan, tabIndex }: NodeGroupRowProps) {
  const group = useLive(
    ['nodes'],
    useCallback((live) => describeGroup(live, place), [place]),
    isEqual,
  )
  return (
    <div
      role="gridcell"
      aria-colspan={colSpan}
      data-dimmed={!group.online}
      className={cx(
        'flex h-full items-center gap-2 border-b border-line bg-sunken px-3 text-xs',
        !group.online && 'text-ink-3',
      )}
    >
      <NameLink url={group.url} name={group.name} dimmed={!group.online} tabIndex={tabIndex} />
      {group.cluster && <Badge>{group.cluster}</Badge>}
      {!group.online && !group.silent && <Badge tone="red">Offline</Badge>}
      {group.staleSince !== undefined && <StaleBadge since={group.staleSince} />}
    </div>
  )
})
