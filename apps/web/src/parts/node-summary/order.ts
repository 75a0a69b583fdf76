import { isEqual } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { compareValues, type Sort, sortBy } from '../../ui/table/sort.ts'
import type { AlertLevels } from '../alerts/alert-levels.ts'
import type { Trouble } from '../alerts/attention.ts'
import { nodesWithFaults } from '../alerts/nodes-with-faults.ts'
import { placeKey } from '../nodes/nodes.ts'
import type { SummaryColumn, SummaryColumnId } from './columns.tsx'
import { FOLD, type Fold, type FoldKey, foldLines, type FoldQuery, type Line, WELL } from './fold.ts'
import {
  type Counts,
  type CountsByRow,
  datastoresOf,
  describeNode,
  describeServer,
  rowTrouble,
  type SummaryRow,
  type SummaryRowKey,
} from './rows.ts'

export type SummarySort = Sort<SummaryColumnId> | undefined

/** The lines of the table in order, and which optional columns they need. */
export interface Summary {
  keys: readonly (SummaryRowKey | FoldKey)[]
  /** those among them that stand for others */
  folds: readonly Fold[]
  withPbs: boolean
  withTemperature: boolean
}

/** Which lines a figure above the table leaves. */
export type SummaryFocus = 'unreachable' | 'attention' | undefined

export interface SummaryQuery extends Omit<FoldQuery, 'open'> {
  /** undefined is the default order */
  sort: SummarySort
  /** the sorted column, when it is shown */
  column: SummaryColumn | undefined
  counts: CountsByRow
  /** whether backup servers have lines too */
  servers: boolean
  alerts: AlertLevels
  focus: SummaryFocus
  /** the healthy ones are */
  unfolded: boolean
  /** other folds that are open */
  opened?: ReadonlySet<FoldKey>
}

/** Lines that were in trouble when it was looked last. */
type Troubled = Set<SummaryRowKey>

/** Remembers who was in trouble: a figure that moves around its threshold moves no line. */
export function createSummarySelector(): (live: LiveReader, query: SummaryQuery) => Summary {
  const troubled: Troubled = new Set()
  return (live, query) => selectSummary(live, query, troubled)
}

export function selectSummary(
  live: LiveReader,
  query: SummaryQuery,
  troubled: Troubled = new Set(),
): Summary {
  const { sort, column, focus, selected, room, unfolded, opened } = query
  const all = linesOf(live, query, troubled).sort(
    (a, b) => inDefaultOrder(a.row, b.row) || (a.key < b.key ? -1 : 1),
  )
  const kept = all.filter(({ key, trouble }) => key === selected || isKept(focus, trouble))
  const ordered = sort && column ? sortBy(kept, ({ row }) => column.value(row), sort.direction) : kept
  const open = new Set([...(opened ?? []), ...(unfolded ? [FOLD] : [])])
  const shown = foldLines(ordered, { room: sort ? undefined : room, open, selected })
  const folds = shown.flatMap((one) => ('fold' in one ? one.fold : []))
  return {
    keys: shown.map((one) => ('fold' in one ? one.fold.key : one.key)),
    folds,
    withPbs: all.some(({ row }) => row.kind === 'pbs'),
    withTemperature: all.some(({ row }) => row.temperature !== undefined),
  }
}

const noCounts: Counts = {}

type JudgedLine = Line & { trouble: Trouble | undefined }

function linesOf(live: LiveReader, query: SummaryQuery, troubled: Troubled): JudgedLine[] {
  const { counts, servers, alerts } = query
  const lines: JudgedLine[] = []
  const places = nodesWithFaults(live)
  const put = (
    key: SummaryRowKey,
    row: SummaryRow,
    { source, broken }: { source: string; broken: boolean },
  ) => {
    const alert = alerts.get(row.wireId)
    const trouble = rowTrouble(row, { alert, broken })
    const stays =
      trouble ?? (troubled.has(key) ? rowTrouble(row, { alert, broken, raised: easeOff }) : undefined)
    if (stays) troubled.add(key)
    else troubled.delete(key)
    const rank = stays === undefined ? WELL : stays === 'unreachable' ? 0 : 1
    lines.push({ key, row, rank, cause: `${row.lost} ${source}`, trouble })
  }
  for (const [id, node] of live.records('nodes')) {
    const place = placeKey(node)
    put(`pve:${id}`, describeNode(node, counts.get(place) ?? noCounts), {
      source: node.source,
      broken: places.has(place),
    })
  }
  for (const [id, server] of servers ? live.records('pbs') : []) {
    put(`pbs:${id}`, describeServer(server, datastoresOf(live, id), counts.get(id) ?? noCounts), {
      source: server.source,
      broken: false,
    })
  }
  return lines
}

/** Percent, degrees: as far below the red a figure has to be before its line goes back to its place. */
const easeOff = 5

const isKept = (focus: SummaryFocus, trouble: Trouble | undefined): boolean =>
  focus === undefined || (focus === 'unreachable' ? trouble === 'unreachable' : trouble !== undefined)

/** A line does not move because its source falls silent. */
const keepsPlace = ({ online, staleSince }: SummaryRow) => online || staleSince !== undefined

/** PVE before PBS, online before offline, then by name; those of one name as the groups of their guests. */
function inDefaultOrder(a: SummaryRow, b: SummaryRow): number {
  return (
    Number(a.kind === 'pbs') - Number(b.kind === 'pbs') ||
    Number(keepsPlace(b)) - Number(keepsPlace(a)) ||
    compareValues(a.name, b.name) ||
    compareValues(a.cluster ?? '', b.cluster ?? '')
  )
}

export function sameSummary(a: Summary, b: Summary): boolean {
  return (
    a.withPbs === b.withPbs &&
    a.withTemperature === b.withTemperature &&
    isEqual(a.folds, b.folds) &&
    sameList(a.keys, b.keys)
  )
}
