import type { Guest } from '@pulse/contract'
import { memo } from 'react'
import { rem } from '../../lib/text-scale.ts'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import { AlertMark, AlertStripe } from '../../parts/alerts/alert-stripe.tsx'
import { Cell, drawUsageCell, NumberCell, Uptime, UptimeCell, Usage } from '../../parts/cells/cells.tsx'
import { NameLine } from '../../parts/cells/name-line.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { diskPercent, type GuestView, typeLabel } from '../../parts/guests/guest-view.ts'
import { isGuestHalted } from '../../parts/nodes/status.ts'
import type { ListColumn } from '../../parts/table/column.ts'
import { ThingName } from '../../parts/thing/page-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { guestName } from '../../parts/guests/guest-name.ts'

export type NodeGuestColumnId = 'name' | 'type' | 'vmid' | 'uptime' | 'cpu' | 'memory' | 'disk'

interface GuestLine extends GuestView {
  id: string
  alert: AlertLevel | undefined
  tabIndex: 0 | -1
}

type NodeGuestColumn = ListColumn<Guest, undefined, GuestLine, NodeGuestColumnId>

const onlyRunning = (read: (guest: Guest) => number | undefined) => (guest: Guest) =>
  guest.status === 'running' ? read(guest) : undefined
const whatItHolds = (read: (guest: Guest) => number | undefined) => (guest: Guest) =>
  guest.status === 'running' || isGuestHalted(guest) ? read(guest) : undefined

export const nodeGuestColumns: readonly NodeGuestColumn[] = [
  {
    id: 'name',
    header: 'Name',
    firstDirection: 'asc',
    track: `minmax(${rem(156)}, 2.4fr)`,
    value: guestName,
    cell: (line) => (
      <Cell className="flex items-center gap-1.5 pl-4">
        <AlertStripe level={line.alert} />
        <Name {...nameOf(line)} />
      </Cell>
    ),
    phone: { slot: 'name', draw: (line) => <Name {...nameOf(line)} /> },
  },
  {
    id: 'type',
    header: 'Type',
    firstDirection: 'asc',
    track: rem(46),
    value: typeLabel,
    cell: ({ guest }) => (
      <Cell>
        <Badge>{typeLabel(guest)}</Badge>
      </Cell>
    ),
    phone: { slot: 'badge', draw: ({ guest }) => <Badge>{typeLabel(guest)}</Badge> },
  },
  {
    id: 'vmid',
    header: 'VMID',
    firstDirection: 'asc',
    track: rem(64),
    align: 'end',
    value: (guest) => guest.vmid,
    cell: ({ guest }) => <NumberCell>{guest.vmid}</NumberCell>,
    phone: { slot: 'fact', draw: ({ guest }) => guest.vmid },
  },
  {
    id: 'uptime',
    header: 'Uptime',
    firstDirection: 'desc',
    track: rem(80),
    align: 'end',
    // an earlier start means a longer uptime
    value: onlyRunning((guest) => (guest.startedAt === undefined ? undefined : -guest.startedAt)),
    cell: ({ startedAt, stale }) => <UptimeCell startedAt={startedAt} stale={stale} />,
    phone: {
      slot: 'fact',
      draw: ({ startedAt, stale }) =>
        startedAt !== undefined && <Uptime startedAt={startedAt} stale={stale} />,
    },
  },
  usageColumn(
    'cpu',
    'CPU',
    'CPU',
    onlyRunning((guest) => guest.cpu),
    (line) => line.cpuPercent,
  ),
  usageColumn(
    'memory',
    'Memory',
    'Mem',
    whatItHolds((guest) => guest.memory?.usage),
    (line) => line.memoryPercent,
  ),
  usageColumn('disk', 'Disk', 'Disk', whatItHolds(diskPercent), (line) => line.diskPercent),
]

function usageColumn(
  id: 'cpu' | 'memory' | 'disk',
  header: string,
  label: string,
  value: NodeGuestColumn['value'],
  percentOf: (line: GuestLine) => number | undefined,
): NodeGuestColumn {
  const usageOf = (line: GuestLine) => ({
    percent: percentOf(line),
    scale: id,
    stale: line.stale,
    estimate: id === 'memory' && line.memoryEstimate !== undefined,
  })
  return {
    id,
    header,
    firstDirection: 'desc',
    track: `minmax(${rem(96)}, 1.2fr)`,
    align: 'end',
    changesOften: true,
    value,
    cell: (line) => drawUsageCell(usageOf(line)),
    phone: { slot: 'figure', label, draw: (line) => <Usage {...usageOf(line)} /> },
  }
}

interface NameProps extends Pick<GuestLine, 'id' | 'alert' | 'tabIndex' | 'state' | 'staleSince' | 'dimmed'> {
  name: string
}

const nameOf = ({ id, alert, tabIndex, state, staleSince, dimmed, guest }: GuestLine): NameProps => ({
  id,
  alert,
  tabIndex,
  state,
  staleSince,
  dimmed,
  name: guestName(guest),
})

/** Re-renders only for its own props, which include no figures. */
const Name = memo(function Name({ id, name, alert, tabIndex, state, staleSince, dimmed }: NameProps) {
  return (
    <NameLine>
      <StatusDot {...state} />
      <ThingName
        kind="guests"
        id={id}
        name={name}
        tabIndex={tabIndex}
        className={cx('min-w-8 truncate leading-6 font-medium', dimmed ? 'text-ink-3' : 'text-ink')}
      />
      <AlertMark level={alert} />
      {staleSince !== undefined && <StaleBadge since={staleSince} />}
    </NameLine>
  )
})
