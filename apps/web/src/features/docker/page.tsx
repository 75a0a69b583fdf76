import { deadContainerTerms } from '@pulse/domain'
import { useCallback, useRef, useState } from 'react'
import { useLive } from '../../live/use-live.ts'
import { sameLevels, selectAlertLevels } from '../../parts/alert-levels.ts'
import { DensityToggle } from '../../parts/density.tsx'
import { indexHosts } from '../../parts/docker-hosts.ts'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { tableKeys } from '../../parts/keys/table-keys.ts'
import { LiveCard, LiveFigures, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { describeDead } from '../../parts/search/dead-terms-text.ts'
import { SearchBox } from '../../parts/search/search-box.tsx'
import { SearchTips } from '../../parts/search/search-tips.tsx'
import { usePhone } from '../../parts/use-phone.ts'
import { containerColumns } from './columns.tsx'
import { ContainerLegend } from './container-legend.tsx'
import { ContainerTable } from './container-table.tsx'
import { AddHost, NoContainers, NoHosts } from './empty.tsx'
import { Summary } from './figures.tsx'
import { containerSearchTips, containerToggles } from './filter.ts'
import { HostSidebar } from './host-sidebar.tsx'
import { dockerSkeleton } from './skeleton.tsx'
import { useContainerList } from './use-container-list.ts'
import { useDockerView } from './use-docker-view.ts'

const texts = { loading: 'Loading Docker hosts' }

/** Container hosts that an agent reports from, and their containers. */
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
  const [held, setHeld] = useState(false)
  const phone = usePhone()
  const list = useContainerList(view, held)
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
      <PageKeys keys={tableKeys} focusSearch={() => search.current?.focus()} onEscape={view.reset} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <LiveFigures>
          <Summary search={view.search} onSearch={view.setSearch}>
            {phone && <AddHost className="mr-1 ml-auto" />}
          </Summary>
        </LiveFigures>
        <LiveNotice of="hosts" />
        {!phone && <AddHost className="ml-auto" />}
      </div>
      <div className="flex flex-col gap-2 xl:flex-row xl:items-start xl:gap-3">
        <HostSidebar selected={host} onToggle={view.toggleHost} alerts={alerts} />
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex items-center gap-2">
            <FilterBar
              id="container-filters"
              view={view}
              toggles={containerToggles}
              columns={containerColumns}
              withSort={phone}
              search={
                <SearchBox
                  label="Search containers"
                  placeholder="Search containers, e.g. host:dock1 nginx"
                  value={view.search}
                  onChange={view.setSearch}
                  history="docker"
                  tips={<SearchTips {...containerSearchTips} />}
                  inputRef={search}
                  onLeaveDown={() => table.current?.enter()}
                  problem={problem}
                />
              }
            />
            {!phone && <DensityToggle />}
          </div>
          <LiveCard>
            {found ? (
              <ContainerTable
                list={list}
                view={view}
                alerts={alerts}
                phone={phone}
                onHold={setHeld}
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
            <ContainerLegend marks={list.marks} waiting={list.waiting} />
          </LiveCard>
        </div>
      </div>
    </div>
  )
}
