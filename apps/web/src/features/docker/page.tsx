import { compileContainerSearch, deadContainerTerms } from '@pulse/domain'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useLive } from '../../live/use-live.ts'
import { sameLevels, selectAlertLevels } from '../../parts/alerts/alert-levels.ts'
import type { List } from '../../parts/list/list-selector.ts'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { chartTableKeys } from '../../parts/keys/table-keys.ts'
import { LiveCard, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { usePhone } from '../../parts/screen/use-media.ts'
import { describeDead } from '../../parts/search/dead-terms-text.ts'
import { TableFoot } from '../../parts/table/table-foot.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { containerColumns } from './columns.tsx'
import { ContainerFilters } from './container-filters.tsx'
import { type ContainerList, createContainerListSelector } from './container-list.ts'
import type { ContainerMark } from './container-status.ts'
import { ContainerTable } from './container-table.tsx'
import { NoContainers, NoHosts } from './empty.tsx'
import { SummaryLine } from './figures.tsx'
import { HostSidebar } from './host-sidebar.tsx'
import { dockerSkeleton } from './skeleton.tsx'
import { type DockerView, useDockerView } from './use-docker-view.ts'

const texts = { loading: 'Loading Docker hosts' }

/** Container hosts with an agent, and their containers. */
export function DockerPage() {
  const hasHosts = useLive(['dockerHosts'], (live) => indexHosts(live).size > 0)
  return (
    <LivePage
      title="Docker"
      texts={texts}
      hasFigures={hasHosts}
      empty={<NoHosts />}
      skeleton={dockerSkeleton}
    >
      <Dashboard />
    </LivePage>
  )
}

function Dashboard() {
  const view = useDockerView()
  const [inUse, setInUse] = useState(false)
  const phone = usePhone()
  const list = useContainerList(view, inUse)
  const alerts = useLive(['activeAlerts'], selectAlertLevels, sameLevels)
  const search = useRef<HTMLInputElement>(null)
  const table = useRef<GridHandle>(null)
  const found = list.rows.length > 0
  const problem = found ? undefined : describeDead(deadContainerTerms(view.search), 'containers')
  const { host } = view
  const hostName = useLive(
    ['dockerHosts'],
    useCallback((live) => (host === undefined ? undefined : indexHosts(live).get(host)?.name), [host]),
  )
  return (
    <div className="flex flex-col gap-2">
      <PageKeys keys={chartTableKeys} focusSearch={() => search.current?.focus()} onEscape={view.reset} />
      <SummaryLine view={view} phone={phone}>
        <LiveNotice of="hosts" />
      </SummaryLine>
      <div className="flex flex-col gap-2 xl:flex-row xl:items-start xl:gap-3">
        <HostSidebar selected={host} onToggle={view.toggleHost} alerts={alerts} />
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <ContainerFilters
            view={view}
            phone={phone}
            problem={problem}
            inputRef={search}
            onLeaveDown={() => table.current?.enter()}
          />
          <LiveCard>
            {found ? (
              <ContainerTable
                list={list}
                view={view}
                alerts={alerts}
                phone={phone}
                onInUseChange={setInUse}
                handle={table}
              />
            ) : (
              <NoContainers
                search={view.search.trim()}
                host={hostName}
                problem={problem}
                onReset={view.reset}
                onShowAll={host === undefined ? undefined : () => view.toggleHost(host)}
              />
            )}
            <ContainerLegend
              counts={list.counts}
              orderPending={list.orderPending}
              filtered={host !== undefined || view.search.trim() !== ''}
            />
          </LiveCard>
        </div>
      </div>
    </div>
  )
}

const kinds = ['dockerContainers', 'dockerHosts'] as const

/** The view's containers, in its order. While `inUse`, live figures do not change the order. */
function useContainerList(view: DockerView, inUse: boolean): ContainerList {
  const search = useDeferredValue(view.search)
  const matches = useMemo(() => (search.trim() === '' ? undefined : compileContainerSearch(search)), [search])
  const { host } = view
  const { grouping } = view.chosen
  const { key, direction } = view.sort
  const keepOrder = inUse && containerColumns.some((column) => column.id === key && column.changesOften)
  const select = useMemo(
    () => createContainerListSelector({ matches, sort: { key, direction }, grouping, host }),
    [matches, key, direction, grouping, host],
  )
  return useLive(
    kinds,
    useCallback((live) => select(live, keepOrder), [select, keepOrder]),
  )
}

interface ContainerLegendProps extends Pick<List, 'counts' | 'orderPending'> {
  /** some are hidden */
  filtered: boolean
}

/** Running containers among those shown, if the page's head counts more, and the counts it omits. */
function ContainerLegend({ counts, orderPending, filtered }: ContainerLegendProps) {
  const of = (mark: ContainerMark) => counts.get(mark) ?? 0
  if (!filtered && !orderPending && of('other') === 0) return null
  return (
    <TableFoot orderPending={orderPending} sticky={filtered || orderPending}>
      {filtered && (
        <>
          <span>Shown:</span>
          <Entry tone="green" count={of('running') + of('unhealthy')} word="running">
            {of('unhealthy') > 0 && (
              <span className="-ml-1.5 text-red">{`, ${formatNumber(of('unhealthy'))} of them unhealthy`}</span>
            )}
          </Entry>
          <Entry tone="red" count={of('exited')} word="exited" />
        </>
      )}
      {of('other') > 0 && <Entry tone="yellow" count={of('other')} word="in another state" />}
    </TableFoot>
  )
}

interface EntryProps {
  tone: 'green' | 'red' | 'yellow'
  count: number
  word: string
  children?: ReactNode
}

const Entry = ({ tone, count, word, children }: EntryProps) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className="inline-flex">
      <StatusDot tone={count > 0 ? tone : 'neutral'} label="" ring={tone !== 'green'} />
    </span>
    {formatNumber(count)} {word}
    {children}
  </span>
)
