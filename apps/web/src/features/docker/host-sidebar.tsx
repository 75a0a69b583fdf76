import { memo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { sameList, useLive } from '../../live/use-live.ts'
import type { LiveReader } from '../../live/store.ts'
import type { AlertLevel, AlertLevels } from '../../parts/alert-levels.ts'
import { AlertMark } from '../../parts/alert-stripe.tsx'
import { indexHosts, orderHosts } from '../../parts/docker-hosts.ts'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { Offline } from '../../parts/lost.tsx'
import { useMedia } from '../../parts/use-media.ts'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { type HostView, useHostView } from './host-view.ts'
import { ITEM_HEIGHT, useHostWindow } from './host-window.ts'

const selectHosts = (live: LiveReader): readonly string[] => {
  const index = indexHosts(live)
  return orderHosts([...index.keys()], index)
}

interface HostSidebarProps {
  /** the one that is shown alone, by its identity in the store */
  selected: string | undefined
  onToggle: (id: string) => void
  alerts: AlertLevels
}

/** All hosts: at the side where there is room, else in a line that scrolls. Arrows go from one to the next. */
export function HostSidebar({ selected, onToggle, alerts }: HostSidebarProps) {
  const hosts = useLive(['dockerHosts'], selectHosts, sameList)
  const upright = useMedia('(width >= 80rem)')
  return (
    <section aria-label="Hosts" className="min-w-0 xl:sticky xl:top-2 xl:w-60 xl:shrink-0">
      <LiveCard>
        <HostList
          key={String(upright)}
          hosts={hosts}
          upright={upright}
          selected={selected}
          onToggle={onToggle}
          alerts={alerts}
        />
      </LiveCard>
    </section>
  )
}

interface HostListProps extends HostSidebarProps {
  hosts: readonly string[]
  /** one below the other */
  upright: boolean
}

/** Only hosts near what is in sight exist, and the one that the keyboard is at. */
function HostList({ hosts, upright, selected, onToggle, alerts }: HostListProps) {
  const listRef = useRef<HTMLUListElement>(null)
  const [reached, setReached] = useState<string>()
  const stop = reached !== undefined && hosts.includes(reached) ? reached : (selected ?? hosts[0])
  const { items, length, size, onScroll } = useHostWindow({
    count: hosts.length,
    keep: hosts.indexOf(stop!),
    upright,
  })
  return (
    <div
      className={cx(
        upright ? 'max-h-[calc(100dvh-1rem)] overflow-x-hidden overflow-y-auto' : 'overflow-x-auto',
      )}
      onScroll={onScroll}
    >
      <ul
        ref={listRef}
        className="relative"
        style={upright ? { height: length } : { width: length, height: ITEM_HEIGHT }}
        onFocus={({ target }) => setReached(hosts[placeOf(target)])}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setReached(undefined)
        }}
        onKeyDown={(event) => {
          const to = nextPlace(event.key, placeOf(event.target), hosts.length)
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
                upright ? 'inset-x-0 border-b' : 'inset-y-0 border-r',
              )}
              style={upright ? { top: start, height: size } : { left: start, width: size }}
            >
              <HostItem
                id={id}
                selected={id === selected}
                tabIndex={id === stop ? 0 : -1}
                onToggle={onToggle}
                alerts={alerts}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface HostItemProps {
  id: string
  selected: boolean
  tabIndex: 0 | -1
  onToggle: (id: string) => void
  alerts: AlertLevels
}

const HostItem = memo(function HostItem({ id, selected, tabIndex, onToggle, alerts }: HostItemProps) {
  const host = useHostView(id)
  if (!host) return null
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-pressed={selected}
      className={cx(
        'flex size-full flex-col justify-center gap-0.5 px-3 text-left text-xs focus-visible:outline-offset-[-2px]',
        selected ? 'bg-accent-soft' : host.online ? 'hover:bg-hover' : 'bg-lost hover:bg-lost-hover',
      )}
      onClick={() => onToggle(id)}
      {...tip(selected ? 'Show all hosts' : `Show ${host.name} alone`)}
    >
      <HostLines host={host} alert={alerts.get(host.wireId)} />
    </button>
  )
})

function HostLines({ host, alert }: { host: HostView; alert: AlertLevel | undefined }) {
  const { name, online, sums, cpuPercent, memoryPercent, troubles } = host
  return (
    <>
      <span className="flex items-center gap-1.5">
        <StatusDot tone={online ? 'green' : 'red'} label="" ring={!online} />
        <span className="min-w-0 truncate text-table font-medium text-ink">{name}</span>
        <AlertMark level={alert} />
        <span className="ml-auto pl-1 whitespace-nowrap text-ink-2 tabular-nums">
          <span className="sr-only">running </span>
          {formatNumber(sums.running)}/{formatNumber(sums.total)}
        </span>
      </span>
      <span className="flex items-baseline gap-2 whitespace-nowrap text-ink-3 tabular-nums">
        {online ? 'Online' : <Offline since={host.reportedAt} />}
        {troubles[0] ? (
          <span className={cx('truncate', troubles[0].tone === 'red' ? 'text-red' : 'text-orange')}>
            {troubles[0].text}
          </span>
        ) : (
          online && (
            <span className="ml-auto flex gap-2">
              <span>CPU {formatPercent(cpuPercent)}</span>
              <span>Mem {formatPercent(memoryPercent)}</span>
            </span>
          )
        )}
      </span>
    </>
  )
}

const placeOf = (target: EventTarget): number =>
  Number((target as HTMLElement).closest<HTMLElement>('[data-at]')!.dataset['at'])

/** undefined when the key leads nowhere; at an end it stays there. */
function nextPlace(key: string, from: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key]
  return step && Math.min(count - 1, Math.max(0, from + step))
}
