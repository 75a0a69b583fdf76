import { type ChangeCount, type ChangeWord, type RecordKind, routineChanges } from '@pulse/contract'
import type { ChangeRow, ChangeStorage } from './change-storage.ts'
import type { ChangeNotice } from './notices.ts'

export interface NoticePage {
  notices: ChangeNotice[]
  /** absent on the last page */
  cursor?: string
}

/** An id in the time in which it meant a thing. `to` is exclusive. */
export interface IdSpan {
  id: string
  from: number
  to: number
}

export interface NoticeQuery {
  from: number
  to: number
  /** absent: all */
  kinds?: readonly RecordKind[] | undefined
  /** absent: all but the routine ones */
  words?: readonly ChangeWord[] | undefined
  ids?: readonly IdSpan[] | undefined
  /** of the page before */
  cursor?: string | undefined
  most: number
}

/** A step takes about 2 ms. */
const rowsPerStep = 100
/** One answer reads so many rows at most: 14 days in which something changed every minute. */
export const rowsPerPage = 30_000
const lastPlace = Number.MAX_SAFE_INTEGER - 1

type Rows = Pick<ChangeStorage, 'lastRow' | 'noticesBefore'>

/** Notices of a time, newest first, in pages, read in steps. `open`: those that have no row yet. */
export function* readNotices(
  storage: Rows,
  open: readonly ChangeNotice[],
  query: NoticeQuery,
): Generator<void, NoticePage> {
  const { from, to, kinds, words, ids, most } = query
  const isWanted = (one: ChangeNotice) =>
    one.at >= from &&
    one.at < to &&
    (!kinds || kinds.includes(one.kind)) &&
    (words ? words.includes(one.what) : !routineChanges.includes(one.what)) &&
    (!ids || ids.some((own) => own.id === one.id && one.at >= own.from && one.at < own.to))
  const start = placeIn(query.cursor)
  const notices: ChangeNotice[] = []
  let next = start.row
  for (let read = 0; read < rowsPerPage; read += rowsPerStep) {
    const rows = rowsFrom(storage, open, next, from, to)
    for (const row of rows) {
      const own = JSON.parse(row.notices) as ChangeNotice[]
      let left = row.id === start.row ? Math.min(start.left, own.length) : own.length
      for (; left > 0; left--) {
        const notice = own[left - 1]!
        if (!isWanted(notice)) continue
        if (notices.length === most) return { notices, cursor: `${row.id}.${left}` }
        notices.push(notice)
      }
    }
    if (rows.length < rowsPerStep) return { notices }
    next = rows.at(-1)!.id - 1
    yield
  }
  return { notices, cursor: `${next}` }
}

export interface NoticeCounts {
  counts: ChangeCount[]
  /** false: there are more than are counted, and these are the newest */
  isWhole: boolean
}

/** Counting more would keep the caller waiting. */
const mostCounted = 20_000

/** The notices of a time but the routine ones, by kind and word, most frequent first, counted in steps. */
export function* countNotices(
  storage: Rows,
  open: readonly ChangeNotice[],
  from: number,
  to: number,
): Generator<void, NoticeCounts> {
  const counts = new Map<string, ChangeCount>()
  const answer = (isWhole: boolean) => ({
    counts: [...counts.values()].toSorted((a, b) => b.count - a.count),
    isWhole,
  })
  let counted = 0
  let start = lastPlace
  for (;;) {
    const rows = rowsFrom(storage, open, start, from, to)
    for (const row of rows) {
      if (counted >= mostCounted) return answer(false)
      for (const { at, kind, what } of JSON.parse(row.notices) as ChangeNotice[]) {
        if (at < from || at >= to || routineChanges.includes(what)) continue
        const key = `${kind} ${what}`
        const known = counts.get(key)
        if (known) known.count++
        else counts.set(key, { kind, what, count: 1 })
        counted++
      }
    }
    if (rows.length < rowsPerStep) return answer(true)
    start = rows.at(-1)!.id - 1
    yield
  }
}

/** The rows of a step, from that one back, newest first. What is open becomes the next row. */
function rowsFrom(
  storage: Rows,
  open: readonly ChangeNotice[],
  start: number,
  from: number,
  to: number,
): Pick<ChangeRow, 'id' | 'notices'>[] {
  const openId = storage.lastRow() + 1
  const first = start >= openId && open.length > 0 ? [{ id: openId, notices: JSON.stringify(open) }] : []
  const most = rowsPerStep - first.length
  return [...first, ...storage.noticesBefore(Math.min(start + 1, openId), from, to, most)]
}

/** A cursor names a row, and how many of its notices are left. */
function placeIn(cursor: string | undefined): { row: number; left: number } {
  const [row, left] = cursor?.split('.') ?? []
  return {
    row: row === undefined ? lastPlace : Number(row),
    left: left === undefined ? Infinity : Number(left),
  }
}
