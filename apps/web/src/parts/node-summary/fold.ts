import type { SummaryRow, SummaryRowKey } from './rows.ts'

/** 0 down, 1 other trouble, 2 healthy */
export type Rank = 0 | 1 | 2
export const HEALTHY = 2

export interface Line {
  key: SummaryRowKey
  row: SummaryRow
  rank: Rank
  /** lines that are down for the same reason share a cause */
  cause: string
}

export type FoldKey = `fold:${string}`

/** One line that replaces several. */
export interface Fold {
  key: FoldKey
  rank: Rank
  open: boolean
  /** number of replaced lines */
  count: number
  /** other lines of the same rank are above it */
  more: boolean
  /** undefined if they differ */
  cluster: string | undefined
  names: string
  /** epoch ms: since when the first of them has been down */
  since: number | undefined
  unreachable: boolean
}

export interface FoldQuery {
  /** number of lines that fit before healthy ones are folded; undefined: never fold */
  room: number | undefined
  /** open folds */
  open: ReadonlySet<FoldKey>
  /** never folded */
  selected: SummaryRowKey | undefined
}

export type Shown = Line | { fold: Fold }

/** The fold of the healthy lines. */
export const FOLD: FoldKey = 'fold:'
/** A fold of fewer lines saves no space. */
const leastFolded = 3
/** More down lines than this are folded, because otherwise the guests would begin below the screen. */
const mostDown = (room: number) => Math.floor((room * 5) / 3)

/**
 * Folds the lines of a long table. Down lines come first, then other trouble. Too many of these are folded
 * too, and lines that are down for the same reason share a fold. Healthy lines fill the remaining space, so
 * that the table keeps its height. The rest are folded, except the selected line. Without a fold the order
 * stays.
 */
export function foldLines(lines: readonly Line[], query: FoldQuery): readonly Shown[] {
  const { room, open, selected } = query
  if (room === undefined || lines.length < room + leastFolded) return lines
  const [down, troubled, healthy] = [0, 1, HEALTHY].map((rank) =>
    lines.filter((line) => line.rank === rank),
  ) as [Line[], Line[], Line[]]
  const downGroups = down.length > mostDown(room) ? atMost(byCause(down), room, 'fold:down') : down.map(alone)
  const groups = [
    ...downGroups,
    ...atMost(troubled.map(alone), Math.max(1, room - downGroups.length), 'fold:trouble'),
  ]
  const inRoom = healthy.filter(({ key }, at) => groups.length + at < room || key === selected)
  const rest = healthy.filter((line) => !inRoom.includes(line))
  const folded = rest.length < leastFolded ? [] : rest
  const shownHealthy = folded.length === 0 ? healthy : inRoom

  const draw = ({ key, lines: members, more }: LineGroup): readonly Shown[] => {
    if (key === undefined) return members
    const shown = open.has(key) ? members : members.filter((line) => line.key === selected)
    return [{ fold: describeFold(key, members, { open: open.has(key), more }) }, ...shown]
  }
  const drawn = [
    ...groups.flatMap(draw),
    ...shownHealthy,
    ...(folded.length > 0 ? draw({ key: FOLD, lines: folded, more: true }) : []),
  ]
  return drawn.some((one) => 'fold' in one) ? drawn : lines
}

/** Lines that share a fold, or a single line without a key. */
interface LineGroup {
  key?: FoldKey
  lines: readonly Line[]
  more: boolean
}

const alone = (line: Line): LineGroup => ({ lines: [line], more: false })

function byCause(down: readonly Line[]): readonly LineGroup[] {
  const causes = Map.groupBy(down, ({ cause }) => cause)
  return [...causes].flatMap(([cause, lines]) =>
    lines.length < leastFolded ? lines.map(alone) : [{ key: `fold:${cause}` as const, lines, more: false }],
  )
}

/** Folds the groups beyond the limit into one. */
function atMost(groups: readonly LineGroup[], most: number, key: FoldKey): readonly LineGroup[] {
  if (groups.length < most + leastFolded) return groups
  return [
    ...groups.slice(0, most),
    { key, lines: groups.slice(most).flatMap(({ lines }) => lines), more: true },
  ]
}

function describeFold(
  key: FoldKey,
  lines: readonly Line[],
  { open, more }: Pick<Fold, 'open' | 'more'>,
): Fold {
  const rows = lines.map(({ row }) => row)
  const [first] = rows
  const since = rows.flatMap(({ staleSince, offlineSince }) => staleSince ?? offlineSince ?? [])
  return {
    key,
    rank: lines[0]!.rank,
    open,
    count: lines.length,
    more,
    cluster: rows.every(({ cluster }) => cluster === first!.cluster) ? first!.cluster : undefined,
    names: rows.map(({ name }) => name).join(', '),
    since: since.length > 0 ? Math.min(...since) : undefined,
    unreachable: rows.every(({ outage }) => outage === 'unreachable'),
  }
}
