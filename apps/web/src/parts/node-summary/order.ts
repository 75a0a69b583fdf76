import { isEqual } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { compareValues, type Sort, sortBy } from '../../ui/table/sort.ts'
import type { AlertLevels } from '../alerts/alert-levels.ts'
import type { Trouble } from '../alerts/attention.ts'
import { nodesWithFaults } from '../alerts/nodes-with-faults.ts'
import { nodeKey } from '../nodes/nodes.ts'
import type { SummaryColumn, SummaryColumnId } from './columns.tsx'
import { FOLD, type Fold, type FoldKey, foldLines, type FoldQuery, type Line, HEALTHY } from './fold.ts'
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

/** The ordered lines of the table, and the optional columns that they need. */
export interface Summary {
  keys: readonly (SummaryRowKey | FoldKey)[]
  /** the folds among them */
  folds: readonly Fold[]
  withPbs: boolean
  withTemperature: boolean
}

/** The filter set by a figure above the table. */
export type SummaryFocus = 'unreachable' | 'attention' | undefined

export interface SummaryQuery extends Omit<FoldQuery, 'open'> {
  /** undefined is the default order */
  sort: SummarySort
  /** the sorted column, if it is shown */
  column: SummaryColumn | undefined
  counts: CountsByRow
  /** include backup servers */
  servers: boolean
  alerts: AlertLevels
  focus: SummaryFocus
  /** the fold of healthy lines is open */
  unfolded: boolean
  /** other folds that are open */
  opened?: ReadonlySet<FoldKey>
}

/** Lines with trouble at the last selection. */
type Troubled = Set<SummaryRowKey>

/** Remembers the lines with trouble, so that a figure that oscillates around its threshold moves no line. */
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
  const matching = all.filter(({ key, trouble }) => key === selected || matchesFocus(focus, trouble))
  const ordered = sort && column ? sortBy(matching, ({ row }) => column.value(row), sort.direction) : matching
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
  const faulty = nodesWithFaults(live)
  const put = (
    key: SummaryRowKey,
    row: SummaryRow,
    { source, broken }: { source: string; broken: boolean },
  ) => {
    const alert = alerts.get(row.wireId)
    const trouble = rowTrouble(row, { alert, broken })
    const lasting =
      trouble ?? (troubled.has(key) ? rowTrouble(row, { alert, broken, raised: hysteresis }) : undefined)
    if (lasting) troubled.add(key)
    else troubled.delete(key)
    const rank = lasting === undefined ? HEALTHY : lasting === 'unreachable' ? 0 : 1
    lines.push({ key, row, rank, cause: `${row.outage} ${source}`, trouble })
  }
  for (const [id, node] of live.records('nodes')) {
    const key = nodeKey(node)
    put(`pve:${id}`, describeNode(node, counts.get(key) ?? noCounts), {
      source: node.source,
      broken: faulty.has(key),
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

/** Percent or degrees below the red threshold at which a line counts as healthy again. */
const hysteresis = 5

const matchesFocus = (focus: SummaryFocus, trouble: Trouble | undefined): boolean =>
  focus === undefined || (focus === 'unreachable' ? trouble === 'unreachable' : trouble !== undefined)

/** The lines of an unreachable source keep their places. */
const sortsAsOnline = ({ online, staleSince }: SummaryRow) => online || staleSince !== undefined

/** PVE before PBS, online before offline, then by name and cluster. */
function inDefaultOrder(a: SummaryRow, b: SummaryRow): number {
  return (
    Number(a.kind === 'pbs') - Number(b.kind === 'pbs') ||
    Number(sortsAsOnline(b)) - Number(sortsAsOnline(a)) ||
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
