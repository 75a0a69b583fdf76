import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { useAddress, useAddressValue } from '../../ui/router/use-address.ts'
import { type BackupFilters, backupTableView, filtersIn, noFilters } from './filter.ts'

/** The page's view state. The address holds all of it; the browser also stores the sort order. */
export function useBackupsView() {
  const view = useTableView(backupTableView)
  const address = useAddress()
  const filters = filtersIn(address.params)
  const [day, setDay] = useAddressValue('day')
  const [wanted, setSelected] = useAddressValue<SummaryRowKey>('node')
  // see `nodeKey`, or the id of a backup server; undefined once it is gone
  const hostKey = useLive(
    ['nodes', 'pbs'],
    useCallback(
      (live) => {
        const id = wanted?.slice(4)
        if (id === undefined) return undefined
        if (wanted!.startsWith('pbs:')) return live.get('pbs', id) && id
        const node = live.get('nodes', id)
        return node && nodeKey(node)
      },
      [wanted],
    ),
  )
  const server = useLive(
    ['pbs'],
    useCallback(
      (live) => (wanted?.startsWith('pbs:') ? live.get('pbs', wanted.slice(4))?.name : undefined),
      [wanted],
    ),
  )
  const selected = hostKey === undefined ? undefined : wanted
  const choose = <N extends keyof BackupFilters>(name: N, value: BackupFilters[N]) =>
    address.set({ [name]: value === noFilters[name] ? undefined : value })

  return {
    sort: view.sort,
    setSort: view.setSort,
    search: view.search,
    setSearch(search: string) {
      // only remote backups are on backup servers
      if (namesServer(search)) choose('source', 'remote')
      view.setSearch(search)
    },
    chosen: filters,
    choose,
    day,
    pickDay: (picked: string | undefined) => setDay(picked === day ? undefined : picked),
    selected,
    hostKey,
    /** name of the selected backup server */
    server,
    select(key: SummaryRowKey | undefined) {
      setSelected(key)
      const isServer = key?.startsWith('pbs:') ?? false
      if (isServer) choose('source', 'remote')
      else if (selected?.startsWith('pbs:')) choose('source', 'all')
    },
    isDefault:
      view.isDefault &&
      day === undefined &&
      selected === undefined &&
      filters.source === 'all' &&
      filters.type === 'all' &&
      filters.grouping === 'date',
    reset() {
      view.reset()
      address.set({
        source: undefined,
        type: undefined,
        grouping: undefined,
        day: undefined,
        node: undefined,
      })
    },
  }
}

export type BackupsView = ReturnType<typeof useBackupsView>

const namesServer = (search: string): boolean => /(?:^|[\s,])pbs:[^\s,]/i.test(search)
