import type { Storage } from '@pulse/contract'
import { useCallback, useMemo, useRef, useState } from 'react'
import { formatBytes } from '../lib/format.ts'
import { useEntity, useLive } from '../live/use-live.ts'
import { Cell, drawUsageCell, NumberCell } from '../parts/cells/cells.tsx'
import { FilterBar } from '../parts/filter-bar/filter-bar.tsx'
import { FilterLine } from '../parts/filter-bar/filter-line.tsx'
import { createExpansion } from '../parts/list/expansion.ts'
import { createListSelector } from '../parts/list/list-selector.ts'
import { ListTable } from '../parts/list/list-table.tsx'
import { LiveCard, LiveNotice, LivePage } from '../parts/live-page/live-page.tsx'
import { usePhone } from '../parts/screen/use-media.ts'
import type { ListColumn } from '../parts/table/column.ts'
import { ColumnRow } from '../parts/table/column-row.tsx'
import { defineTableView, useTableView } from '../parts/table/use-table-view.ts'
import type { Page } from './routes.ts'

// A complete page about pools: its columns, its view, its list and its rendering.

type PoolColumn = ListColumn<Storage, undefined, Storage, 'name' | 'node' | 'usage' | 'free'>

const poolColumns: readonly PoolColumn[] = [
  {
    id: 'name',
    header: 'Pool',
    firstDirection: 'asc',
    track: 'minmax(140px, 2fr)',
    value: (pool) => pool.name,
    cell: (pool) => <Cell>{pool.name}</Cell>,
    phone: { slot: 'name', draw: (pool) => pool.name },
  },
  {
    id: 'node',
    header: 'Node',
    firstDirection: 'asc',
    track: '100px',
    value: (pool) => pool.node,
    cell: (pool) => <Cell>{pool.node}</Cell>,
    phone: { slot: 'fact', draw: (pool) => pool.node },
  },
  {
    id: 'usage',
    header: 'Usage',
    firstDirection: 'desc',
    track: '1fr',
    changesOften: true,
    value: (pool) => pool.usage,
    cell: (pool) => drawUsageCell({ percent: pool.usage, scale: 'disk' }),
    phone: { slot: 'figure', label: 'Used', draw: (pool) => formatBytes(pool.used) },
  },
  {
    id: 'free',
    header: 'Free',
    firstDirection: 'asc',
    track: '80px',
    align: 'end',
    value: (pool) => pool.free,
    cell: (pool) => <NumberCell>{formatBytes(pool.free)}</NumberCell>,
  },
]

const poolView = defineTableView({
  sortKey: 'storageSortKey',
  sortDirection: 'storageSortDirection',
  filters: {},
  layout: { grouping: 'storageViewMode' },
})

const toggles = {
  grouping: {
    label: 'Group',
    options: [
      { value: 'node', label: 'By Node' },
      { value: 'storage', label: 'By Storage' },
    ],
  },
} as const

const names = { record: 'pool', group: 'node' } as const
export const openPools = createExpansion()

function Pools() {
  const hasPools = useLive(['storage'], (live) => live.records('storage').size > 0)
  return (
    <LivePage
      title="Pools"
      texts={{ loading: 'Loading pools' }}
      hasFigures={hasPools}
      empty={<p>No pools configured</p>}
    >
      <PoolList />
    </LivePage>
  )
}

function PoolList() {
  const view = useTableView(poolView)
  const phone = usePhone()
  const [inUse, setInUse] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const { key, direction } = view.sort
  const grouped = view.chosen.grouping === 'node'
  const term = view.search
  const select = useMemo(
    () =>
      createListSelector({
        kind: 'storage',
        names,
        context: () => [] as const,
        direction,
        toItem: (pool) =>
          pool.name.includes(term)
            ? { value: valueOf(key, pool), tiebreaker: 0, group: pool.node, category: pool.status }
            : undefined,
        ...(grouped && { groups: (present: readonly string[]) => present.toSorted() }),
      }),
    [key, direction, grouped, term],
  )
  const list = useLive(
    ['storage'],
    useCallback((live) => select(live, inUse), [select, inUse]),
  )
  return (
    <>
      <FilterLine
        shown={view.filtersShown}
        onShow={view.showFilters}
        active={view.filters}
        bar={(id) => (
          <FilterBar
            id={id}
            view={view}
            toggles={toggles}
            columns={poolColumns}
            withSort={phone}
            search={{
              label: 'Search pools',
              placeholder: '',
              history: 'storage',
              inputRef: search,
            }}
          />
        )}
      >
        <LiveNotice />
      </FilterLine>
      <LiveCard>
        <ListTable
          label="Pools"
          names={names}
          rows={list.rows}
          columns={poolColumns}
          sort={view.sort}
          onSort={view.sortBy}
          grouped={grouped}
          drawGroup={({ id }) => <div role="gridcell">{`on ${id}`}</div>}
          drawRecord={({ id, expanded }) => <PoolRow id={id} expanded={expanded} phone={phone} />}
          details={{ expansion: openPools, draw: (id) => <div role="gridcell">{`details of ${id}`}</div> }}
          minWidth={760}
          phone={phone}
          onInUseChange={setInUse}
        />
      </LiveCard>
    </>
  )
}

const valueOf = (key: string, pool: Storage) =>
  poolColumns.find(({ id }) => id === key)?.value(pool, undefined)

function PoolRow({ id, expanded, phone }: { id: string; expanded: boolean; phone: boolean }) {
  const pool = useEntity('storage', id)
  return pool && <ColumnRow columns={poolColumns} shown={pool} phone={phone} open={expanded} />
}

/** The only other step to add a page: an entry in the page table. */
export const poolPage = (adminTo?: string): Page => ({
  path: '/proxmox/pools',
  area: 'proxmox',
  label: 'Pools',
  listedWhile: { kinds: ['storage'], holds: (live) => live.records('storage').size > 0 },
  ...(adminTo !== undefined && { adminTo }),
  load: async () => Pools,
})
