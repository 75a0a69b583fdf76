import { memo, type RefObject, useDeferredValue, useMemo, useRef } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import {
  type AlertLevels,
  alertLevels,
  sameLevels,
  selectAlertLevels,
} from '../../parts/alerts/alert-levels.ts'
import { diskTrouble } from '../../parts/alerts/attention.ts'
import { createListSelector } from '../../parts/list/list-selector.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { DensityToggle } from '../../parts/screen/density.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { usePhone } from '../../parts/screen/use-media.ts'
import { diskHealth } from '../../parts/alerts/disk-health.ts'
import { withSiteTip } from '../../parts/search/site-tip.ts'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { TrendsToggle, useTrends } from '../../parts/trends/trends.tsx'
import type { Sort } from '../../ui/table/sort.ts'
import { type DiskColumnId, diskColumns, expandedDisks } from './disk-columns.tsx'
import { DiskDetails } from './disk-details.tsx'
import { DiskLegend } from './disk-legend.tsx'
import { NoDisks } from './empty.tsx'
import { diskSearchTips } from './filter.ts'
import { nodeNames } from './pool-groups.ts'
import { siteOfSources, useSites } from '../../parts/sources/sites.tsx'
import { compileDiskSearch, type DiskPredicate } from './storage-search.ts'
import type { StorageView } from './use-storage-view.ts'

interface DisksProps {
  view: StorageView
  search: RefObject<HTMLInputElement | null>
}

const kinds = ['physicalDisks', 'nodes', 'activeAlerts'] as const
/** px at the default text size; the minimum for nine columns */
const MIN_WIDTH = 760

/** Remaining life is the same for days, so it has no trend of an hour. */
const trendSources: readonly TrendSource[] = [
  { rows: 'disk', kind: 'physicalDisks', fields: ['temperature'] },
]

/** The tab with physical disks. */
export function Disks({ view, search }: DisksProps) {
  const { disks, node, attention } = view
  const phone = usePhone()
  const table = useRef<GridHandle>(null)
  const { key, direction } = disks.sort
  const selectedKey = node?.nodeKey
  const term = useDeferredValue(disks.search)
  const sites = useSites()
  const select = useMemo(
    () =>
      createDiskListSelector({
        matches: compileDiskSearch(term, siteOfSources(sites)),
        sort: { key, direction },
        node: selectedKey,
        attention,
      }),
    [term, sites, key, direction, selectedKey, attention],
  )
  const list = useLive(kinds, select)
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const underlay = useTrends({ sources: trendSources, columns: diskColumns, phone })
  return (
    <>
      <div className="flex items-center gap-2">
        <FilterBar
          id="disk-filters"
          view={{ ...disks, chosen: {}, choose: () => {} }}
          toggles={{}}
          columns={diskColumns}
          withSort={phone}
          search={{
            label: 'Search disks',
            placeholder: phone ? 'Search disks' : 'Search model, device, serial or node',
            history: 'storage',
            inputRef: search,
            onLeaveDown: () => table.current?.enter(),
            tips: withSiteTip(diskSearchTips, 'disks', sites.size > 0),
            beside: phone && <TrendsToggle />,
          }}
        />
        {!phone && <TrendsToggle />}
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
            drawRecord={(row) => <DiskRow {...row} alerts={alerts} phone={phone} />}
            details={{ expansion: expandedDisks, draw: drawDetails }}
            underlay={underlay}
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
        <DiskLegend counts={list.counts} filtered={view.reset !== undefined} />
      </LiveCard>
    </>
  )
}

const drawDetails = (id: string) => <DiskDetails id={id} colSpan={diskColumns.length} />

interface DiskRowProps {
  id: string
  alerts: AlertLevels
  expanded: boolean
  phone: boolean
  tabIndex: 0 | -1
}

const DiskRow = memo(function DiskRow({ id, alerts, expanded, phone, tabIndex }: DiskRowProps) {
  const disk = useEntity('physicalDisks', id)
  if (!disk) return null
  const stale = disk.staleSince !== undefined
  const alert = alerts.get(disk.id)
  return (
    <ColumnRow
      columns={diskColumns}
      shown={{ id, disk, stale, alert, expanded, tabIndex }}
      phone={phone}
      dimmed={stale}
      open={expanded}
      alert={alert}
    />
  )
})

interface DiskQuery {
  matches: DiskPredicate
  sort: Sort<DiskColumnId>
  /** only disks of this node, see `nodeKey` */
  node: string | undefined
  /** only disks that need attention */
  attention: boolean
}

const diskListNames = { record: 'disk', group: 'node' } as const

function createDiskListSelector({ matches, sort, node, attention }: DiskQuery) {
  const { value } = diskColumns.find(({ id }) => id === sort.key)!
  return createListSelector({
    kind: 'physicalDisks',
    names: diskListNames,
    context: (live) => [nodeNames(live), alertLevels(live)] as const,
    direction: sort.direction,
    toItem(disk, [names, alerts]) {
      const own = nodeKey(disk)
      if (node !== undefined && node !== own) return undefined
      if (!matches(disk, names)) return undefined
      if (attention && !diskTrouble(disk, alerts.get(disk.id))) return undefined
      return {
        value: value(disk, undefined),
        tiebreaker: `${disk.node} ${disk.devPath}`,
        group: own,
        category: diskHealth(disk),
      }
    },
  })
}
