import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import { compareValues, type Sort, sortBy } from '../../ui/table/sort.ts'
import type { AlertLevels } from '../alert-levels.ts'
import { placeKey } from '../nodes.ts'
import type { SummaryColumn, SummaryColumnId } from './columns.ts'
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

/** Between the lines that are always there and the rest. */
export const FOLD = 'fold:'

/** The lines of the table in order, and which optional columns they need. */
export interface Summary {
  keys: readonly (SummaryRowKey | typeof FOLD)[]
  /** how many lines the fold stands for, all of them healthy; 0 without a fold */
  folded: number
  withPbs: boolean
  withTemperature: boolean
}

/** Which lines a figure above the table leaves. */
export type SummaryFocus = 'unreachable' | 'attention' | undefined

export interface SummaryQuery {
  /** undefined is the default order */
  sort: SummarySort
  /** the sorted column, when it is shown */
  column: SummaryColumn | undefined
  counts: CountsByRow
  /** whether backup servers have lines too */
  servers: boolean
  alerts: AlertLevels
  focus: SummaryFocus
  /** how many lines there are room for before the healthy ones are folded; undefined never folds */
  room: number | undefined
  unfolded: boolean
  /** always has its line */
  selected: SummaryRowKey | undefined
}

interface Line {
  key: SummaryRowKey
  row: SummaryRow
  /** 0 lost, 1 in other trouble, 2 well */
  rank: number
}

const WELL = 2
/** A fold that hides less than this costs more than it saves. */
const leastFolded = 3

export function selectSummary(live: LiveReader, query: SummaryQuery): Summary {
  const { sort, column, focus, selected } = query
  const all = linesOf(live, query).sort((a, b) => inDefaultOrder(a.row, b.row) || (a.key < b.key ? -1 : 1))
  const kept = all.filter(({ key, rank }) => key === selected || isKept(focus, rank))
  const ordered = sort && column ? sortBy(kept, ({ row }) => column.value(row), sort.direction) : kept
  const wanted = sort || focus ? { first: ordered, rest: [] } : fold(ordered, query)
  const { first, rest } = wanted
  return {
    keys: [
      ...first.map(({ key }) => key),
      ...(rest.length > 0 ? [FOLD as typeof FOLD] : []),
      ...(query.unfolded ? rest.map(({ key }) => key) : []),
    ],
    folded: rest.length,
    withPbs: all.some(({ row }) => row.kind === 'pbs'),
    withTemperature: all.some(({ row }) => row.temperature !== undefined),
  }
}

const noCounts: Counts = {}

function linesOf(live: LiveReader, { counts, servers, alerts }: SummaryQuery): Line[] {
  const lines: Line[] = []
  const put = (key: SummaryRowKey, row: SummaryRow) => {
    const trouble = rowTrouble(row, alerts.get(row.wireId))
    lines.push({ key, row, rank: trouble === undefined ? WELL : trouble === 'unreachable' ? 0 : 1 })
  }
  for (const [id, node] of live.records('nodes')) {
    put(`pve:${id}`, describeNode(node, counts.get(placeKey(node)) ?? noCounts))
  }
  if (!servers) return lines
  for (const [id, server] of live.records('pbs')) {
    put(`pbs:${id}`, describeServer(server, datastoresOf(live, id), counts.get(id) ?? noCounts))
  }
  return lines
}

const isKept = (focus: SummaryFocus, rank: number): boolean =>
  focus === undefined || (focus === 'unreachable' ? rank === 0 : rank < WELL)

/**
 * In a long table trouble comes first, what is lost before the rest. What is well fills the room that is left, so that
 * the table keeps its height; the others are folded, but for the selected one.
 */
function fold(lines: readonly Line[], { room, selected }: SummaryQuery): { first: Line[]; rest: Line[] } {
  if (room === undefined || lines.length < room + leastFolded) return { first: [...lines], rest: [] }
  const byRank = [0, 1, WELL].flatMap((rank) => lines.filter((line) => line.rank === rank))
  const isFirst = ({ key, rank }: Line, at: number) => rank < WELL || at < room || key === selected
  const first = byRank.filter(isFirst)
  const rest = byRank.filter((line, at) => !isFirst(line, at))
  return rest.length < leastFolded ? { first: byRank, rest: [] } : { first, rest }
}

/** A line does not move because its source falls silent. */
const keepsPlace = ({ online, staleSince }: SummaryRow) => online || staleSince !== undefined

/** PVE before PBS, online before offline, then by name. */
function inDefaultOrder(a: SummaryRow, b: SummaryRow): number {
  return (
    Number(a.kind === 'pbs') - Number(b.kind === 'pbs') ||
    Number(keepsPlace(b)) - Number(keepsPlace(a)) ||
    compareValues(a.name, b.name)
  )
}

export function sameSummary(a: Summary, b: Summary): boolean {
  return (
    a.withPbs === b.withPbs &&
    a.withTemperature === b.withTemperature &&
    a.folded === b.folded &&
    sameList(a.keys, b.keys)
  )
}
