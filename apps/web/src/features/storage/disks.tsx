import { memo, type RefObject, useCallback, useDeferredValue, useMemo, useRef } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import { type AlertLevels, sameLevels, selectAlertLevels } from '../../parts/alerts/alert-levels.ts'
import { DensityToggle } from '../../parts/screen/density.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { SearchBox } from '../../parts/search/search-box.tsx'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import { usePhone } from '../../parts/screen/use-phone.ts'
import { diskColumns } from './disk-columns.tsx'
import { DiskLegend } from './disk-legend.tsx'
import { createDiskListSelector, diskListNames } from './disk-list.ts'
import { NoDisks } from './empty.tsx'
import { compileDiskSearch } from './storage-search.ts'
import type { StorageView } from './use-storage-view.ts'

interface DisksProps {
  view: StorageView
  search: RefObject<HTMLInputElement | null>
}

const kinds = ['physicalDisks', 'nodes', 'activeAlerts'] as const
/** px of usual letters; as narrow as nine columns can be */
const MIN_WIDTH = 760

/** The tab of the physical disks. */
export function Disks({ view, search }: DisksProps) {
  const { disks, node, attention } = view
  const phone = usePhone()
  const table = useRef<GridHandle>(null)
  const { key, direction } = disks.sort
  const place = node?.place
  const term = useDeferredValue(disks.search)
  const select = useMemo(
    () =>
      createDiskListSelector({
        matches: compileDiskSearch(term),
        sort: { key, direction },
        place,
        attention,
      }),
    [term, key, direction, place, attention],
  )
  const list = useLive(
    kinds,
    useCallback((live) => select(live), [select]),
  )
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  return (
    <>
      <div className="flex items-center gap-2">
        <FilterBar
          id="disk-filters"
          view={{ ...disks, chosen: {}, choose: () => {} }}
          toggles={{}}
          columns={diskColumns}
          withSort={phone}
          search={
            <SearchBox
              label="Search disks"
              placeholder={phone ? 'Search disks' : 'Search model, device, serial or node'}
              value={disks.search}
              onChange={disks.setSearch}
              history="storage"
              inputRef={search}
              onLeaveDown={() => table.current?.enter()}
            />
          }
        />
        {!phone && <DensityToggle />}
      </div>
      <LiveCard>
        {list.rows.length > 0 ? (
          <ListTable
            label="Physical disks"
            names={diskListNames}
            rows={list.rows}
            columns={diskColumns}
            sort={disks.sort}
            onSort={disks.sortBy}
            grouped={false}
            drawRecord={({ id }) => <DiskRow id={id} alerts={alerts} phone={phone} />}
            minWidth={MIN_WIDTH}
            phone={phone}
            handle={table}
          />
        ) : (
          <NoDisks
            search={disks.search.trim()}
            node={node?.name}
            attention={attention}
            onReset={view.reset}
          />
        )}
        <DiskLegend marks={list.marks} filtered={view.reset !== undefined} />
      </LiveCard>
    </>
  )
}

interface DiskRowProps {
  id: string
  alerts: AlertLevels
  phone: boolean
}

const DiskRow = memo(function DiskRow({ id, alerts, phone }: DiskRowProps) {
  const disk = useEntity('physicalDisks', id)
  if (!disk) return null
  const stale = disk.staleSince !== undefined
  const alert = alerts.get(disk.id)
  return (
    <ColumnRow
      columns={diskColumns}
      shown={{ disk, stale, alert }}
      phone={phone}
      faint={stale}
      alert={alert}
    />
  )
})
