import type { RecordKind } from '@pulse/contract'
import type { ChangeBase, ChangeRow, ChangeStorage, LatestPlace, LatestRecord } from './change-storage.ts'
import { type ChangeEntry, type Listing, sourceOf } from './change-reader.ts'
import { type Fields, loggedChange, loggedKinds, withChange } from './logged-fields.ts'
import { type Notice, noticesOf } from './notices.ts'
import { PastRecords } from './past-records.ts'
import { dayMs, startOf } from './tiers.ts'

/** A change as stored: what was done at a time to which record. Null: it was removed. */
export type Change = [at: number, kind: RecordKind, id: string, isWhole: boolean, fields: Fields | null]

/** More changes than this become durable before the minute is over, so that the memory stays bounded. */
const mostOpen = 2_000
/** Changes become durable when the oldest one is this old. The writer of entries may hold them for ten seconds more. */
const openMs = 45_000
/** A base is made early when the rows since the last one are this much longer than it, so that reading stays fast. */
const mostSinceBase = { least: 4_000_000, ofBase: 2 }
const recordsPerChunk = 250
const rowsPerStep = 200

/** A record that comes with its source is no news. */
const newSourceMs = 10 * 60_000

export interface NoticePage {
  notices: Notice[]
  /** absent on the last page */
  cursor?: string
}

export interface NoticeQuery {
  from: number
  to: number
  kind?: RecordKind | undefined
  id?: string | undefined
  /** of the page before */
  cursor?: string | undefined
  most: number
}

/**
 * The log of changes: what changed, in rows of a minute, and all records as they are, from which a base is made
 * every day. A kill at any moment loses at most a minute.
 */
export class ChangeLog {
  readonly #storage: ChangeStorage
  #open: Change[] = []
  #notices: Notice[] = []
  /** records that the open changes concern; undefined: removed */
  readonly #ahead = new Map<string, [LatestPlace, LatestRecord | undefined]>()
  readonly #listed = new Map<RecordKind, Set<string>>()

  #hasBegun: boolean

  constructor(storage: ChangeStorage) {
    this.#storage = storage
    this.#hasBegun = storage.bases().length > 0
  }

  get hasOpen(): boolean {
    return this.#open.length > 0
  }

