import type { Preference, PreferenceKey } from '@pulse/contract'
import { useState } from 'react'
import { isInitial, readPreference, useChangesOf, writePreference } from '../../lib/storage.ts'
import { type Direction, flipSort, type Sort } from '../../ui/table/sort.ts'

/** Preferences that hold nothing but these values. */
type KeysOf<Value> = {
  [K in PreferenceKey]: [Preference<K>] extends [Value] ? K : never
}[PreferenceKey]

/** What of a page is kept in the browser, by the name of the preference. */
interface TableViewSpec {
  sortKey: PreferenceKey
  sortDirection: KeysOf<Direction>
  /** whether the filters are; without it they always are */
  filtersShown?: KeysOf<'true' | 'false'>
  /** what keeps records from being shown */
  filters: Readonly<Record<string, PreferenceKey>>
  /** what only changes how they are shown */
  layout: Readonly<Record<string, PreferenceKey>>
}

export const defineTableView = <const S extends TableViewSpec>(spec: S): S => spec

type Chosen<S extends TableViewSpec> = {
  [N in keyof S['filters']]: Preference<S['filters'][N]>
} & { [N in keyof S['layout']]: Preference<S['layout'][N]> }

export interface TableView<S extends TableViewSpec> {
  search: string
  setSearch(search: string): void
  /** by the names of the spec */
  chosen: Chosen<S>
  choose<N extends keyof Chosen<S>>(name: N, value: Chosen<S>[N]): void
  sort: Sort<Preference<S['sortKey']>>
  setSort(sort: Sort<Preference<S['sortKey']>>): void
  sortBy(column: { id: Preference<S['sortKey']>; first: Direction }): void
  filtersShown: boolean
  showFilters(show: boolean): void
  /** how many things keep records from being shown */
  filters: number
  /** nothing to reset */
  isDefault: boolean
  reset(): void
}

/** What a page shows and how. All is kept in the browser, but for the search. */
export function useTableView<const S extends TableViewSpec>(spec: S): TableView<S> {
  type SortKey = Preference<S['sortKey']>
  const [search, setSearch] = useState(askedSearch)
  const filters = Object.values(spec.filters)
  const resettable = [...filters, ...Object.values(spec.layout), spec.sortKey, spec.sortDirection]
  const { filtersShown } = spec
  useChangesOf(filtersShown ? [...resettable, filtersShown] : resettable)

  const named = { ...spec.filters, ...spec.layout }
  const chosen = Object.fromEntries(
    Object.entries(named).map(([name, key]) => [name, readPreference(key)]),
  ) as Chosen<S>
  const sort = {
    key: readPreference(spec.sortKey) as SortKey,
    direction: readPreference(spec.sortDirection) as Direction,
  }
  const setSort = (next: Sort<SortKey>) => {
    write(spec.sortKey, next.key)
    write(spec.sortDirection, next.direction)
  }
  const narrowing = filters.filter((key) => !isInitial(key)).length + Number(search.trim() !== '')

  return {
    search,
    setSearch,
    chosen,
    choose: (name, value) => write(named[name as string]!, value as string),
    sort,
    setSort,
    sortBy: (column) => setSort(flipSort(sort, column)),
    filtersShown: !filtersShown || readPreference(filtersShown) === 'true',
    showFilters: (show) => filtersShown && write(filtersShown, show ? 'true' : 'false'),
    filters: narrowing,
    isDefault: search === '' && resettable.every(isInitial),
    reset() {
      setSearch('')
      for (const key of resettable) if (!isInitial(key)) writePreference(key, undefined)
    },
  }
}

/** What a link to the page searches for. */
export const askedSearch = (): string => new URLSearchParams(window.location.search).get('search') ?? ''

/** Which value belongs to which key is checked where the view is used. */
const write = (key: PreferenceKey, value: string) => writePreference(key, value as Preference<typeof key>)
