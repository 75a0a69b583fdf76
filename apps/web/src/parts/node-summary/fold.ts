import type { SummaryRow, SummaryRowKey } from './rows.ts'

/** 0 lost, 1 in other trouble, 2 well */
export type Rank = 0 | 1 | 2
export const WELL = 2

export interface Line {
  key: SummaryRowKey
  row: SummaryRow
  rank: Rank
  /** what is lost for the same reason has the same */
  cause: string
}

export type FoldKey = `fold:${string}`

/** A line that stands for others. */
export interface Fold {
  key: FoldKey
  rank: Rank
  open: boolean
  /** how many it stands for */
  count: number
  /** others of the same rank have lines of their own above it */
  more: boolean
  /** theirs, as far as they share it */
  cluster: string | undefined
  names: string
  /** for how long, of those that are lost; whether their source does not answer */
  since: number | undefined
  unreachable: boolean
}

export interface FoldQuery {
  /** how many lines there are room for before the healthy ones are folded; undefined never folds */
  room: number | undefined
  /** those that are open */
  open: ReadonlySet<FoldKey>
  /** always has its line */
  selected: SummaryRowKey | undefined
}

export type Shown = Line | { fold: Fold }

/** The healthy ones: between the lines that are always there and the rest. */
export const FOLD: FoldKey = 'fold:'
/** A fold that hides less than this costs more than it saves. */
const leastFolded = 3
/** Lost ones have lines of their own up to here: with more of them the guests would begin below the screen. */
const mostLost = (room: number) => Math.floor((room * 5) / 3)

/**
 * In a long table trouble comes first, what is lost before the rest. So much of it that it would fill the screen shares
 * lines: those lost for one reason have one, as loud as they are. What is well fills the room that is left, so that the
 * table keeps its height; the others are folded, but for the selected one. A table in which nothing is folded keeps its
 * order.
 */
export function foldLines(lines: readonly Line[], query: FoldQuery): readonly Shown[] {
  const { room, open, selected } = query
  if (room === undefined || lines.length < room + leastFolded) return lines
  const [lost, troubled, well] = [0, 1, WELL].map((rank) => lines.filter((line) => line.rank === rank)) as [
    Line[],
    Line[],
    Line[],
  ]
  const heapsOfLost =
    lost.length > mostLost(room) ? atMost(byCause(lost), room, 'fold:lost') : lost.map(alone)
  const heaps = [
    ...heapsOfLost,
    ...atMost(troubled.map(alone), Math.max(1, room - heapsOfLost.length), 'fold:trouble'),
  ]
  const inRoom = well.filter(({ key }, at) => heaps.length + at < room || key === selected)
  const rest = well.filter((line) => !inRoom.includes(line))
  const folded = rest.length < leastFolded ? [] : rest
  const shownWell = folded.length === 0 ? well : inRoom

  const draw = ({ key, lines: members, more }: Heap): readonly Shown[] => {
    if (key === undefined) return members
    const shown = open.has(key) ? members : members.filter((line) => line.key === selected)
    return [{ fold: describeFold(key, members, { open: open.has(key), more }) }, ...shown]
  }
  const drawn = [
    ...heaps.flatMap(draw),
    ...shownWell,
    ...(folded.length > 0 ? draw({ key: FOLD, lines: folded, more: true }) : []),
  ]
  return drawn.some((one) => 'fold' in one) ? drawn : lines
}

/** Lines that have one in common, or a single one without a key. */
interface Heap {
  key?: FoldKey
  lines: readonly Line[]
  more: boolean
}

const alone = (line: Line): Heap => ({ lines: [line], more: false })

function byCause(lost: readonly Line[]): readonly Heap[] {
  const causes = Map.groupBy(lost, ({ cause }) => cause)
  return [...causes].flatMap(([cause, lines]) =>
    lines.length < leastFolded ? lines.map(alone) : [{ key: `fold:${cause}` as const, lines, more: false }],
  )
}

/** What is beyond shares a last line. */
function atMost(heaps: readonly Heap[], most: number, key: FoldKey): readonly Heap[] {
  if (heaps.length < most + leastFolded) return heaps
  return [
    ...heaps.slice(0, most),
    { key, lines: heaps.slice(most).flatMap(({ lines }) => lines), more: true },
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
    unreachable: rows.every(({ lost }) => lost === 'unreachable'),
  }
}
