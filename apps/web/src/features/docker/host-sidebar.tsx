import { type KeyboardEvent, memo } from 'react'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { sameList, useLive } from '../../live/use-live.ts'
import type { LiveReader } from '../../live/store.ts'
import type { AlertLevel, AlertLevels } from '../../parts/alert-levels.ts'
import { AlertMark } from '../../parts/alert-stripe.tsx'
import { indexHosts, orderHosts } from '../../parts/docker-hosts.ts'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { Offline } from '../../parts/lost.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { type HostView, useHostView } from './host-view.ts'

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
  const stop = selected ?? hosts[0]
  return (
    <section aria-label="Hosts" className="min-w-0 xl:sticky xl:top-2 xl:w-60 xl:shrink-0">
      <LiveCard>
        <ul
          className="relative flex overflow-x-auto xl:max-h-[calc(100dvh-1rem)] xl:flex-col xl:overflow-x-hidden xl:overflow-y-auto"
          onKeyDown={moveBetweenHosts}
        >
          {hosts.map((id) => (
            <li
              key={id}
              className="shrink-0 border-line not-last:border-r xl:not-last:border-r-0 xl:not-last:border-b"
            >
              <HostItem
                id={id}
                selected={id === selected}
                tabIndex={id === stop ? 0 : -1}
                onToggle={onToggle}
                alerts={alerts}
              />
            </li>
          ))}
        </ul>
      </LiveCard>
    </section>
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
        'flex w-56 flex-col gap-0.5 px-3 py-1.5 text-left text-xs focus-visible:outline-offset-[-2px] xl:w-full',
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

function moveBetweenHosts(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  const to = event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : step && at + step
  if (to === undefined || at < 0) return
  event.preventDefault()
  buttons[Math.min(buttons.length - 1, Math.max(0, to))]?.focus()
}
