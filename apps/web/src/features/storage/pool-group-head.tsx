import { isEqual } from '@pulse/domain'
import { memo, useCallback } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { GroupFrame, ClusterBadge, NodeTitle } from '../../parts/node-summary/group-head.tsx'
import { Offline } from '../../parts/cells/outage.tsx'
import type { SummaryRow } from '../../parts/node-summary/rows.ts'
import { SiteBadge } from '../../parts/sources/sites.tsx'
import { useNodeId, useNodeRow } from '../../parts/node-summary/use-node-row.ts'
import { instanceOfKey, isSharedGroup, nodeOfKey } from './pool-groups.ts'

interface PoolGroupHeadProps {
  groupKey: string
  colSpan: number
  tabIndex: 0 | -1
}

/** Head of a node's storages, or of those that several nodes share. */
export const PoolGroupHead = memo(function PoolGroupHead({ groupKey, ...props }: PoolGroupHeadProps) {
  const row = useNodeRow(groupKey)
  const id = useNodeId(groupKey)
  if (isSharedGroup(groupKey)) return <SharedHead instance={instanceOfKey(groupKey)} {...props} />
  return <NodeHead name={row?.name ?? nodeOfKey(groupKey)} row={row} id={id} {...props} />
})

type HeadProps = Omit<PoolGroupHeadProps, 'groupKey'>

const line = 'flex h-full items-center gap-2 px-3'

function NodeHead({
  name,
  row,
  id,
  colSpan,
  tabIndex,
}: HeadProps & { name: string; row: SummaryRow | undefined; id: string | undefined }) {
  return (
    <GroupFrame colSpan={colSpan} row={row}>
      <span className={line}>
        <NodeTitle name={name} row={row} id={id} tabIndex={tabIndex} />
        {row?.outage === 'offline' && <Offline since={row.offlineSince} className="ml-auto" />}
      </span>
    </GroupFrame>
  )
}

/** Named after the cluster, or after the connection if the cluster is unknown. */
function SharedHead({ instance, colSpan }: HeadProps & { instance: string }) {
  const { cluster, node } = useLive(
    ['nodes'],
    useCallback((live) => clusterOf(live, instance), [instance]),
    isEqual,
  )
  return (
    <GroupFrame colSpan={colSpan}>
      <span className={line}>
        <span className="font-medium text-ink">Shared</span>
        <ClusterBadge name={cluster} />
        {node !== undefined && <SiteBadge kind="nodes" id={node} />}
      </span>
    </GroupFrame>
  )
}

/** The cluster's name, and the id of one of its nodes. */
function clusterOf(live: LiveReader, instance: string): { cluster: string; node?: string } {
  let one: string | undefined
  for (const [id, node] of live.records('nodes')) {
    if (node.instance !== instance) continue
    one ??= id
    if (node.clusterName) return { cluster: node.clusterName, node: one }
  }
  return { cluster: instance, ...(one !== undefined && { node: one }) }
}
