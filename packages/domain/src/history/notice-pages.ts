import { type ChangeCount, type ChangeWord, type RecordKind, routineChanges } from '@pulse/contract'
import type { ChangeStorage, NoticePart, NoticeRow } from './change-storage.ts'
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

const isRoutine = (what: ChangeWord) => routineChanges.includes(what)

/** Notices as a row has them. */
export function noticeTexts(notices: readonly ChangeNotice[]): Record<NoticePart, string> {
  const textOf = (own: readonly ChangeNotice[]) => (own.length > 0 ? JSON.stringify(own) : '')
  return {
    notices: textOf(notices.filter(({ what }) => !isRoutine(what))),
    routine: textOf(notices.filter(({ what }) => isRoutine(what))),
  }
}

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
    (words ? words.includes(one.what) : !isRoutine(one.what)) &&
    (!ids || ids.some((own) => own.id === one.id && one.at >= own.from && one.at < own.to))
  const parts: NoticePart[] = words?.some(isRoutine) ? ['notices', 'routine'] : ['notices']
  // Looking for a text is much faster than reading it.
  const texts = ids?.map(({ id }) => JSON.stringify(id))
  const start = placeIn(query.cursor)
  const notices: ChangeNotice[] = []
  let next = start.row
  for (let read = 0; read < rowsPerPage; read += rowsPerStep) {
    const rows = rowsFrom(storage, open, { parts, start: next, from, to })
    for (const row of rows) {
      if (texts && !texts.some((text) => row.texts.some((one) => one.includes(text)))) continue
      const own = noticesIn(row)
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
    const rows = rowsFrom(storage, open, { parts: ['notices'], start, from, to })
    for (const row of rows) {
      if (counted >= mostCounted) return answer(false)
      for (const { at, kind, what } of noticesIn(row)) {
        if (at < from || at >= to || isRoutine(what)) continue
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

interface Row {
  id: number
  /** one for each part that the row has */
  texts: string[]
}

interface RowsAsked {
  parts: readonly NoticePart[]
  /** the newest row */
  start: number
  from: number
  to: number
}

/** The rows of a step, newest first. What is open becomes the next row. */
function rowsFrom(
  storage: Rows,
  open: readonly ChangeNotice[],
  { parts, start, from, to }: RowsAsked,
): Row[] {
  const openId = storage.lastRow() + 1
  const texts = Object.values(noticeTexts(open)).filter((text) => text !== '')
  const first = start >= openId && texts.length > 0 ? [{ id: openId, texts }] : []
  const most = rowsPerStep - first.length
  const before = Math.min(start + 1, openId)
  const [all = [], routine] = parts.map((part) => storage.noticesBefore(part, before, from, to, most))
  return [...first, ...joined(all, routine, most)]
}

/** The newest rows of two lists. */
function joined(some: readonly NoticeRow[], others: readonly NoticeRow[] = [], most: number): Row[] {
  const byId = Map.groupBy([...some, ...others], ({ id }) => id)
  return Array.from(byId, ([id, rows]) => ({ id, texts: rows.map(({ text }) => text) }))
    .toSorted((a, b) => b.id - a.id)
    .slice(0, most)
}

/** In the order of time. */
function noticesIn({ texts }: Row): ChangeNotice[] {
  const all = texts.flatMap((text) => JSON.parse(text) as ChangeNotice[])
  return texts.length > 1 ? all.toSorted((a, b) => a.at - b.at) : all
}

/** A cursor names a row, and how many of its notices are left. */
function placeIn(cursor: string | undefined): { row: number; left: number } {
  const [row, left] = cursor?.split('.') ?? []
  return {
    row: row === undefined ? lastPlace : Number(row),
    left: left === undefined ? Infinity : Number(left),
  }
}
