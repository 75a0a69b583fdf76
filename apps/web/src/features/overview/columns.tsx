import { type Guest, type GuestRate, guestRates, type Preference, sampledGuestFields } from '@pulse/contract'
import { formatNumber } from '../../lib/format.ts'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import {
  Cell,
  drawRateCell,
  drawUsageCell,
  NumberCell,
  Uptime,
  UptimeCell,
  Usage,
  usedOfTotal,
} from '../../parts/cells/cells.tsx'
import { machineTracks, narrowTracks } from '../../parts/nodes/machine-tracks.ts'
import { isGuestHalted } from '../../parts/nodes/status.ts'
import { narrowed } from '../../parts/grid/columns.ts'
import type { ListColumn } from '../../parts/table/column.ts'
import { Badge } from '../../ui/badge.tsx'
import { diskReason } from '../../parts/guests/disk-reason.ts'
import { GuestName, GuestNameCell, type GuestNameProps } from './guest-name.tsx'
import { diskPercent, estimateReason, type GuestView, typeLabel } from '../../parts/guests/guest-view.ts'

export type GuestColumnId = Preference<'sortKey'>

/** A guest, with the state of its row. */
export interface GuestLine extends GuestView {
  id: string
  link: string | undefined
  alert: AlertLevel | undefined
  expanded: boolean
  /** below its node's head */
  indented: boolean
  tabIndex: 0 | -1
}

/** The context is whether the guest counts as running: otherwise it has no figures. */
export type GuestColumn = ListColumn<Guest, boolean, GuestLine, GuestColumnId>

const onlyRunning =
  (read: (guest: Guest) => number | undefined) =>
  (guest: Guest, running: boolean): number | undefined =>
    running ? read(guest) : undefined

const whatItHolds =
  (read: (guest: Guest) => number | undefined) =>
  (guest: Guest, running: boolean): number | undefined =>
    running || isGuestHalted(guest) ? read(guest) : undefined

/** One element for all rows. */
const typed = (label: 'VM' | 'LXC') => {
  const badge = <Badge>{label}</Badge>
  return { badge, cell: <Cell>{badge}</Cell> }
}
const types = { VM: typed('VM'), LXC: typed('LXC') }

export const guestColumns: readonly GuestColumn[] = [
  {
    id: 'name',
    header: 'Name',
    firstDirection: 'asc',
    track: machineTracks.name,
    narrow: narrowTracks.guest,
    value: (guest) => guest.name,
    cell: (line) => <GuestNameCell {...nameOf(line)} indented={line.indented} />,
    phone: { slot: 'name', draw: (line) => <GuestName {...nameOf(line)} /> },
  },
  {
    id: 'type',
    header: 'Type',
    firstDirection: 'asc',
    track: machineTracks.type,
    value: (guest) => typeLabel(guest),
    cell: ({ guest }) => types[typeLabel(guest)].cell,
    phone: { slot: 'badge', draw: ({ guest }) => types[typeLabel(guest)].badge },
  },
  {
    id: 'vmid',
    header: 'VMID',
    firstDirection: 'asc',
    track: machineTracks.vmid,
    align: 'end',
    value: (guest) => guest.vmid,
    cell: ({ guest }) => <NumberCell>{guest.vmid}</NumberCell>,
    phone: { slot: 'fact', draw: ({ guest }) => guest.vmid },
  },
  {
    id: 'uptime',
    header: 'Uptime',
    firstDirection: 'desc',
    track: machineTracks.uptime,
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
  {
    id: 'cpu',
    header: 'CPU',
    firstDirection: 'desc',
    track: machineTracks.usage,
    narrow: narrowTracks.usage,
    align: 'end',
    changesOften: true,
    value: onlyRunning((guest) => guest.cpu),
    cell: (line) =>
      drawUsageCell({ percent: line.cpuPercent, scale: 'cpu', stale: line.stale, hint: cpuHint(line) }),
    phone: {
      slot: 'figure',
      label: 'CPU',
      draw: ({ cpuPercent, stale }) => <Usage percent={cpuPercent} scale="cpu" stale={stale} />,
    },
  },
  {
    id: 'memory',
    header: 'Memory',
    firstDirection: 'desc',
    track: machineTracks.usage,
    narrow: narrowTracks.usage,
    align: 'end',
    changesOften: true,
    value: whatItHolds((guest) => guest.memory?.usage),
    cell: (line) =>
      drawUsageCell({
        percent: line.memoryPercent,
        scale: 'memory',
        stale: line.stale,
        estimate: line.memoryEstimate !== undefined,
        hint: memoryHint(line),
      }),
    phone: {
      slot: 'figure',
      label: 'Mem',
      draw: ({ memoryPercent, memoryEstimate, stale }) => (
        <Usage percent={memoryPercent} scale="memory" stale={stale} estimate={memoryEstimate !== undefined} />
      ),
    },
  },
  {
    id: 'disk',
    header: 'Disk',
    firstDirection: 'desc',
    track: machineTracks.usage,
    narrow: narrowTracks.usage,
    align: 'end',
    changesOften: true,
    value: whatItHolds(diskPercent),
    cell: (line) =>
      drawUsageCell({ percent: line.diskPercent, scale: 'disk', stale: line.stale, hint: diskHint(line) }),
    phone: {
      slot: 'figure',
      label: 'Disk',
      draw: (line) => <Usage percent={line.diskPercent} scale="disk" stale={line.stale} />,
    },
  },
  ...guestRates.map(rateColumn),
]

/** Columns of a narrow window. */
export const narrowGuestColumns = narrowed(guestColumns)

/** Phones and narrow windows show rates in the details instead. */
function rateColumn(id: GuestRate): GuestColumn {
  return {
    id,
    header: sampledGuestFields[id].column,
    firstDirection: 'desc',
    track: machineTracks.rate,
    narrow: false,
    align: 'end',
    changesOften: true,
    value: onlyRunning((guest) => guest[id]),
    cell: ({ rates, stale }) => drawRateCell(rates[id], stale),
  }
}

function nameOf(line: GuestLine): GuestNameProps {
  const { id, guest, state, staleSince, dimmed, indented, link, alert, expanded, tabIndex } = line
  const { name, tags, lock } = guest
  const node = indented ? undefined : guest.node
  return { id, name, tags, lock, staleSince, state, dimmed, node, link, alert, expanded, tabIndex }
}

const cpuHint = ({ cpuPercent, guest: { cpus } }: GuestView) =>
  cpuPercent !== undefined && cpus > 0 ? `${formatNumber(cpus)} ${cpus === 1 ? 'CPU' : 'CPUs'}` : undefined

function memoryHint({ memoryPercent, memoryEstimate, guest: { memory } }: GuestView): string | undefined {
  if (memoryPercent === undefined) return undefined
  const used = usedOfTotal(memory?.used, memory?.total)
  return memoryEstimate ? `${used}. ${estimateReason[memoryEstimate]}` : used
}

function diskHint({ holds, diskPercent, guest }: GuestView): string | undefined {
  if (diskPercent !== undefined) return usedOfTotal(guest.disk?.used, guest.disk?.total)
  return holds ? diskReason(guest) : undefined
}
