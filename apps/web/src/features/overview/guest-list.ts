import { figureFields, type Guest } from '@pulse/contract'
import type { GuestPredicate } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { createListSelector, type List, type ListItem, type ListRow } from '../../parts/list/list-selector.ts'
import { alertLevels, type AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { guestTrouble } from '../../parts/alerts/attention.ts'
import { indexNodes, type NodeIndex, nodeState, orderNodeKeys, nodeKey } from '../../parts/nodes/nodes.ts'
import { guestMark, machineStates, type GuestMark } from '../../parts/nodes/status.ts'
import type { Sort } from '../../ui/table/sort.ts'
import { type GuestColumnId, guestColumns } from './columns.tsx'
import type { GuestFilters } from './filter.ts'

export interface GuestQuery extends GuestFilters {
  /** undefined without a search */
  matches: GuestPredicate | undefined
  nowMs: number
  sort: Sort<GuestColumnId>
  /** only guests of this node, see `nodeKey` */
  node: string | undefined
  /** only guests that are unreachable, or that need attention */
  focus: 'unreachable' | 'attention' | undefined
}

export const guestListNames = { record: 'guest', group: 'node' } as const

/** A node's head or a guest. */
export type GuestListRow = ListRow<(typeof guestListNames)[keyof typeof guestListNames]>

export interface GuestList {
  rows: readonly GuestListRow[]
  running: number
  stopped: number
  /** of the stopped: their state is unknown */
  unreachable: number
  /** neither running nor stopped: their state is unknown */
  unheard: number
  /** the order is outdated */
  orderPending: boolean
}

export function createGuestListSelector(query: GuestQuery) {
  const { value, changesOften } = guestColumns.find((column) => column.id === query.sort.key)!
  const ignoredFields = unreadFigures(query)
  const select = createListSelector({
    kind: 'guests',
    names: guestListNames,
    context: (live): Around => [
      indexNodes(live),
      query.focus === 'attention' ? alertLevels(live) : undefined,
    ],
    direction: query.sort.direction,
    toItem(guest, [nodes, alerts]): ListItem | undefined {
      const key = nodeKey(guest)
      const node = nodeState(nodes, key)
      const mark = guestMark(guest, node)
      if (!isShown(query, guest, key, mark)) return undefined
      if (query.focus === 'unreachable' && mark !== 'unreachable') return undefined
      if (query.focus === 'attention') {
        const trouble = guestTrouble(guest, node, alerts?.get(guest.id))
        if (trouble === undefined) return undefined
      }
      const hasFigures = mark === 'running' || (node === 'unreachable' && guest.status === 'running')
      return {
        value: changesOften && !machineStates[node].hasFigures ? undefined : value(guest, hasFigures),
        tiebreaker: guest.vmid,
        group: key,
        category: mark,
      }
    },
    ...(ignoredFields && { ignoredFields }),
    ...(query.grouping === 'grouped' && {
      groups: (keys: readonly string[], [nodes]: Around) => orderNodeKeys(keys, nodes),
    }),
  })

  let list: List | undefined
  let result: GuestList | undefined

  return (live: LiveReader, keepOrder = false): GuestList => {
    const next = select(live, keepOrder)
    if (result && next === list) return result
    list = next
    const count = (mark: GuestMark) => next.counts.get(mark) ?? 0
    const unreachable = count('unreachable')
    return (result = {
      rows: next.rows,
      running: count('running'),
      stopped: count('stopped') + unreachable,
      unreachable,
      unheard: count('unheard'),
      orderPending: next.orderPending,
    })
  }
}

/** A search may use any figure, and so does the attention filter. */
function unreadFigures({ matches, focus, sort }: GuestQuery): ReadonlySet<string> | undefined {
  if (matches || focus === 'attention') return undefined
  const unread = new Set(figureFields('guests'))
  unread.delete(sort.key)
  return unread
}

export function sameGuestList(a: GuestList, b: GuestList): boolean {
  if (a === b) return true
  const sameNumbers =
    a.running === b.running &&
    a.stopped === b.stopped &&
    a.unreachable === b.unreachable &&
    a.unheard === b.unheard
  return sameNumbers && a.orderPending === b.orderPending && (a.rows === b.rows || sameList(a.rows, b.rows))
}

function isShown(query: GuestQuery, guest: Guest, key: string, mark: GuestMark): boolean {
  const running = mark === 'running'
  if (query.type !== 'all' && (query.type === 'vm') !== (guest.type === 'qemu')) return false
  if (query.status !== 'all' && ((query.status === 'running') !== running || mark === 'unheard')) return false
  if (query.node !== undefined && query.node !== key) return false
  return query.matches?.(guest, { nowMs: query.nowMs, running }) ?? true
}

/** Other data that decides about a guest. */
type Around = readonly [nodes: NodeIndex, alerts: AlertLevels | undefined]
