import { ChevronRight } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatNumber } from '../../lib/format.ts'
import type { LiveReader } from '../../live/store.ts'
import { sameList, useLive } from '../../live/use-live.ts'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { useRememberedLines } from '../../parts/node-summary/lines-seen.ts'
import { indexHosts, orderHosts } from '../../parts/nodes/docker-hosts.ts'
import { useMedia, usePhone } from '../../parts/screen/use-media.ts'
import type { PlacedRow } from '../../parts/grid/grid.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { useTrends } from '../../parts/trends/trends.tsx'
import { cx } from '../../ui/cx.ts'
import { sumContainers } from './container-sums.ts'
import { HostItem } from './host-item.tsx'
import { troublesOf, wireIdOf } from './host-view.ts'
import { type HostLayout, hostLength, useHostWindow } from './host-window.ts'

interface HostSidebarProps {
  /** store id of the only host shown */
  selected: string | undefined
  onToggle: (id: string) => void
  alerts: AlertLevels
}

/** Healthy hosts on a phone are folded beyond this many lines. */
const PHONE_ROOM = 3

/**
 * All hosts: a sidebar where it fits, otherwise a scrolling row, and on phones a list of lines. Arrow keys
 * move between hosts.
 */
export function HostSidebar({ selected, onToggle, alerts }: HostSidebarProps) {
  const phone = usePhone()
  const upright = useMedia('(width >= 80rem)')
  const [open, setOpen] = useState(false)
  const layout: HostLayout = phone ? 'lines' : upright ? 'column' : 'row'
  const room = phone && !open ? PHONE_ROOM : undefined
  const { shown, more } = useLive(
    hostKinds,
    useCallback((live) => selectHosts(live, { alerts, selected, room }), [alerts, selected, room]),
    sameFold,
  )
  const foldable = phone && (open || more > 0)
  useRememberedLines(shown.length + Number(foldable), 'dockerHostLinesSeen', phone && !open)
  return (
    <section
      aria-label="Hosts"
      className="min-w-0 xl:sticky xl:top-[calc(0.5rem+var(--covered))] xl:w-60 xl:shrink-0"
    >
      <LiveCard>
        <HostList
          key={layout}
          hosts={shown}
          layout={layout}
          selected={selected}
          onToggle={onToggle}
          alerts={alerts}
        />
        {foldable && <HostFold more={more} open={open} onToggle={() => setOpen(!open)} />}
      </LiveCard>
    </section>
  )
}

interface HostListProps extends HostSidebarProps {
  hosts: readonly string[]
  layout: HostLayout
}

const boxes: Record<HostLayout, string> = {
  column: 'max-h-[calc(100dvh-1rem)] overflow-x-hidden overflow-y-auto',
  row: 'overflow-x-auto',
  lines: 'max-h-[60dvh] overflow-x-hidden overflow-y-auto',
}

