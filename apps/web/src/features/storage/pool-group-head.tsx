import { memo, useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import { GroupFrame, ClusterBadge, NodeTitle } from '../../parts/node-summary/group-head.tsx'
import { Offline } from '../../parts/cells/outage.tsx'
import type { SummaryRow } from '../../parts/node-summary/rows.ts'
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
  const cluster = useLive(
    ['nodes'],
    useCallback(
      (live) => {
        for (const node of live.records('nodes').values()) {
          if (node.instance === instance && node.clusterName) return node.clusterName
        }
        return instance
      },
      [instance],
    ),
  )
  return (
    <GroupFrame colSpan={colSpan}>
      <span className={line}>
        <span className="font-medium text-ink">Shared</span>
        <ClusterBadge name={cluster} />
      </span>
    </GroupFrame>
  )
}
