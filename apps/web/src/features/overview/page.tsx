import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAfterFirstPaint, useLive } from '../../live/use-live.ts'
import { DensityToggle } from '../../parts/screen/density.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import { FilterLine } from '../../parts/filter-bar/filter-line.tsx'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { LiveCard, LiveFigures, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { NodeSummary } from '../../parts/node-summary/node-summary.tsx'
import { sameCounts } from '../../parts/node-summary/rows.ts'
import { SearchBox } from '../../parts/search/search-box.tsx'
import { SearchTips } from '../../parts/search/search-tips.tsx'
import { deadTermsText } from '../../parts/search/dead-terms-text.ts'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { foldingTableKeys } from '../../parts/keys/table-keys.ts'
import { useNarrow } from '../../parts/screen/use-narrow.ts'
import { usePhone } from '../../parts/screen/use-phone.ts'
import { guestColumns } from './columns.tsx'
import { selectGuestCounts, selectNoCounts } from './counts.ts'
import { EstateFigures } from './estate-figures.tsx'
import { NoGuests, NothingYet } from './empty.tsx'
import { guestToggles, searchTips } from './filter.ts'
import { useGuestLinks } from '../../parts/guests/guest-links.ts'
import { GuestTable } from './guest-table.tsx'
import { useGuestTrails } from './guest-trails.ts'
import { Legend } from './legend.tsx'
import { overviewSkeleton } from './skeleton.tsx'
import { SortNote } from './sort-note.tsx'
import { useGuestList } from './use-guest-list.ts'
import { useOverviewView } from './use-overview-view.ts'

const texts = { loading: 'Loading dashboard data' }

/** Nodes, virtual machines and containers. */
export function OverviewPage() {
  const hasServers = useLive(['pbs'], (live) => live.records('pbs').size > 0)
  const hasNodes = useLive(
    ['nodes', 'guests'],
    (live) => live.records('nodes').size + live.records('guests').size > 0,
  )
  return (
    <LivePage
      title="Overview"
      texts={texts}
      hasFigures={hasServers || hasNodes}
      empty={<NothingYet />}
      skeleton={overviewSkeleton}
    >
      <Dashboard hasNodes={hasNodes} />
    </LivePage>
  )
}

function Dashboard({ hasNodes }: { hasNodes: boolean }) {
  const view = useOverviewView()
  const [held, setHeld] = useState(false)
  const phone = usePhone()
  const narrow = useNarrow()
  const links = useGuestLinks()
  const trails = useGuestTrails()
  const counted = useAfterFirstPaint()
  const counts = useLive(['nodes', 'guests'], counted ? selectGuestCounts : selectNoCounts, sameCounts)
  const list = useGuestList(view, held)
  const problem = deadTermsText(view.search, 'guests')
  const search = useRef<HTMLInputElement>(null)
  const table = useRef<GridHandle>(null)

  return (
    <div className="flex flex-col gap-2">
      <PageKeys
        keys={foldingTableKeys}
        focusSearch={() => {
          flushSync(() => {
            view.showGuests()
            view.showFilters(true)
          })
          search.current?.focus()
        }}
        onEscape={() => (view.isDefault ? view.showFilters(!view.filtersShown) : view.reset())}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <LiveFigures>
          <EstateFigures pressed={view.figure} onPress={view.press} />
        </LiveFigures>
        <LiveNotice />
      </div>
      <LiveFigures>
        <NodeSummary
          tab="overview"
          counts={counts}
          selected={view.selected}
          onSelect={view.select}
          focus={view.focus === 'nodes' ? 'all' : view.focus}
          onShowAll={view.showAll}
        />
      </LiveFigures>
      {!hasNodes && <NothingYet />}
      {hasNodes && view.focus !== 'nodes' && (
        <>
          <FilterLine
            shown={view.filtersShown}
            onShow={view.showFilters}
            active={view.filters}
            bar={(id) => (
              <FilterBar
                id={id}
                view={view}
                toggles={guestToggles}
                columns={guestColumns}
                withSort={narrow}
                search={
                  <SearchBox
                    label="Search guests"
                    placeholder="Search or filter, e.g. cpu>80"
                    value={view.search}
                    onChange={view.setSearch}
                    history="dashboard"
                    tips={<SearchTips {...searchTips} />}
                    inputRef={search}
                    onLeaveDown={() => table.current?.enter()}
                    problem={problem}
                  />
                }
              />
            )}
          >
            {!view.filtersShown && (
              <SortNote
                sort={view.sort}
                phone={phone}
                narrow={narrow}
                onOpen={() => view.showFilters(true)}
              />
            )}
            {!phone && <DensityToggle className="order-last ml-auto" />}
          </FilterLine>
          <LiveCard>
            {list.rows.length > 0 ? (
              <GuestTable
                rows={list.rows}
                view={view}
                links={links}
                trails={trails}
                phone={phone}
                narrow={narrow}
                onHold={setHeld}
                handle={table}
              />
            ) : (
              <NoGuests
                problem={problem}
                search={view.search.trim()}
                onReset={view.isDefault ? undefined : view.reset}
              />
            )}
            <Legend {...list} filtered={view.filters > 0} />
          </LiveCard>
        </>
      )}
    </div>
  )
}