  /** Entries in the order in which they happened. If it throws, `discard` has to follow. */
  append(entries: readonly ChangeEntry[], now: number): void {
    if (!this.#hasBegun) this.#begin(entries[0]?.at ?? now)
    for (const entry of entries) {
      if (entry.do === 'list') this.#list(entry)
      else if (entry.do === 'put') this.#put(entry.at, entry.kind, entry.id, entry.fields)
      else if (entry.do === 'set') this.#set(entry.at, entry.kind, entry.id, entry.fields)
      else this.#remove(entry.at, entry.kind, entry.id)
    }
    const [first] = this.#open
    if (first && Math.abs(now - first[0]) >= openMs) this.flush()
  }

  /** Makes the open changes durable. */
  flush(): void {
    if (this.#open.length === 0) return
    const notices = this.#notices.length > 0 ? JSON.stringify(this.#notices) : ''
    const [from, to] = [this.#open[0]![0], this.#open.at(-1)![0]]
    this.#storage.write({ from, to, body: JSON.stringify(this.#open), notices }, this.#ahead.values())
    this.#forget()
  }

  /** Drops what is open, because the storage takes nothing. All records have to be sent again. */
  discard(): void {
    this.#forget()
    this.#listed.clear()
  }

  #forget() {
    this.#open = []
    this.#notices = []
    this.#ahead.clear()
  }

  /** All logged records of a moment; undefined: the log does not reach back that far. */
  at(moment: number): PastRecords | undefined {
    const storage = this.#storage
    const [first] = this.#open
    const isOpen = first !== undefined && first[0] <= moment
    const row = isOpen ? { id: storage.lastRow(), to: -Infinity } : storage.rowAt(moment)
    const base = this.#baseFor(row, moment)
    if (!base) return undefined
    const open = isOpen ? this.#open.filter(([at]) => at <= moment) : []
    return new PastRecords({ storage, base, lastRow: row?.id ?? 0, until: isOpen ? Infinity : moment, open })
  }

  /** The earliest moment that `at` knows; undefined before the first change. */
  oldest(): number | undefined {
    return this.#storage.bases()[0]?.at
  }

  /** Notices of a time, newest first, in pages. */
  notices(query: NoticeQuery): NoticePage {
    const { from, to, kind, id, most } = query
    const isWanted = (one: Notice) =>
      one.at >= from &&
      one.at < to &&
      (kind === undefined || one.kind === kind) &&
      (id === undefined || one.id === id)
    const start = placeIn(query.cursor)
    const notices: Notice[] = []
    const rows = this.#noticeRows(start.row, from, to)
    for (const row of rows) {
      const own = JSON.parse(row.notices) as Notice[]
      let left = row.id === start.row ? Math.min(start.left, own.length) : own.length
      for (; left > 0; left--) {
        const notice = own[left - 1]!
        if (!isWanted(notice)) continue
        if (notices.length === most) return { notices, cursor: `${row.id}.${left}` }
        notices.push(notice)
      }
    }
    // A page reads so many rows at most, even if nothing in them is wanted.
    return rows.length < rowsPerPage ? { notices } : { notices, cursor: `${rows.at(-1)!.id - 1}` }
  }

  /** Rows from that one back, newest first. What is open becomes the next row. */
  #noticeRows(start: number, from: number, to: number): Pick<ChangeRow, 'id' | 'notices'>[] {
    const openId = this.#storage.lastRow() + 1
    const open =
      start >= openId && this.#notices.length > 0
        ? [{ id: openId, notices: JSON.stringify(this.#notices) }]
        : []
    const most = rowsPerPage - open.length
    return [...open, ...this.#storage.noticesBefore(Math.min(start + 1, openId), from, to, most)]
  }

  /** Makes the base of a new day, and removes what is older than `keepMs`, in steps. */
  *maintain(now: number, keepMs: number): Generator<void, void> {
    const bases = this.#storage.bases()
    const last = bases.at(-1)
    if (last && this.#isBaseDue(last, now)) yield* this.#makeBase(last.id + 1, now)
    const first = bases.findLast(({ at }) => at <= now - keepMs)
    if (!first) return
    while (!this.#storage.dropRows(first.firstRow, rowsPerStep)) yield
    const kept = this.#storage.bases().filter(({ id }) => id >= first.id)
    const ids = kept.map(({ id }) => id)
    while (!this.#storage.dropBases(ids, rowsPerStep)) yield
  }

  /** The first base has nothing in it. */
  #begin(at: number) {
    this.#storage.finishBase({ id: 1, firstRow: 0, lastRow: 0, at, size: 0 })
    this.#hasBegun = true
  }

  #isBaseDue({ at, lastRow, size }: ChangeBase, now: number): boolean {
    const written = this.#storage.sizeAfter(lastRow)
    if (written === 0) return false
    return (
      startOf(at, dayMs) !== startOf(now, dayMs) ||
      written > mostSinceBase.least + mostSinceBase.ofBase * size
    )
  }

  *#makeBase(id: number, at: number): Generator<void, void> {
    const storage = this.#storage
    // chunks of a base whose making was interrupted
    const kept = storage.bases().map((base) => base.id)
    while (!storage.dropBases(kept, rowsPerStep)) yield
    const firstRow = storage.lastRow()
    let size = 0
    let place: LatestPlace | undefined
    for (;;) {
      const records = storage.latestAfter(place, recordsPerChunk)
      for (const [kind, own] of Map.groupBy(records, (record) => record.kind)) {
        const body = JSON.stringify(own.map((record) => [record.id, record.fields]))
        size += body.length
        storage.putChunk(id, kind, body)
      }
      if (records.length < recordsPerChunk) break
      const { kind, id: lastId } = records.at(-1)!
      place = { kind, id: lastId }
      yield
    }
    const lastRow = storage.lastRow()
    const last = lastRow === firstRow ? undefined : storage.rowAt(Infinity)
    storage.finishBase({ id, firstRow, lastRow, at: Math.max(at, last?.to ?? at), size })
  }

  /** The newest base that was complete at that row and moment. */
  #baseFor(row: Pick<ChangeRow, 'id' | 'to'> | undefined, moment: number): ChangeBase | undefined {
    const bases = this.#storage.bases()
    const [first] = bases
    if (!row) return first && first.at <= moment && first.firstRow === first.lastRow ? first : undefined
    return bases.findLast(
      ({ lastRow }) => lastRow < row.id || (lastRow === row.id && row.to <= moment),
    )
  }

  #current(kind: RecordKind, id: string): LatestRecord | undefined {
    const ahead = this.#ahead.get(keyOf(kind, id))
    return ahead ? ahead[1] : this.#storage.latest(kind, id)
  }

  #put(at: number, kind: RecordKind, id: string, fields: Fields) {
    this.#listed.get(kind)?.add(id)
    const before = this.#current(kind, id)
    if (before) {
      const change = loggedChange(kind, before.fields, fields)
      if (change) this.#change(at, kind, id, before, change)
      return
    }
    const record = { fields, source: sourceOf(kind, id, fields), cameAt: at }
    this.#add([at, kind, id, true, fields], undefined, record)
  }

  #set(at: number, kind: RecordKind, id: string, fields: Fields) {
    const before = this.#current(kind, id)
    if (before) this.#change(at, kind, id, before, fields)
  }

  #change(at: number, kind: RecordKind, id: string, before: LatestRecord, change: Fields) {
    const fields = withChange(before.fields, change)
    this.#add([at, kind, id, false, change], before, { ...before, fields, source: sourceOf(kind, id, fields) })
  }

