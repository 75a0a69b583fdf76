import type { GatewayNode } from '@pulse/contract'
import { formatNumber, MISSING } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { TICK_MS } from '../../parts/cells/cells.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import type { RecordColumn } from '../../parts/table/record-table.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const missing = <span className="text-ink-3">{MISSING}</span>

function Status({ node: { status, error, staleSince } }: { node: GatewayNode }) {
  const online = status === 'online'
  return (
    <span className="flex min-w-0 items-center gap-1.5 max-sm:flex-wrap">
      <StatusDot tone={online ? 'green' : 'red'} label="" ring={!online} />
      <span className={cx('whitespace-nowrap', !online && 'font-medium text-red')}>{capital(status)}</span>
      {staleSince !== undefined && <StaleBadge since={staleSince} down={!online} />}
      {error && (
        <span
          className="text-xs text-ink-2 max-sm:basis-full max-sm:font-normal max-sm:break-normal max-sm:wrap-anywhere sm:truncate"
          {...tip(error, 420)}
        >
          {error}
        </span>
      )}
    </span>
  )
}

function NodeUptime({ startedAt }: { startedAt: number | undefined }) {
  const text = useNow(TICK_MS, (now) =>
    formatDaysHours(startedAt === undefined ? undefined : (now - startedAt) / 1000),
  )
  return text === MISSING ? missing : text
}

const amber = (beyond: boolean, stale: boolean) =>
  cx(
    beyond && !stale ? 'font-medium text-yellow' : 'group-data-stale/gateway:text-ink-3',
    stale && 'text-ink-3',
  )

function Depth({ node: { queueStatus, staleSince } }: { node: GatewayNode }) {
  if (!queueStatus) return missing
  const { total, active, deferred, hold, incoming } = queueStatus
  const parts = [
    ['active', active],
    ['deferred', deferred],
    ['hold', hold],
    ['incoming', incoming],
  ] as const
  return (
    <span
      className="inline-flex max-w-full items-baseline gap-2 sm:flex sm:justify-end"
      {...tip(parts.map(([name, count]) => `${formatNumber(count)} ${name}`).join('\n'))}
    >
      <span className="hidden min-w-0 truncate text-xs text-ink-3 lg:inline">
        {parts
          .filter(([, count]) => count > 0)
          .map(([name, count]) => `${formatNumber(count)} ${name}`)
          .join(' · ')}
      </span>
      <span className={amber(total > depthLimit, staleSince !== undefined)}>{formatNumber(total)}</span>
    </span>
  )
}

function Oldest({ node: { queueStatus, staleSince } }: { node: GatewayNode }) {
  const oldestAt = queueStatus?.oldestAt
  const secondsAt = (now: number) => (oldestAt === undefined ? undefined : (now - oldestAt) / 1000)
  const text = useNow(TICK_MS, (now) => {
    const seconds = secondsAt(now)
    return seconds === undefined ? undefined : formatQueueAge(seconds)
  })
  const isOld = useNow(TICK_MS, (now) => (secondsAt(now) ?? 0) > ageLimitSeconds)
  return text === undefined ? missing : <span className={amber(isOld, staleSince !== undefined)}>{text}</span>
}

export const nodeColumns: readonly RecordColumn<GatewayNode>[] = [
  {
    header: 'Name',
    width: 14,
    cell: ({ name }) => <span className="font-medium break-all">{name}</span>,
    phone: { slot: 'name' },
  },
  {
    header: 'Role',
    width: 9,
    cell: ({ role }) => capital(role),
    phone: { slot: 'fact' },
  },
  {
    header: 'Status',
    width: 22,
    cell: (node) => <Status node={node} />,
    phone: { slot: 'badge' },
  },
  {
    header: 'Uptime',
    width: 9,
    align: 'end',
    cell: ({ startedAt }) => <NodeUptime startedAt={startedAt} />,
    phone: {
      slot: 'fact',
      draw: ({ startedAt }) => startedAt !== undefined && <NodeUptime startedAt={startedAt} />,
    },
  },
  {
    header: 'Load Avg',
    width: 17,
    align: 'end',
    cell: ({ loadAvg }) => (loadAvg ? <span className="whitespace-nowrap">{loadAvg}</span> : missing),
    phone: { slot: 'figure', label: 'Load', draw: ({ loadAvg }) => loadAvg !== '' && loadAvg },
  },
  {
    header: 'Queue Depth',
    width: 18,
    align: 'end',
    cell: (node) => <Depth node={node} />,
    phone: { slot: 'figure', label: 'Queue' },
  },
  {
    header: 'Oldest Msg',
    width: 11,
    align: 'end',
    cell: (node) => <Oldest node={node} />,
    phone: { slot: 'figure', label: 'Oldest' },
  },
]

/** Age of a queue's oldest mail: '12m', '2h 5m'. */
export function formatQueueAge(seconds: number): string {
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** '12d 4h'; hours only on the first day. */
export function formatDaysHours(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return MISSING
  const hours = Math.floor(seconds / 3600)
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d ${hours % 24}h`
}

const depthLimit = 50
const ageLimitSeconds = 1800
