import type { Guest, Preference } from '@pulse/contract'
import { isGuestHalted } from '../../parts/status.ts'
import type { Direction } from '../../ui/table/sort.ts'

export type GuestColumnId = Preference<'sortKey'>

export interface GuestColumn {
  id: GuestColumnId
  header: string
  /** the direction a first click sorts in */
  first: Direction
  /** CSS grid track */
  track: string
  align?: 'end'
  /** undefined sorts last; a guest that is not running has no figures */
  value(guest: Guest, running: boolean): string | number | undefined
}

const onlyRunning =
  (read: (guest: Guest) => number | undefined) =>
  (guest: Guest, running: boolean): number | undefined =>
    running ? read(guest) : undefined

const whatItHolds =
  (read: (guest: Guest) => number | undefined) =>
  (guest: Guest, running: boolean): number | undefined =>
    running || isGuestHalted(guest) ? read(guest) : undefined

const bar = 'minmax(84px, 1fr)'
const rate = '80px'

export const guestColumns: readonly GuestColumn[] = [
  { id: 'name', header: 'Name', first: 'asc', track: 'minmax(140px, 2fr)', value: (g) => g.name },
  { id: 'type', header: 'Type', first: 'asc', track: '50px', value: (g) => typeLabel(g) },
  { id: 'vmid', header: 'VMID', first: 'asc', track: '60px', align: 'end', value: (g) => g.vmid },
  {
    id: 'uptime',
    header: 'Uptime',
    first: 'desc',
    track: '76px',
    align: 'end',
    // the earlier the start, the longer it is up
    value: onlyRunning((g) => (g.startedAt === undefined ? undefined : -g.startedAt)),
  },
  { id: 'cpu', header: 'CPU', first: 'desc', track: bar, value: onlyRunning((g) => g.cpu) },
  { id: 'memory', header: 'Memory', first: 'desc', track: bar, value: whatItHolds((g) => g.memory?.usage) },
  { id: 'disk', header: 'Disk', first: 'desc', track: bar, value: whatItHolds(diskPercent) },
  rateColumn('diskRead', 'Disk Read'),
  rateColumn('diskWrite', 'Disk Write'),
  rateColumn('networkIn', 'Net In'),
  rateColumn('networkOut', 'Net Out'),
]

function rateColumn(id: 'diskRead' | 'diskWrite' | 'networkIn' | 'networkOut', header: string): GuestColumn {
  return { id, header, first: 'desc', track: rate, align: 'end', value: onlyRunning((g) => g[id]) }
}

export const typeLabel = (guest: Pick<Guest, 'type'>): 'VM' | 'LXC' => (guest.type === 'qemu' ? 'VM' : 'LXC')

/** Percent 0-100; undefined while unknown or without a size. */
export function diskPercent({ disk }: Pick<Guest, 'disk'>): number | undefined {
  if (!disk || disk.usage === undefined || disk.total <= 0) return undefined
  return Math.min(100, Math.max(0, disk.usage))
}
