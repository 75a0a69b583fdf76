import { figureFields, type Guest } from '@pulse/contract'
import { toneOf } from '../../lib/tones.ts'
import { perStore } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { type AlertLevels, alertLevels } from '../../parts/alerts/alert-levels.ts'
import { guestTrouble } from '../../parts/alerts/attention.ts'
import { indexNodes, type NodeIndex, nodeState, nodeKey } from '../../parts/nodes/nodes.ts'
import { type GuestMark, guestMark, type MachineState } from '../../parts/nodes/status.ts'

/** How a guest is counted. */
export interface CountedGuest {
  /** see `nodeKey` */
  node: string
  type: Guest['type']
  mark: GuestMark
  attention: boolean
}

export interface Count {
  vms: number
  containers: number
  running: number
  stopped: number
  /** among the stopped */
  unreachable: number
  /** neither running nor stopped */
  unheard: number
  attention: number
}

/** Totals over all guests. Same identity while unchanged; must not be modified. */
export interface GuestTally extends Count {
  /** by the node's `nodeKey`; same identity while none of its counts changed */
  byNode: ReadonlyMap<string, Readonly<Count>>
}

interface Counter {
  read(live: LiveReader): GuestTally
  standings: ReadonlyMap<string, CountedGuest>
}

const guestFigures = figureFields('guests')
const counterOf = perStore(createCounter)

/** Record kinds that the totals depend on. */
export const tallyKinds = ['guests', 'nodes', 'activeAlerts'] as const

/** Computed once per change for all callers; costs O(changed guests). */
export const tallyGuests = (live: LiveReader): GuestTally => counterOf(live).read(live)

/** undefined if the guest does not exist */
export function countedGuest(live: LiveReader, id: string): CountedGuest | undefined {
  const counter = counterOf(live)
  counter.read(live)
  return counter.standings.get(id)
}

const noCount: Readonly<Count> = {
  vms: 0,
  containers: 0,
  running: 0,
  stopped: 0,
  unreachable: 0,
  unheard: 0,
  attention: 0,
}

function createCounter(): Counter {
  const counted = new Map<string, CountedGuest>()
  const red = createRedFigures()
  /** ids by node, to find the guests of a node that changes state */
  const members = new Map<string, Set<string>>()
  const states = new Map<string, MachineState>()
  let seenGuests = -1
  let seenNodes: NodeIndex | undefined
  let alerts: AlertLevels | undefined
  let tally: GuestTally = { ...noCount, byNode: new Map() }

  return {
    standings: counted,
    read(live) {
      for (const due of changedIn(live)) tally = recount(live, due, tally)
      return tally
    },
  }

  /** Ids of guests to count again. */
  function changedIn(live: LiveReader): Iterable<string>[] {
    const levels = alertLevels(live)
    const nodes = indexNodes(live)
    const changed = levels === alerts && seenGuests >= 0 ? changedSince(live, seenGuests) : undefined
    const due: Iterable<string>[] = [changed ?? new Set([...counted.keys(), ...live.ids('guests')])]
    alerts = levels
    seenGuests = live.version('guests')
    if (nodes === seenNodes) return due
    for (const key of new Set([...members.keys(), ...states.keys(), ...nodes.keys()])) {
      const state = nodeState(nodes, key)
      if (states.get(key) === state) continue
      states.set(key, state)
      if (changed) due.push([...(members.get(key) ?? [])])
    }
    seenNodes = nodes
    return due
  }

  /** The memory or disk total decides what counts as red, so a new total makes the whole guest due. */
  function changedSince(live: LiveReader, version: number): Iterable<string> | undefined {
    const changed = live.changedSince(
      'guests',
      version,
      (field, path) =>
        !redPaths.has(path) && (!guestFigures.has(field) || field === 'memory' || field === 'disk'),
    )
    return changed && new Set([...changed, ...red.crossed(live, version)])
  }

  function recount(live: LiveReader, due: Iterable<string>, before: GuestTally): GuestTally {
    const nodes = indexNodes(live)
    const levels = alertLevels(live)
    // not `get`: its reader may keep the record
    const guests = live.records('guests')
    const total = pick(before)
    const byNode = new Map<string, Count>()
    const countOf = (key: string): Count => {
      let count = byNode.get(key)
      if (!count) byNode.set(key, (count = { ...(before.byNode.get(key) ?? noCount) }))
      return count
    }
    for (const id of due) {
      const guest = guests.get(id)
      const old = counted.get(id)
      const now = guest && classifyGuest(guest, nodeState(nodes, nodeKey(guest)), levels)
      // skips most guests on the first read; one that is red all the same is noted with its next figure
      if (old || now?.attention) red.note(id, guest)
      if (old && now && isSame(old, now)) continue
      if (old) {
        add(total, old, -1)
        add(countOf(old.node), old, -1)
        if (old.node !== now?.node) members.get(old.node)?.delete(id)
      }
      if (now) {
        add(total, now, 1)
        add(countOf(now.node), now, 1)
        counted.set(id, now)
        const own = members.get(now.node)
        if (own) own.add(id)
        else members.set(now.node, new Set([id]))
      } else counted.delete(id)
    }
    if (byNode.size === 0) return before
    const merged = new Map([...before.byNode, ...byNode])
    for (const [key, { vms, containers }] of byNode) if (vms + containers === 0) merged.delete(key)
    return { ...total, byNode: merged }
  }
}

