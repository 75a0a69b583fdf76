import { Card } from '../../ui/card.tsx'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { NothingFound, NotConfigured } from '../../parts/live-page/nothing.tsx'
import { ArrowDown, ArrowUp, Server } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatNumber } from '../../lib/format.ts'
import type { LiveReader } from '../../live/store.ts'
import { useAfterFirstPaint, useLive } from '../../live/use-live.ts'
import { tallyGuests } from './guest-tally.ts'
import { SkeletonLine, SkeletonTable } from '../../parts/live-page/states.tsx'
import { linesSeen } from '../../parts/node-summary/lines-seen.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { DensityToggle } from '../../parts/screen/density.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import { FilterLine } from '../../parts/filter-bar/filter-line.tsx'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { LiveCard, LiveFigures, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { NodeSummary } from '../../parts/node-summary/node-summary.tsx'
import { type Counts, type CountsByRow, sameCounts } from '../../parts/node-summary/rows.ts'
import { useNarrow, usePhone } from '../../parts/screen/use-media.ts'
import { deadTermsText } from '../../parts/search/dead-terms-text.ts'
import { withSiteTip } from '../../parts/search/site-tip.ts'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { foldingTableKeys } from '../../parts/keys/table-keys.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import { TrendsToggle } from '../../parts/trends/trends.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import type { Sort } from '../../ui/table/sort.ts'
import { type GuestColumnId, guestColumns, narrowGuestColumns } from './columns.tsx'
import { EstateFigures } from './estate-figures.tsx'
import { guestToggles, searchTips } from './filter.ts'
import { useGuestLinks } from '../../parts/nodes/guest-links.ts'
import { GuestTable } from './guest-table.tsx'
import { useGuestFields, useGuestList } from './use-guest-list.ts'
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
  const [inUse, setInUse] = useState(false)
  const phone = usePhone()
  const narrow = useNarrow()
  const links = useGuestLinks()
  const counted = useAfterFirstPaint()
  const counts = useLive(['nodes', 'guests'], counted ? selectGuestCounts : selectNoCounts, sameCounts)
  const list = useGuestList(view, inUse)
  const fields = useGuestFields()
  const problem = deadTermsText(view.search, 'guests', fields)
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
                search={{
                  label: 'Search guests',
                  placeholder: 'Search or filter, e.g. cpu>80',
                  history: 'dashboard',
                  tips: withSiteTip(searchTips, 'guests', fields.texts.has('site')),
                  inputRef: search,
                  onLeaveDown: () => table.current?.enter(),
                  problem,
                }}
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
            <TrendsToggle className={cx('ml-auto', !phone && 'order-last')} />
            {!phone && <DensityToggle className="order-last" />}
          </FilterLine>
          <LiveCard>
            {list.rows.length > 0 ? (
              <GuestTable
                rows={list.rows}
                view={view}
                links={links}
                phone={phone}
                narrow={narrow}
                onInUseChange={setInUse}
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

/** Numbers of VMs and containers by node. */
export function selectGuestCounts(live: LiveReader): CountsByRow {
  const { byNode } = tallyGuests(live)
  const counts = new Map<string, Counts>()
  for (const node of live.records('nodes').values()) {
    const key = nodeKey(node)
    const { vms = 0, containers = 0 } = byNode.get(key) ?? {}
    counts.set(key, { vms, containers })
  }
  return counts
}

const noCounts: CountsByRow = new Map()
const selectNoCounts = (): CountsByRow => noCounts

/** How many of the guests are running. */
function Legend({
  running,
  stopped,
  unreachable,
  unheard,
  orderPending,
  filtered,
}: {
  running: number
  stopped: number
  /** among the stopped */
  unreachable: number
  /** neither running nor stopped */
  unheard: number
  /** the order is outdated, because a user is in the table */
  orderPending: boolean
  /** counts only the rows shown, while the page's head counts all */
  filtered: boolean
}) {
  return (
    <TableFoot orderPending={orderPending} sticky={filtered || orderPending}>
      {filtered && <span>Shown:</span>}
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-flex">
          <StatusDot tone="green" label="" />
        </span>
        {formatNumber(running)} running
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="inline-flex">
          <StatusDot tone="neutral" label="" ring />
        </span>
        {formatNumber(stopped)} stopped
        {unreachable > 0 && (
          <span className="-ml-1.5 text-red">{`, ${formatNumber(unreachable)} of them unreachable`}</span>
        )}
      </span>
      {unheard > 0 && <span className="text-orange">{formatNumber(unheard)} unknown</span>}
    </TableFoot>
  )
}

/** Placeholder in the shape of the page: figures, nodes, filters and guests. */
const overviewSkeleton = (notice: ReactNode) => (
  <div className="flex flex-col gap-2">
    <div className="grid *:[grid-area:1/1]">
      <div aria-hidden inert className="invisible">
        <EstateFigures pressed={undefined} onPress={() => {}} />
      </div>
      {notice}
    </div>
    <SkeletonTable rows={linesSeen()} sortable />
    <SkeletonLine />
    <SkeletonTable rows={12} foot />
  </div>
)

interface SortNoteProps {
  sort: Sort<GuestColumnId>
  /** no column heads */
  phone: boolean
  /** no rate columns */
  narrow: boolean
  /** opens the sort control */
  onOpen: () => void
}

const words = { asc: 'ascending', desc: 'descending' } as const
const isUsual = ({ key, direction }: Sort<GuestColumnId>) => key === 'vmid' && direction === 'asc'

/** Shows the sort order where its column head is not visible. */
function SortNote({ sort, phone, narrow, onOpen }: SortNoteProps) {
  const isSeen = phone ? isUsual(sort) : !narrow || narrowGuestColumns.some(({ id }) => id === sort.key)
  if (isSeen) return null
  const Arrow = sort.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <Button variant="ghost" onClick={onOpen}>
      Sorted by {guestColumns.find(({ id }) => id === sort.key)?.header}
      <span className="sr-only">, {words[sort.direction]}</span>
      <Arrow aria-hidden size={13} />
    </Button>
  )
}

/** Shown without a node: none is configured, or none has answered. */
const NothingYet = () => <UntilAnswered none={<NoNodes />} />

const NoNodes = () => (
  <Card>
    <NotConfigured icon={<Server size={24} />} title="No Proxmox VE nodes configured">
      Add a Proxmox VE node to see its virtual machines and containers here.
    </NotConfigured>
  </Card>
)

interface NoGuestsProps {
  search: string
  /** search terms that cannot match anything */
  problem: string | undefined
  onReset: (() => void) | undefined
}

const NoGuests = ({ search, ...rest }: NoGuestsProps) => (
  <NothingFound title="No guests found" {...rest}>
    <p>{search ? `No guests match your search "${search}"` : 'No guests match your current filters'}</p>
  </NothingFound>
)
