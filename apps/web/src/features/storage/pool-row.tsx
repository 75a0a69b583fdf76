import type { Storage } from '@pulse/contract'
import { memo, useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { useNear } from '../../parts/forecast/full-in.tsx'
import { indexNodes, nodeState } from '../../parts/nodes/nodes.ts'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import { cephOf, cephTone, isCeph } from '../../parts/storage/ceph.ts'
import type { PoolGrouping } from './filter.ts'
import { groupOf, whereText } from './pool-groups.ts'
import { poolColumns } from './pool-columns.tsx'
import type { PoolLine } from './pool-line.ts'

interface PoolRowProps {
  id: string
  grouping: PoolGrouping
  alerts: AlertLevels
  /** wire ids of those that will be full soon */
  fullSoon: ReadonlySet<string>
  expanded: boolean
  phone: boolean
  tabIndex: 0 | -1
}

export const PoolRow = memo(function PoolRow(props: PoolRowProps) {
  const { id, grouping, alerts, fullSoon, expanded, phone, tabIndex } = props
  const pool = useEntity('storage', id)
  const grouped = grouping === 'node'
  const isHeadOld = useIsHeadOld(grouped ? pool : undefined)
  const ceph = useCephTone(pool)
  const fullNear = useNear(pool?.forecast)
  if (!pool) return null
  const stale = pool.staleSince !== undefined
  const line: PoolLine = {
    id,
    pool,
    stale,
    staleSince: isHeadOld ? undefined : pool.staleSince,
    where: grouped ? undefined : whereText(pool),
    ceph: ceph === 'yellow' || ceph === 'red' ? ceph : undefined,
    expanded,
    indented: grouped,
    dimmed: pool.status !== 'available' || stale,
    alert: alerts.get(pool.id),
    fullSoon: fullSoon.has(pool.id),
    fullNear,
    tabIndex,
  }
  return (
    <ColumnRow
      columns={poolColumns(grouping)}
      shown={line}
      phone={phone}
      dimmed={line.dimmed}
      open={expanded}
      alert={line.alert}
    />
  )
})

/** The group's head already shows that its node is stale. */
const useIsHeadOld = (pool: Storage | undefined): boolean => {
  const group = pool && groupOf(pool)
  return useLive(
    ['nodes'],
    useCallback((live) => group !== undefined && nodeState(indexNodes(live), group) !== 'online', [group]),
  )
}

const useCephTone = (pool: Storage | undefined) => {
  const { source, instance } = pool ?? {}
  const wanted = pool !== undefined && isCeph(pool)
  return useLive(
    ['cephClusters'],
    useCallback(
      (live) => {
        if (!wanted || source === undefined || instance === undefined) return undefined
        const id = cephOf(live, { source, instance })
        const cluster = id === undefined ? undefined : live.records('cephClusters').get(id)
        return cluster && cephTone(cluster.health)
      },
      [wanted, source, instance],
    ),
  )
}