function classifyGuest(guest: Guest, node: MachineState, alerts: AlertLevels): CountedGuest {
  return {
    node: nodeKey(guest),
    type: guest.type,
    mark: guestMark(guest, node),
    attention: guestTrouble(guest, node, alerts.get(guest.id)) !== undefined,
  }
}

const isSame = (a: CountedGuest, b: CountedGuest): boolean =>
  a.node === b.node && a.type === b.type && a.mark === b.mark && a.attention === b.attention

function add(count: Count, standing: CountedGuest, sign: 1 | -1): void {
  count[standing.type === 'qemu' ? 'vms' : 'containers'] += sign
  count[standing.mark] += sign
  if (standing.mark === 'unreachable') count.stopped += sign
  if (standing.attention) count.attention += sign
}

const pick = ({ vms, containers, running, stopped, unreachable, unheard, attention }: Count): Count => ({
  vms,
  containers,
  running,
  stopped,
  unreachable,
  unheard,
  attention,
})

const figures = [
  { path: 'cpu', isRed: (value: number) => toneOf('cpu', value * 100) === 'red' },
  { path: 'memory.used', isRed: (value: number, { memory }: Guest) => isFull('memory', value, memory) },
  { path: 'disk.used', isRed: (value: number, { disk }: Guest) => isFull('disk', value, disk) },
] as const

const isFull = (scale: 'memory' | 'disk', used: number, of: { total: number } | undefined) =>
  of !== undefined && of.total > 0 && toneOf(scale, (used / of.total) * 100) === 'red'

/** Most updates are these figures, and few of them turn red or stop being red. */
const redPaths: ReadonlySet<string> = new Set(figures.map(({ path }) => path))

/** Tracks which figures are red without reading every guest with a new figure. */
function createRedFigures() {
  const red = Object.fromEntries(figures.map(({ path }) => [path, new Set<string>()]))

  return {
    /** Checks all figures of a guest; undefined: deleted. */
    note(id: string, guest: Guest | undefined): void {
      for (const { path, isRed } of figures) {
        const value =
          path === 'cpu' ? guest?.cpu : path === 'disk.used' ? guest?.disk?.used : guest?.memory?.used
        if (guest && value !== undefined && isRed(value, guest)) red[path]!.add(id)
        else red[path]!.delete(id)
      }
    },
    /** Guests with a figure that turned red, or stopped being red, since that version. */
    crossed(live: LiveReader, version: number): string[] {
      const found: string[] = []
      for (const { path, isRed } of figures) {
        // the total is unchanged: a guest with a new total is checked as a whole
        live.eachChanged('guests', version, path, (id, value, before) => {
          const now = typeof value === 'number' && isRed(value, before as Guest)
          if (now !== red[path]!.has(id)) found.push(id)
        })
      }
      return found
    },
  }
}
