import { Filter } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { compileGuestSearch, isEqual } from '@pulse/domain'
import { useNow } from '../../lib/use-now.ts'
import { useConnection, useLive } from '../../live/use-live.ts'
import type { LiveReader } from '../../live/store.ts'
import { NodeSummary } from '../../parts/node-summary/node-summary.tsx'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { placeKey } from '../../parts/nodes.ts'
import { SilentSourcesStrip } from '../../parts/silent-sources-strip.tsx'
import { usePageKeys } from '../../parts/use-page-keys.ts'
import { usePhone } from '../../parts/use-phone.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { connectionNotice, type Notice } from './connection-state.ts'
import { sameCounts, selectGuestCounts } from './counts.ts'
import { FilterBar } from './filter-bar.tsx'
import { useGuestLinks } from './guest-links.ts'
import { createGuestListSelector, sameGuestList } from './guest-list.ts'
import { GuestTable } from './guest-table.tsx'
import { Legend } from './legend.tsx'
import { selectPveSources } from './pve-sources.ts'
import { ConnectionLost, Loading, NoAnswer, NoGuests, NoNodes, NoticeStrip } from './states.tsx'
import { type OverviewView, useOverviewView } from './use-overview-view.ts'

/** Nodes, virtual machines and containers. */
export function OverviewPage() {
  const notice = useNotice()
  const hasHosts = useLive(
    ['nodes', 'pbs'],
    (live) => live.records('nodes').size + live.records('pbs').size > 0,
  )
  const hasNodes = useLive(
    ['nodes', 'guests'],
    (live) => live.records('nodes').size + live.records('guests').size > 0,
  )
  const empty = !hasHosts && !hasNodes

  return (
    <div className="py-3">
      <h1 className="sr-only">Overview</h1>
      {empty && notice?.lost && <ConnectionLost notice={notice} />}
      {empty && notice && !notice.lost && <Loading notice={notice} />}
      {empty && !notice && <NothingYet />}
      {!empty && <Dashboard notice={notice} hasNodes={hasNodes} />}
    </div>
  )
}

function useNotice(): Notice | undefined {
  const status = useConnection((connection) => connection.status)
  const received = useConnection((connection) => connection.initialDataReceived)
  const connectedBefore = useConnection((connection) => connection.lastUpdate !== undefined)
  return connectionNotice(status, received, connectedBefore)
}

function NothingYet() {
  const sources = useLive(['sources'], selectPveSources, isEqual)
  return sources.length > 0 ? <NoAnswer sources={sources} /> : <NoNodes />
}

function Dashboard({ notice, hasNodes }: { notice: Notice | undefined; hasNodes: boolean }) {
  const view = useOverviewView()
  const phone = usePhone()
  const links = useGuestLinks()
  const counts = useLive(['nodes', 'guests'], selectGuestCounts, sameCounts)
  const list = useGuestList(view)
  const searchRef = useRef<HTMLInputElement>(null)

  usePageKeys({
    focusSearch() {
      flushSync(() => view.showFilters(true))
      searchRef.current?.focus()
    },
    onEscape: () => (view.isDefault ? view.showFilters(!view.filtersShown) : view.reset()),
  })

  return (
    <div className="flex flex-col gap-2">
      <div className={cx(notice && 'grayscale')}>
        <NodeSummary tab="overview" counts={counts} selected={view.selected} onSelect={view.select} />
      </div>
      {hasNodes ? (
        <>
          <Toolbar view={view} notice={notice} />
          {view.filtersShown && <FilterBar view={view} searchRef={searchRef} phone={phone} />}
          <Card className={cx('overflow-clip', notice && 'grayscale')}>
            {list.rows.length > 0 ? (
              <GuestTable rows={list.rows} view={view} links={links} phone={phone} />
            ) : (
              <NoGuests search={view.search.trim()} onReset={view.isDefault ? undefined : view.reset} />
            )}
            <Legend running={list.running} stopped={list.stopped} unreachable={list.unreachable} />
          </Card>
        </>
      ) : (
        <NothingYet />
      )}
    </div>
  )
}

function Toolbar({ view, notice }: { view: OverviewView; notice: Notice | undefined }) {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 sm:flex-nowrap">
      <Button
        variant="ghost"
        aria-expanded={view.filtersShown}
        aria-controls={view.filtersShown ? 'overview-filters' : undefined}
        onClick={() => view.showFilters(!view.filtersShown)}
      >
        <Filter aria-hidden size={14} />
        Filters
        {view.filters > 0 && (
          <Badge tone="accent">
            {view.filters}
            <span className="sr-only"> active</span>
          </Badge>
        )}
      </Button>
      {notice ? <NoticeStrip notice={notice} /> : <SilentSourcesStrip />}
    </div>
  )
}

function useGuestList(view: OverviewView) {
  const search = useDeferredValue(view.search)
  const matches = useMemo(() => compileGuestSearch(search), [search])
  const usesTime = search.toLowerCase().includes('uptime')
  const nowMs = useNow(60_000, (now) => (usesTime ? now : 0))
  const { selected, type, status, grouping } = view
  const place = useLive(
    ['nodes'],
    useCallback((live) => placeOf(live, selected), [selected]),
  )
  const { key, direction } = view.sort

  const select = useMemo(
    () =>
      createGuestListSelector({ matches, nowMs, type, status, grouping, place, sort: { key, direction } }),
    [matches, nowMs, type, status, grouping, place, key, direction],
  )
  return useLive(['guests', 'nodes'], select, sameGuestList)
}

/** A node that is gone selects nothing any more. */
function placeOf(live: LiveReader, selected: SummaryRowKey | undefined): string | undefined {
  const node = selected?.startsWith('pve:') ? live.get('nodes', selected.slice(4)) : undefined
  return node && placeKey(node)
}