  #remove(at: number, kind: RecordKind, id: string) {
    const before = this.#current(kind, id)
    if (before) this.#add([at, kind, id, true, null], before, undefined)
  }

  #list({ at, kind, sources, ids, isLast }: Listing) {
    const listed = this.#listed.get(kind) ?? new Set<string>()
    this.#listed.set(kind, listed)
    for (const id of ids) listed.add(id)
    if (!isLast) return
    this.#listed.delete(kind)
    const of = new Set(sources)
    for (const { id } of this.#all(kind, (source) => of.has(source))) {
      if (listed.has(id)) continue
      if (kind === 'sources') this.#removeSource(at, id)
      this.#remove(at, kind, id)
    }
  }

  /** A source that was removed while Pulse was off has lost all its records. */
  #removeSource(at: number, id: string) {
    for (const kind of loggedKinds())
      for (const { id: own } of this.#all(kind, (source) => source === id)) this.#remove(at, kind, own)
  }

  #all(kind: RecordKind, isOf: (source: string) => boolean): { id: string }[] {
    const stored = this.#storage.latestOf(kind).filter(({ source }) => isOf(source))
    const ahead = [...this.#ahead.values()].flatMap(([place, record]) =>
      place.kind === kind && record && isOf(record.source) ? [{ id: place.id }] : [],
    )
    return [...new Map([...stored, ...ahead].map((one) => [one.id, one])).values()]
  }

  #add(change: Change, before: LatestRecord | undefined, after: LatestRecord | undefined) {
    const [at, kind, id] = change
    const last = this.#open.at(-1)
    // A step back of the clock begins a new row, because times ascend within a row.
    if (last && (at < last[0] || this.#open.length >= mostOpen)) this.flush()
    this.#open.push(change)
    this.#ahead.set(keyOf(kind, id), [{ kind, id }, after])
    if (this.#isKnownSource((after ?? before)!, at))
      this.#notices.push(...noticesOf({ at, kind, id }, before?.fields, after?.fields))
  }

  /** What comes with a source or goes with it is no news. */
  #isKnownSource({ source }: LatestRecord, at: number): boolean {
    if (source === '') return true
    const own = this.#current('sources', source)
    return own !== undefined && at - own.cameAt >= newSourceMs
  }
}

const keyOf = (kind: RecordKind, id: string) => `${kind} ${id}`

const rowsPerPage = 1_000
const lastPlace = Number.MAX_SAFE_INTEGER - 1

/** A cursor names a row, and how many of its notices are left. */
function placeIn(cursor: string | undefined): { row: number; left: number } {
  const [row, left] = cursor?.split('.') ?? []
  return {
    row: row === undefined ? lastPlace : Number(row),
    left: left === undefined ? Infinity : Number(left),
  }
}