/** Virtualized: renders the hosts near the visible ones, and the focused one. */
function HostList({ hosts, layout, selected, onToggle, alerts }: HostListProps) {
  const boxRef = useRef<HTMLDivElement>(null)
  const listRef = useRef<HTMLUListElement>(null)
  const [reached, setReached] = useState<string>()
  const stop = reached !== undefined && hosts.includes(reached) ? reached : (selected ?? hosts[0])
  const { items, length, size } = useHostWindow({
    count: hosts.length,
    keep: hosts.indexOf(stop!),
    layout,
    boxRef,
  })
  const beside = layout === 'row'
  const isColumn = layout === 'column'
  const withoutFigures = useLive(
    hostRecords,
    useCallback((live) => (isColumn ? hosts.filter((id) => !showsLoad(live, id)) : []), [isColumn, hosts]),
    sameList,
  )
  const underlay = useTrends({ sources: isColumn ? trendSources : none, columns: trendColumns, phone: true })
  const drawn = items.map(({ index, px }): PlacedRow => {
    const id = hosts[index]!
    const name = withoutFigures.includes(id) ? 'other' : hostRows
    return { key: `${name}:${id}`, index, top: px.start, height: px.size }
  })
  return (
    <div ref={boxRef} className={boxes[layout]}>
      <div data-underlaid className="relative isolate">
        {underlay?.(drawn)}
        <ul
          ref={listRef}
          className="relative"
          style={beside ? { width: length, height: hostLength.column } : { height: length }}
          onFocus={({ target }) => setReached(hosts[indexOf(target)])}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) setReached(undefined)
          }}
          onKeyDown={(event) => {
            const to = nextIndex(event.key, indexOf(event.target), hosts.length)
            if (to === undefined) return
            event.preventDefault()
            flushSync(() => setReached(hosts[to]))
            listRef.current!.querySelector<HTMLElement>(`[data-at="${to}"] button`)!.focus()
          }}
        >
          {items.map(({ index, start }) => {
            const id = hosts[index]!
            return (
              <li
                key={id}
                data-at={index}
                aria-setsize={hosts.length}
                aria-posinset={index + 1}
                className={cx(
                  'absolute border-line [contain:strict] last:border-0',
                  beside ? 'inset-y-0 border-r' : 'inset-x-0 border-b',
                )}
                style={beside ? { left: start, width: size } : { top: start, height: size }}
              >
                <HostItem
                  id={id}
                  selected={id === selected}
                  tabIndex={id === stop ? 0 : -1}
                  onToggle={onToggle}
                  alerts={alerts}
                  short={layout === 'lines'}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}

const none: readonly TrendSource[] = []
const hostRecords = ['dockerHosts'] as const
const hostRows = 'host'

/** Hosts in a sidebar have two lines, and their figures about where those of a table on a phone are. */
const trendSources: readonly TrendSource[] = [
  { rows: hostRows, kind: 'dockerHosts', fields: ['cpu', 'memory'] },
]
const trendColumns = ['status', 'cpu', 'memory'].map((id) => ({ id, phone: { slot: 'figure' } }))

/** Its second line has CPU and memory, and no problem instead. */
function showsLoad(live: LiveReader, id: string): boolean {
  const host = live.get('dockerHosts', id)
  return host?.status === 'online' && troublesOf(host).length === 0
}

const indexOf = (target: EventTarget): number =>
  Number((target as HTMLElement).closest<HTMLElement>('[data-at]')!.dataset['at'])

/** undefined for other keys; clamped at both ends. */
function nextIndex(key: string, from: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key]
  return step && Math.min(count - 1, Math.max(0, from + step))
}

interface HostFoldProps {
  /** number of folded healthy hosts */
  more: number
  open: boolean
  onToggle: () => void
}

/** Expands the hosts list on phones; as high as one host. */
const HostFold = ({ more, open, onToggle }: HostFoldProps) => (
  <button
    type="button"
    aria-expanded={open}
    onClick={onToggle}
    className="flex w-full items-center gap-1.5 border-t border-line bg-sunken px-3 text-xs text-ink-2 hover:bg-hover hover:text-ink focus-visible:outline-offset-[-2px]"
    style={{ height: hostLength.lines }}
  >
    <ChevronRight aria-hidden size={14} className={cx('-ml-0.5 text-ink-3', open && 'rotate-90')} />
    {open ? 'Show fewer hosts' : `${formatNumber(more)} more, all healthy`}
  </button>
)

const hostKinds = ['dockerHosts', 'dockerContainers'] as const

interface Folding {
  alerts: AlertLevels
  /** the only host shown */
  selected: string | undefined
  /** maximum number of hosts; undefined: no limit */
  room: number | undefined
}

interface HostOrder {
  shown: readonly string[]
  /** number of folded healthy hosts */
  more: number
}

/** All hosts in order. Beyond the limit, only hosts that need attention are shown. */
function selectHosts(live: LiveReader, { alerts, selected, room }: Folding): HostOrder {
  const index = indexHosts(live)
  const all = orderHosts([...index.keys()], index)
  // a "1 more" line would take the space of that host
  if (room === undefined || all.length <= room + 1) return { shown: all, more: 0 }
  const records = live.records('dockerHosts')
  const sums = sumContainers(live)
  const alerted = new Set([...alerts.keys()].map(hostOfAlert))
  const urgent = new Set(
    all.filter((id) => {
      const host = records.get(id)!
      return (
        id === selected ||
        host.status !== 'online' ||
        troublesOf(host).length > 0 ||
        (sums.get(id)?.all.troubled ?? 0) > 0 ||
        alerted.has(wireIdOf(host))
      )
    }),
  )
  const others = all.filter((id) => !urgent.has(id)).slice(0, Math.max(0, room - urgent.size))
  const kept = new Set([...urgent, ...others])
  const shown = all.filter((id) => kept.has(id))
  return { shown, more: all.length - shown.length }
}

/** Also accepts a container's resource id (`docker:host/id`). */
const hostOfAlert = (resourceId: string): string => {
  const end = resourceId.lastIndexOf('/')
  return end === -1 ? resourceId : resourceId.slice(0, end)
}

const sameFold = (a: HostOrder, b: HostOrder): boolean => a.more === b.more && sameList(a.shown, b.shown)
