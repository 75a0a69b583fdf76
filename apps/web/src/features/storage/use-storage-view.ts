import { isEqual } from '@pulse/domain'
import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { indexNodes } from '../../parts/nodes/nodes.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { type Direction, type Sort, flipSort } from '../../ui/table/sort.ts'
import { useAddressSort } from '../../ui/router/use-address-sort.ts'
import { useAddressText } from '../../ui/router/use-address-text.ts'
import { useAddressValue } from '../../ui/router/use-address.ts'
import { type DiskColumnId, diskColumns } from './disk-columns.tsx'
import { poolTableView } from './filter.ts'

export type StorageTab = 'pools' | 'disks'

const byNode: Sort<DiskColumnId> = { key: 'node', direction: 'asc' }

/** The page's view state; leaving the page clears the selected node. */
export function useStorageView() {
  const pools = useTableView(poolTableView)
  const [tab = 'pools', setTab] = useAddressValue<StorageTab>('tab', ['pools', 'disks'])
  const [diskSearch, setDiskSearch] = useAddressText('disk')
  const [diskSort, setDiskSort] = useAddressSort('disk', diskColumns, byNode)
  const [wanted, setSelected] = useAddressValue<SummaryRowKey>('node')
  const node = useLive(
    ['nodes'],
    useCallback(
      (live) => {
        // a deleted node selects nothing
        for (const [nodeKey, { id, name }] of wanted === undefined ? [] : indexNodes(live)) {
          if (`pve:${id}` === wanted) return { key: wanted, nodeKey, name }
        }
        return undefined
      },
      [wanted],
    ),
    isEqual,
  )
  const disks = {
    search: diskSearch,
    setSearch: setDiskSearch,
    sort: diskSort,
    setSort: setDiskSort,
    sortBy: (column: { id: DiskColumnId; firstDirection: Direction }) =>
      setDiskSort(flipSort(diskSort, column)),
  }
  const [focus, setFocus] = useAddressValue<'attention'>('show', ['attention'])
  const attention = focus === 'attention'
  const isFiltered =
    attention || node !== undefined || (tab === 'pools' ? pools.search : diskSearch).trim() !== ''

  function reset() {
    pools.reset()
    setDiskSearch('')
    setDiskSort(byNode)
    setSelected(undefined)
    setFocus(undefined)
  }

  return {
    tab,
    setTab,
    pools: { ...pools, reset },
    disks: { ...disks, reset },
    node,
    /** the attention filter is active */
    attention,
    showAttention: () => setFocus(attention ? undefined : 'attention'),
    select: setSelected,
    /** clears all filters; undefined while none is set */
    reset: isFiltered ? reset : undefined,
    resetAll: reset,
  }
}

export type StorageView = ReturnType<typeof useStorageView>
