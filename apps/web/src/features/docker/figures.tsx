import { isEqual } from '@pulse/domain'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import { FigureButton } from '../../parts/filter-bar/figure-button.tsx'
import { LiveFigures } from '../../parts/live-page/live-page.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { sumContainers } from './container-sums.ts'
import { AddHost } from './empty.tsx'
import type { DockerView } from './use-docker-view.ts'

/** Totals over all visible hosts. */
interface DockerFigures {
  hosts: number
  offline: number
  containers: number
  running: number
  unhealthy: number
  exited: number
}

const kinds = ['dockerHosts', 'dockerContainers'] as const

function selectFigures(live: LiveReader): DockerFigures {
  const figures = { hosts: 0, offline: 0, containers: 0, running: 0, unhealthy: 0, exited: 0 }
  const sums = sumContainers(live)
  for (const [id, { online }] of indexHosts(live)) {
    const own = sums.get(id)?.all
    figures.hosts += 1
    figures.offline += Number(!online)
    figures.containers += own?.total ?? 0
    figures.running += own?.running ?? 0
    figures.unhealthy += own?.unhealthy ?? 0
    figures.exited += own?.exited ?? 0
  }
  return figures
}

interface SummaryProps {
  search: string
  onSearch: (search: string) => void
}

/**
 * Key figures above the tables. Pressing one searches for what it counts; pressing it again clears the
 * search.
 */
export function Summary({ search, onSearch, children }: SummaryProps & { children?: ReactNode }) {
  const figures = useLive(kinds, selectFigures, isEqual)
  const { hosts, offline, containers, running, unhealthy, exited } = figures
  const props = { search, onSearch }
  return (
    <div
      role="group"
      aria-label="Summary"
      // on phones always the same number of lines, so that nothing below moves
      className="flex flex-wrap items-center gap-1 max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] sm:-mx-1"
    >
      <span className={look}>
        {offline > 0 && <Dot tone="red" ring />}
        Hosts <Count>{formatNumber(hosts)}</Count>
        {offline > 0 && <span className="font-medium text-red">{formatNumber(offline)} offline</span>}
      </span>
      <span className={look}>
        Containers <Count>{formatNumber(containers)}</Count>
      </span>
      <SearchFigure {...props} term="state:running" hint="Show only running containers">
        <Dot tone="green" />
        Running <Count>{formatNumber(running)}</Count>
      </SearchFigure>
      <SearchFigure {...props} term="state:exited" hint="Show only containers that have exited">
        <Dot tone={exited > 0 ? 'red' : 'neutral'} ring />
        Exited <Count>{formatNumber(exited)}</Count>
      </SearchFigure>
      <SearchFigure {...props} term="state:unhealthy" hint="Show only containers whose own check fails">
        <Dot tone={unhealthy > 0 ? 'red' : 'neutral'} ring />
        Unhealthy <Count alarmed={unhealthy > 0}>{formatNumber(unhealthy)}</Count>
      </SearchFigure>
      {children}
    </div>
  )
}

const look =
  'figure inline-flex h-8 items-center gap-1.5 rounded-md px-1 text-xs whitespace-nowrap text-ink-2 tabular-nums sm:px-2 sm:text-table'

interface SearchFigureProps extends SummaryProps {
  term: string
  hint: string
  children: ReactNode
}

function SearchFigure({ term, hint, search, onSearch, children }: SearchFigureProps) {
  const pressed = search.trim().toLowerCase() === term
  return (
    <FigureButton pressed={pressed} onPress={() => onSearch(pressed ? '' : term)} hint={hint}>
      {children}
    </FigureButton>
  )
}

const Dot = ({ tone, ring = false }: { tone: 'green' | 'neutral' | 'red'; ring?: boolean }) => (
  <span aria-hidden className="inline-flex">
    <StatusDot tone={tone} label="" ring={ring} />
  </span>
)

const Count = ({ children, alarmed = false }: { children: ReactNode; alarmed?: boolean }) => (
  <span className={cx('font-semibold', alarmed ? 'text-red' : 'text-ink')}>{children}</span>
)

interface SummaryLineProps {
  view: Pick<DockerView, 'search' | 'setSearch'>
  phone: boolean
  children?: ReactNode
}

/** Key figures, and the button to add a host. */
export const SummaryLine = ({ view, phone, children }: SummaryLineProps) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
    <LiveFigures className="max-sm:w-full">
      <Summary search={view.search} onSearch={view.setSearch}>
        {phone && <AddHost className="justify-self-end" />}
      </Summary>
    </LiveFigures>
    {children}
    {!phone && <AddHost className="ml-auto" />}
  </div>
)
