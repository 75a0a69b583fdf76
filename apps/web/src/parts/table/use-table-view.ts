import { type Preference, type PreferenceKey, preferences } from '@pulse/contract'
import { useState } from 'react'
import { readPreference, writePreference } from '../../lib/storage.ts'
import { useAddress } from '../../ui/router/use-address.ts'
import { useAddressText } from '../../ui/router/use-address-text.ts'
import { type Direction, flipSort, type Sort } from '../../ui/table/sort.ts'

/** Keys of preferences with only these values. */
type KeysOf<Value> = {
  [K in PreferenceKey]: [Preference<K>] extends [Value] ? K : never
}[PreferenceKey]

/** The view state of a page. The address uses the names, the browser's storage the preference keys. */
interface TableViewSpec {
  sortKey: PreferenceKey
  sortDirection: KeysOf<Direction>
  /** preference for visible filters; without it they are always visible */
  filtersShown?: KeysOf<'true' | 'false'>
  /** settings that hide records */
  filters: Readonly<Record<string, PreferenceKey>>
  /** settings that change the layout only */
  layout: Readonly<Record<string, PreferenceKey>>
}

export const defineTableView = <const S extends TableViewSpec>(spec: S): S => spec

type Chosen<S extends TableViewSpec> = {
  [N in keyof S['filters']]: Preference<S['filters'][N]>
} & { [N in keyof S['layout']]: Preference<S['layout'][N]> }

export interface TableView<S extends TableViewSpec> {
  search: string
  setSearch(search: string): void
  /** values by the names of the spec */
  chosen: Chosen<S>
  choose<N extends keyof Chosen<S>>(name: N, value: Chosen<S>[N]): void
  sort: Sort<Preference<S['sortKey']>>
  setSort(sort: Sort<Preference<S['sortKey']>>): void
  sortBy(column: { id: Preference<S['sortKey']>; firstDirection: Direction }): void
  filtersShown: boolean
  showFilters(show: boolean): void
  /** number of active filters */
  filters: number
  /** all values are the defaults */
  isDefault: boolean
  reset(): void
}

type Values = Readonly<Record<string, string | undefined>>

/**
 * The view of a page, from its address. Missing parameters come from the preferences that the browser had
 * when the page was opened, so two windows can have different views.
 */
export function useTableView<const S extends TableViewSpec>(spec: S): TableView<S> {
  type SortKey = Preference<S['sortKey']>
  const address = useAddress()
  const [search, setSearch] = useAddressText('search')
  const { filtersShown } = spec
  const filters = Object.entries(spec.filters)
  /** preference key by parameter name */
  const named: Record<string, PreferenceKey> = {
    ...spec.filters,
    ...spec.layout,
    sort: spec.sortKey,
    order: spec.sortDirection,
  }
  const [preferred, setPreferred] = useState<Values>(() =>
    Object.fromEntries(
      [...Object.values(named), ...(filtersShown ? [filtersShown] : [])].map((key) => [
        key,
        readPreference(key),
      ]),
    ),
  )
  const valueOf = (name: string): string | undefined => {
    const key = named[name]!
    const param = address.params.get(name)
    const isKnown = param !== null && (preferences[key].values as readonly string[]).includes(param)
    return isKnown ? param : preferred[key]
  }
  const isInitial = (name: string) => valueOf(name) === preferences[named[name]!].initial

  const prefer = (values: Values) => {
    for (const [key, value] of Object.entries(values)) write(key as PreferenceKey, value)
    setPreferred((before) => ({ ...before, ...values }))
  }
  const set = (values: Readonly<Record<string, string>>) => {
    prefer(Object.fromEntries(Object.entries(values).map(([name, value]) => [named[name]!, value])))
    address.set(values)
  }

  const names = [...Object.keys(spec.filters), ...Object.keys(spec.layout)]
  const chosen = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Chosen<S>
  const sort = { key: valueOf('sort') as SortKey, direction: valueOf('order') as Direction }
  const setSort = (next: Sort<SortKey>) => set({ sort: next.key, order: next.direction })
  const narrowing = filters.filter(([name]) => !isInitial(name)).length + Number(search.trim() !== '')

  return {
    search,
    setSearch,
    chosen,
    choose: (name, value) => set({ [name as string]: value as string }),
    sort,
    setSort,
    sortBy: (column) => setSort(flipSort(sort, column)),
    filtersShown: !filtersShown || preferred[filtersShown] === 'true',
    showFilters: (show) => filtersShown && prefer({ [filtersShown]: show ? 'true' : 'false' }),
    filters: narrowing,
    isDefault: search === '' && Object.keys(named).every(isInitial),
    reset() {
      setSearch('')
      for (const key of Object.values(named))
        if (readPreference(key) !== preferences[key].initial) writePreference(key, undefined)
      setPreferred((before) => ({
        ...before,
        ...Object.fromEntries(Object.values(named).map((key) => [key, preferences[key].initial])),
      }))
      address.set(Object.fromEntries([...Object.keys(named), 'search'].map((name) => [name, undefined])))
    },
  }
}

/** The caller's types ensure that value and key fit. */
const write = (key: PreferenceKey, value: string | undefined) =>
  writePreference(key, value as Preference<typeof key> | undefined)
