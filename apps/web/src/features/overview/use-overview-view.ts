import { useState } from 'react'
import { usePreference } from '../../lib/storage.ts'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { flipSort, type Sort } from '../../ui/table/sort.ts'
import type { GuestColumn, GuestColumnId } from './columns.ts'

/** What the page shows and how: kept in the browser, but for the search and the selected node. */
export function useOverviewView() {
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<SummaryRowKey>()
  const [type, setType] = usePreference('dashboardViewMode')
  const [status, setStatus] = usePreference('dashboardStatusMode')
  const [grouping, setGrouping] = usePreference('dashboardGroupingMode')
  const [shown, setShown] = usePreference('dashboardShowFilters')
  const [key, setKey] = usePreference('sortKey')
  const [direction, setDirection] = usePreference('sortDirection')
  const sort: Sort<GuestColumnId> = { key, direction }

  const setSort = (next: Sort<GuestColumnId>) => {
    setKey(next.key)
    setDirection(next.direction)
  }
  /** how many things keep guests from being shown */
  const filters =
    Number(search.trim() !== '') +
    Number(selected !== undefined) +
    Number(type !== 'all') +
    Number(status !== 'all')

  return {
    search,
    setSearch,
    selected,
    select(node: SummaryRowKey | undefined) {
      setSelected(node)
      if (node !== undefined) setShown('true')
    },
    type,
    setType,
    status,
    setStatus,
    grouping,
    setGrouping,
    sort,
    sortBy: (column: Pick<GuestColumn, 'id' | 'first'>) => setSort(flipSort(sort, column)),
    setSort,
    filtersShown: shown === 'true',
    showFilters: (show: boolean) => setShown(show ? 'true' : 'false'),
    filters,
    isDefault:
      filters === 0 && search === '' && grouping === 'grouped' && key === 'vmid' && direction === 'asc',
    reset() {
      setSearch('')
      setSelected(undefined)
      setType('all')
      setStatus('all')
      setGrouping('grouped')
      setSort({ key: 'vmid', direction: 'asc' })
    },
  }
}

export type OverviewView = ReturnType<typeof useOverviewView>
