import { memo } from 'react'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import type { AlertLevel, AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { AlertMark } from '../../parts/alerts/alert-stripe.tsx'
import { Offline } from '../../parts/cells/outage.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { type HostView, useHostView } from './host-view.ts'

interface HostItemProps {
  id: string
  selected: boolean
  tabIndex: 0 | -1
  onToggle: (id: string) => void
  alerts: AlertLevels
  /** all on one line */
  short: boolean
}

export const HostItem = memo(function HostItem(props: HostItemProps) {
  const { id, selected, tabIndex, onToggle, alerts, short } = props
  const host = useHostView(id)
  if (!host) return null
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-pressed={selected}
      className={cx(
        'flex size-full px-3 text-left text-xs focus-visible:outline-offset-[-2px]',
        short ? 'items-center gap-2' : 'flex-col justify-center gap-0.5',
        selected ? 'bg-accent-soft' : host.online ? 'hover:bg-hover' : 'bg-down hover:bg-down-hover',
      )}
      onClick={() => onToggle(id)}
      {...tip(selected ? 'Show all hosts' : `Show ${host.name} alone`)}
    >
      {short ? (
        <HostLine host={host} alert={alerts.get(host.wireId)} />
      ) : (
        <HostLines host={host} alert={alerts.get(host.wireId)} />
      )}
    </button>
  )
})

interface LinesProps {
  host: HostView
  alert: AlertLevel | undefined
}

const Name = ({ host: { name, online }, alert }: LinesProps) => (
  <>
    <StatusDot tone={online ? 'green' : 'red'} label="" ring={!online} />
    <span className="min-w-0 truncate text-table font-medium text-ink">{name}</span>
    <AlertMark level={alert} />
  </>
)

const Running = ({ host: { sums } }: Pick<LinesProps, 'host'>) => (
  <span className="ml-auto pl-1 whitespace-nowrap text-ink-2 tabular-nums">
    <span className="sr-only">running </span>
    {formatNumber(sums.running)}/{formatNumber(sums.total)}
  </span>
)

/** Its first problem, else its load. */
function State({ host: { online, cpuPercent, memoryPercent, troubles } }: Pick<LinesProps, 'host'>) {
  const [trouble] = troubles
  if (trouble) {
    return (
      <span className={cx('truncate', trouble.tone === 'red' ? 'text-red' : 'text-orange')}>
        {trouble.text}
      </span>
    )
  }
  return (
    online && (
      <span className="ml-auto flex gap-2">
        <span>CPU {formatPercent(cpuPercent)}</span>
        <span>Mem {formatPercent(memoryPercent)}</span>
      </span>
    )
  )
}

function HostLines({ host, alert }: LinesProps) {
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Name host={host} alert={alert} />
        <Running host={host} />
      </span>
      <span className="flex items-baseline gap-2 whitespace-nowrap text-ink-3 tabular-nums">
        {host.online ? 'Online' : <Offline since={host.reportedAt} />}
        <State host={host} />
      </span>
    </>
  )
}

function HostLine({ host, alert }: LinesProps) {
  return (
    <>
      <Name host={host} alert={alert} />
      <span
        className={cx(
          'ml-auto flex gap-2 whitespace-nowrap text-ink-3 tabular-nums',
          // a problem may be cut short, figures may not
          host.troubles.length > 0 ? 'min-w-16' : 'shrink-0',
        )}
      >
        {host.online ? <span className="sr-only">Online</span> : <Offline since={host.reportedAt} />}
        <State host={host} />
      </span>
      <span className="min-w-10 shrink-0 text-right">
        <Running host={host} />
      </span>
    </>
  )
}
