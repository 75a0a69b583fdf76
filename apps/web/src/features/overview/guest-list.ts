import type { Guest, Preference } from '@pulse/contract'
import type { GuestPredicate } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { indexNodes, isOffline, type NodeIndex, placeKey } from '../../parts/nodes.ts'
import { isGuestRunning } from '../../parts/status.ts'
import { compareValues, type Direction, type Sort } from '../../ui/table/sort.ts'
import { type GuestColumnId, guestColumns } from './columns.ts'

export interface GuestQuery {
  matches: GuestPredicate
  nowMs: number
  type: Preference<'dashboardViewMode'>
  status: Preference<'dashboardStatusMode'>
  grouping: Preference<'dashboardGroupingMode'>
  sort: Sort<GuestColumnId>
  /** only guests of this place, see `placeKey` */
  place: string | undefined
}

/** What the table shows from top to bottom: a node's header or a guest. */
export type GuestListRow = `node:${string}` | `guest:${string}`

export interface GuestList {
  rows: readonly GuestListRow[]
  running: number
  stopped: number
  /** of those that count as stopped: nobody knows whether they run */
  unreachable: number
}

interface Entry {
  id: string
  vmid: number
  place: string
  value: string | number | undefined
}

/**
 * Filters, sorts and groups. It starts from the order it found last time: between two updates most rows stay where
 * they are, and sorting a nearly sorted list costs little more than a look at it.
 */
export function createGuestListSelector(query: GuestQuery): (live: LiveReader) => GuestList {
  const valueOf = guestColumns.find((column) => column.id === query.sort.key)!.value
  const inOrder = byValue(query.sort.direction)
  let members: readonly string[] | undefined
  let order: readonly string[] = []

  return (live) => {
    const guests = live.records('guests')
    const nodes = indexNodes(live)
    const shown: Entry[] = []
    const hidden: string[] = []
    let running = 0
    let unreachable = 0

    const ids = live.ids('guests')
    if (ids !== members) order = members = ids
    for (const id of order) {
      const guest = guests.get(id)
      if (!guest) continue
      const place = placeKey(guest)
      const isRunning = isGuestRunning(guest, isOffline(nodes, place))
      const isSilent = nodes.get(place)?.silent ?? false
      if (isShown(query, guest, place, isRunning)) {
        shown.push({ id, vmid: guest.vmid, place, value: valueOf(guest, isRunning || isSilent) })
        if (isRunning) running++
        else if (isSilent || guest.staleSince !== undefined) unreachable++
      } else hidden.push(id)
    }

    shown.sort(inOrder)
    order = [...shown.map((entry) => entry.id), ...hidden]
    const rows = query.grouping === 'grouped' ? underNodes(shown, nodes) : shown.map(guestRow)
    return { rows, running, stopped: shown.length - running, unreachable }
  }
}

export function sameGuestList(a: GuestList, b: GuestList): boolean {
  const sameNumbers = a.running === b.running && a.stopped === b.stopped && a.unreachable === b.unreachable
  return sameNumbers && sameList(a.rows, b.rows)
}

function isShown(query: GuestQuery, guest: Guest, place: string, running: boolean): boolean {
  if (query.type !== 'all' && (query.type === 'vm') !== (guest.type === 'qemu')) return false
  if (query.status !== 'all' && (query.status === 'running') !== running) return false
  if (query.place !== undefined && query.place !== place) return false
  return query.matches(guest, { nowMs: query.nowMs, running })
}

/** Missing values come last either way; equal ones in the order of their numbers, so that a list never flickers. */
function byValue(direction: Direction): (a: Entry, b: Entry) => number {
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => {
    if (a.value !== undefined && b.value !== undefined) {
      const order = sign * compareValues(a.value, b.value)
      if (order !== 0) return order
    } else if (a.value !== b.value) {
      return a.value === undefined ? 1 : -1
    }
    return a.vmid - b.vmid || (a.id < b.id ? -1 : 1)
  }
}

const guestRow = ({ id }: Entry): GuestListRow => `guest:${id}`

/** Nodes come as in the summary: online first, then by name. One without a record of its own comes last. */
function underNodes(entries: readonly Entry[], nodes: NodeIndex): GuestListRow[] {
  const groups = Map.groupBy(entries, (entry) => entry.place)
  const rank = (place: string) => {
    const known = nodes.get(place)
    return {
      order: known ? (known.online || known.silent ? 0 : 1) : 2,
      name: known ? known.name : place,
      place,
    }
  }
  return [...groups.keys()]
    .map(rank)
    .toSorted((a, b) => a.order - b.order || compareValues(a.name, b.name) || (a.place < b.place ? -1 : 1))
    .flatMap(({ place }): GuestListRow[] => [`node:${place}`, ...groups.get(place)!.map(guestRow)])
}
