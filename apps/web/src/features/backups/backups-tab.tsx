import { backupFields, compileSearch, type SearchFields, withSite } from '@pulse/domain'
import { CalendarDays, Clock } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useRef } from 'react'
import { usePreference } from '../../lib/storage.ts'
import { DensityToggle } from '../../parts/screen/density.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { tableKeys } from '../../parts/keys/table-keys.ts'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { usePhone } from '../../parts/screen/use-media.ts'
import { deadTermsText } from '../../parts/search/dead-terms-text.ts'
import { withSiteTip } from '../../parts/search/site-tip.ts'
import { siteOfSources, useSites } from '../../parts/sources/sites.tsx'
import type { BackupRow } from '../../parts/backups/backup-row.ts'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import type { BackupIndexer } from './backup-index.ts'
import { type BackupList, countDays, createBackupListSelector } from './backup-list.ts'
import { noonOf } from '../../parts/backups/backup-row.ts'
import { BackupTable } from './backup-table.tsx'
import { BackupChart } from './chart.tsx'
import { sortColumns } from './columns.tsx'
import { NoMatch, StillReading } from './empty.tsx'
import { backupToggles, searchTips } from './filter.ts'
import { useReading } from '../../parts/backups/reading.ts'
import type { BackupsView } from './use-backups-view.ts'
import { useIndexed } from './use-indexed.ts'

interface BackupsTabProps {
  view: BackupsView
  indexOf: BackupIndexer
}

/** All backups: by day in the chart, one by one in the table. */
export function BackupsTab({ view, indexOf }: BackupsTabProps) {
  const phone = usePhone()
  const list = useBackupList(view, indexOf)
  const hasHosts = useIndexed(
    indexOf,
    useCallback((live) => indexOf(live).hasHosts, [indexOf]),
  )
  const hasOwners = useIndexed(
    indexOf,
    useCallback((live) => indexOf(live).hasOwners, [indexOf]),
  )
  const server = view.selected?.startsWith('pbs:') ? view.hostKey : undefined
  const fields = useBackupFields()
  const problem = deadTermsText(view.search, 'backups', fields)
  const reading = useReading()
  const mayBeSnapshots = (view.chosen.source === 'all' || view.chosen.source === 'snapshot') && !problem
  const days = useMemo(() => countDays(list.counts), [list.counts])
  const search = useRef<HTMLInputElement>(null)
  const table = useRef<GridHandle>(null)
  return (
    <>
      <PageKeys keys={tableKeys} focusSearch={() => search.current?.focus()} onEscape={view.reset} />
      <LiveCard>
        <BackupChart days={days} picked={view.day} onPick={view.pickDay} server={server} />
      </LiveCard>
      <div className="flex">
        <FilterBar
          id="backup-filters"
          view={view}
          toggles={backupToggles(hasHosts)}
          columns={sortColumns}
          withSort
          search={{
            label: 'Search backups',
            placeholder: phone ? 'Search or filter' : 'Search or filter, e.g. node:pve1',
            history: 'backups',
            tips: withSiteTip(searchTips, 'backups', fields.texts.has('site')),
            inputRef: search,
            onLeaveDown: () => table.current?.enter(),
            problem,
            beside: phone && <RelativeTimes />,
          }}
        >
          {!phone && <RelativeTimes />}
          {!phone && <DensityToggle />}
        </FilterBar>
      </div>
      {view.day !== undefined && <FilteredDate day={view.day} onClear={() => view.pickDay(view.day)} />}
      <LiveCard>
        {list.rows.length > 0 ? (
          <BackupTable
            list={list}
            view={view}
            indexOf={indexOf}
            hasOwners={hasOwners}
            phone={phone}
            handle={table}
          />
        ) : reading && mayBeSnapshots ? (
          <StillReading reading={reading} />
        ) : (
          <NoMatch problem={problem} onReset={view.isDefault ? undefined : view.reset} />
        )}
      </LiveCard>
    </>
  )
}

/** Shows ages instead of dates; stored in the browser. */
function RelativeTimes() {
  const [relative, setRelative] = usePreference('backupsUseRelativeTime')
  const pressed = relative === 'true'
  return (
    <IconButton
      label="Relative times"
      aria-pressed={pressed}
      className={cx(pressed && 'bg-accent-soft text-accent')}
      onClick={() => setRelative(pressed ? 'false' : 'true')}
    >
      <Clock aria-hidden size={15} />
    </IconButton>
  )
}

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Shows that the list is limited to one day. */
const FilteredDate = ({ day, onClear }: { day: string; onClear: () => void }) => (
  <FilterChip icon={<CalendarDays aria-hidden size={13} />} onClear={onClear}>
    <span className="font-medium">Filtered Date</span>
    <span className="max-sm:hidden">{long.format(noonOf(day))}</span>
    <span className="sm:hidden">{short.format(noonOf(day))}</span>
  </FilterChip>
)

/** The fields of the search; `site` if there are sites. */
function useBackupFields(): SearchFields<[backup: BackupRow]> {
  const sites = useSites()
  return useMemo(() => {
    const siteOf = siteOfSources(sites)
    return siteOf ? withSite<[backup: BackupRow]>(backupFields, siteOf) : backupFields
  }, [sites])
}

/** The view's backups, in its order. */
function useBackupList(view: BackupsView, indexOf: BackupIndexer): BackupList {
  const search = useDeferredValue(view.search)
  const fields = useBackupFields()
  const matches = useMemo(() => compileSearch(search, fields), [search, fields])
  const { day, hostKey } = view
  const { source, type, grouping } = view.chosen
  const { key, direction } = view.sort
  const select = useMemo(
    () =>
      createBackupListSelector(
        { matches, source, type, grouping, day, hostKey, sort: { key, direction } },
        indexOf,
      ),
    [matches, source, type, grouping, day, hostKey, key, direction, indexOf],
  )
  return useIndexed(indexOf, select)
}
