import type { Storage } from '@pulse/contract'
import { type RefObject, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { LiveReader } from '../../live/store.ts'
import { sameSet } from '../../live/per-version.ts'
import { useLive } from '../../live/use-live.ts'
import { sameLevels, selectAlertLevels } from '../../parts/alerts/alert-levels.ts'
import type { List } from '../../parts/list/list-selector.ts'
import { selectFullSoon } from '../../parts/forecast/full-soon.ts'
import { DensityToggle } from '../../parts/screen/density.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { machineTracks, narrowTracks } from '../../parts/nodes/machine-tracks.ts'
import { useNarrow, usePhone } from '../../parts/screen/use-media.ts'
import { isTroubled } from '../../parts/alerts/disk-health.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { TrendsToggle, useTrends } from '../../parts/trends/trends.tsx'
import type { Sort } from '../../ui/table/sort.ts'
import { NoStorage, NoStorageFound } from './empty.tsx'
import { type PoolGrouping, poolSearchTips, poolToggles } from './filter.ts'
import { poolColumns, poolOrders, type PoolSortKey } from './pool-columns.tsx'
import { createPoolListSelector, poolListNames, selectNoted } from './pool-list.ts'
import { PoolDetails } from './pool-details.tsx'
import { openPools } from './pool-name.tsx'
import { PoolRow } from './pool-row.tsx'
import { PoolGroupHead } from './pool-group-head.tsx'
import { withSiteTip } from '../../parts/search/site-tip.ts'
import { siteOfSources, useSites } from '../../parts/sources/sites.tsx'
import { compilePoolSearch } from './storage-search.ts'
import type { StorageView } from './use-storage-view.ts'
import { ZfsNote } from './zfs-note.tsx'

interface PoolsProps {
  view: StorageView
  search: RefObject<HTMLInputElement | null>
}

const poolTrendSources: readonly TrendSource[] = [
  { rows: poolListNames.record, kind: 'storage', fields: ['usage'] },
]

const hasTrouble = ({ zfsPool }: Storage) => zfsPool !== undefined && isTroubled(zfsPool)
const selectTroubled = (live: LiveReader) => selectNoted(live, hasTrouble)

/** The tab with storages. */
export function Pools({ view, search }: PoolsProps) {
  const { pools, node, attention } = view
  const [inUse, setInUse] = useState(false)
  const phone = usePhone()
  const narrow = useNarrow()
  const table = useRef<GridHandle>(null)
  const { grouping } = pools.chosen
  const list = usePoolList(
    { search: pools.search, sort: pools.sort, grouping, node: node?.nodeKey, attention },
    inUse,
  )
  const isEmpty = useLive(['storage'], (live) => live.records('storage').size === 0)
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const hasSites = useSites().size > 0
  const fullSoon = useLive(['activeAlerts'], selectFullSoon)
  const troubled = useLive(['storage'], selectTroubled, sameSet)
  const columns = poolColumns(grouping, narrow)
  const underlay = useTrends({ sources: poolTrendSources, columns, phone })
  const drawDetails = useCallback(
    (id: string) => <PoolDetails id={id} colSpan={columns.length} />,
    [columns.length],
  )
  if (isEmpty) {
    return (
      <LiveCard>
        <NoStorage />
      </LiveCard>
    )
  }
  return (
    <>
      <div className="flex items-center gap-2">
        <FilterBar
          id="pool-filters"
          view={pools}
          toggles={poolToggles}
          columns={poolOrders}
          withSort
          search={{
            label: 'Search storage',
            placeholder: phone ? 'Search storage' : 'Search storage, e.g. node:pve1 zfs',
            history: 'storage',
            tips: withSiteTip(poolSearchTips, 'storages', hasSites),
            inputRef: search,
            onLeaveDown: () => table.current?.enter(),
            beside: phone && <TrendsToggle />,
          }}
        />
        {!phone && <TrendsToggle />}
        {!phone && <DensityToggle />}
      </div>
      <LiveCard>
        {list.rows.length > 0 ? (
          <ListTable
            label="Storage pools"
            names={poolListNames}
            rows={list.rows}
            columns={columns}
            sort={pools.sort}
            onSort={(column) =>
              pools.sortBy({ id: column.id as PoolSortKey, firstDirection: column.firstDirection })
            }
            grouped={grouping === 'node'}
            drawGroup={({ id, tabIndex }) => (
              <PoolGroupHead groupKey={id} colSpan={columns.length} tabIndex={tabIndex} />
            )}
            drawRecord={(row) => (
              <PoolRow {...row} grouping={grouping} alerts={alerts} fullSoon={fullSoon} phone={phone} />
            )}
            details={{ expansion: openPools, draw: drawDetails }}
            notes={{ of: troubled, draw: (id) => <ZfsNote id={id} colSpan={columns.length} /> }}
            underlay={underlay}
            minWidth={(narrow ? narrowTracks : machineTracks).minWidth}
            phone={phone}
            onInUseChange={setInUse}
            handle={table}
          />
        ) : (
          <NoStorageFound
            search={pools.search.trim()}
            node={node?.name}
            attention={attention}
            onReset={view.reset}
          />
        )}
        <PoolLegend
          counts={list.counts}
          orderPending={list.orderPending}
          filtered={view.reset !== undefined}
        />
      </LiveCard>
    </>
  )
}

interface PoolLegendProps extends Pick<List, 'counts' | 'orderPending'> {
  /** some are hidden */
  filtered: boolean
}

/** Problems of the storages shown, and their number if the page's head counts more. */
function PoolLegend({ counts, orderPending, filtered }: PoolLegendProps) {
  const of = (mark: string) => counts.get(mark) ?? 0
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const isBroken = of('unavailable') + of('stale') > 0
  if (!filtered && !orderPending && !isBroken) return null
  return (
    <TableFoot orderPending={orderPending} sticky={filtered || orderPending}>
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

const kinds = ['storage', 'nodes', 'pbs', 'activeAlerts'] as const

interface PoolListView {
  search: string
  sort: Sort<PoolSortKey>
  grouping: PoolGrouping
  node: string | undefined
  attention: boolean
}

/** The view's storages, in its order. While `inUse`, live figures do not change the order. */
function usePoolList(view: PoolListView, inUse: boolean) {
  const { search: typed, sort, grouping, node, attention } = view
  const search = useDeferredValue(typed)
  const sites = useSites()
  const matches = useMemo(() => compilePoolSearch(search, siteOfSources(sites)), [search, sites])
  const { key, direction } = sort
  const keepOrder = inUse && poolOrders.some((order) => order.id === key && order.changesOften)
  const select = useMemo(
    () => createPoolListSelector({ matches, sort: { key, direction }, grouping, node, attention }),
    [matches, key, direction, grouping, node, attention],
  )
  return useLive(
    kinds,
    useCallback((live) => select(live, keepOrder), [select, keepOrder]),
  )
}
