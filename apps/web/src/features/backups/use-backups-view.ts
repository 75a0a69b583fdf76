import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { useAddress, useAddressValue } from '../../ui/router/use-address.ts'
import { type BackupFilters, backupTableView, filtersIn, noFilters } from './filter.ts'

/** What the page shows and how. All of it stands in the address, its order also in the browser. */
export function useBackupsView() {
  const view = useTableView(backupTableView)
  const address = useAddress()
  const filters = filtersIn(address.params)
  const [day, setDay] = useAddressValue('day')
  const [wanted, setSelected] = useAddressValue<SummaryRowKey>('node')
  // of a node the place, of a backup server its id; what is gone selects nothing any more
  const place = useLive(
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
  const selected = place === undefined ? undefined : wanted
  const choose = <N extends keyof BackupFilters>(name: N, value: BackupFilters[N]) =>
    address.set({ [name]: value === noFilters[name] ? undefined : value })

  return {
    sort: view.sort,
    setSort: view.setSort,
    search: view.search,
    setSearch(search: string) {
      // nothing else is on a backup server
      if (namesServer(search)) choose('source', 'remote')
      view.setSearch(search)
    },
    chosen: filters,
    choose,
    day,
    pickDay: (picked: string | undefined) => setDay(picked === day ? undefined : picked),
    selected,
    place,
    /** the name of the backup server, when one is selected */
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
