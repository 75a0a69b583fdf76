import { memo } from 'react'
import { useEntity } from '../../live/use-live.ts'
import { FullInText } from '../../parts/forecast/full-in.tsx'
import { ChangesFold } from '../../parts/changes/changes-fold.tsx'
import { HistoryGroup } from '../../parts/history/history-group.tsx'
import { HistoryCharts } from '../../parts/history/history-charts.tsx'
import { DetailsCell, Fact, Facts } from '../../parts/list/details.tsx'
import { isCeph } from '../../parts/storage/ceph.ts'
import { CephDetails } from '../../parts/storage/ceph-details.tsx'
import { PoolDatastore } from './pool-datastore.tsx'

/** Below an expanded storage: its Ceph cluster, if it is on one, and its history. */
export const PoolDetails = memo(function PoolDetails({ id, colSpan }: { id: string; colSpan: number }) {
  const pool = useEntity('storage', id)
  if (!pool) return null
  return (
    <DetailsCell colSpan={colSpan}>
      <HistoryGroup kind="storage" id={id}>
        {isCeph(pool) && <CephDetails source={pool.source} instance={pool.instance} />}
        {isCeph(pool) && (
          <h2 className="mt-5 mb-1.5 text-2xs font-semibold tracking-wide text-ink-3">Storage {pool.name}</h2>
        )}
        <Facts>
          {pool.pbs && <PoolDatastore pbs={pool.pbs} />}
          <Fact term="Full in">
            <FullInText forecast={pool.forecast} />
          </Fact>
        </Facts>
        <HistoryCharts kind="storage" id={id} name={pool.name} alertId={pool.id} />
        <ChangesFold kind="storage" id={id} name={pool.name} />
      </HistoryGroup>
    </DetailsCell>
  )
})
