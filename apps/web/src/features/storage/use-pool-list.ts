import { useCallback, useDeferredValue, useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { Sort } from '../../ui/table/sort.ts'
import type { PoolGrouping } from './filter.ts'
import { poolOrders, type PoolSortKey } from './pool-columns.tsx'
import { createPoolListSelector } from './pool-list.ts'
import { compilePoolSearch } from './storage-search.ts'

const kinds = ['storage', 'nodes', 'pbs', 'activeAlerts'] as const

interface PoolListView {
  search: string
  sort: Sort<PoolSortKey>
  grouping: PoolGrouping
  place: string | undefined
  attention: boolean
}

/** The storages that the view shows, in its order; sorted by a figure that moves, it stays while it is `held`. */
export function usePoolList(view: PoolListView, held: boolean) {
  const { search: typed, sort, grouping, place, attention } = view
  const search = useDeferredValue(typed)
  const matches = useMemo(() => compilePoolSearch(search), [search])
  const { key, direction } = sort
  const waits = held && poolOrders.some((order) => order.id === key && order.moves)
  const select = useMemo(
    () => createPoolListSelector({ matches, sort: { key, direction }, grouping, place, attention }),
    [matches, key, direction, grouping, place, attention],
  )
  return useLive(
    kinds,
    useCallback((live) => select(live, waits), [select, waits]),
  )
}
