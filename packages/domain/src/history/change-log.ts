import type { RecordKind } from '@pulse/contract'
import { baseFor, isBaseDue, lastTooOld, makeBase } from './change-base.ts'
import type { Change, ChangeStorage, LatestPlace, LatestRecord } from './change-storage.ts'
import { type ChangeEntry, type Listing, sourceOf } from './change-reader.ts'
import { type Fields, loggedChange, loggedKinds, withChange } from './logged-fields.ts'
import { NoticeMaker } from './notice-maker.ts'
import {
  countNotices,
  type NoticeCounts,
  type NoticePage,
  type NoticeQuery,
  noticeTexts,
  readNotices,
} from './notice-pages.ts'
import type { ChangeNotice } from './notices.ts'
import { PastRecords } from './past-records.ts'

/** More changes than this become durable before the minute is over, so that the memory stays bounded. */
const mostOpen = 2_000
/** Changes become durable when the oldest one is this old. The writer of entries may hold them for ten seconds more. */
const openMs = 45_000
const rowsPerStep = 200

/** A record that comes with its source is no news. */
const newSourceMs = 10 * 60_000

/**
 * The log of changes: what changed, in rows of a minute, and all records as they are, from which a base is made
 * every day. A kill at any moment loses at most a minute.
 */
export class ChangeLog {
  readonly #storage: ChangeStorage
  readonly #recordsPerChunk: number
  readonly #maker: NoticeMaker
  #open: Change[] = []
  #notices: ChangeNotice[] = []
  /** records that the open changes concern; undefined: removed */
  readonly #ahead = new Map<string, [LatestPlace, LatestRecord | undefined]>()
  readonly #listed = new Map<RecordKind, Set<string>>()
  #hasBegun: boolean

  constructor(storage: ChangeStorage, recordsPerChunk = 250) {
    this.#storage = storage
    this.#recordsPerChunk = recordsPerChunk
    this.#hasBegun = storage.bases().length > 0
    const lastAt = storage.rowAt(Infinity)?.to
    this.#maker = new NoticeMaker((kind, id) => this.#current(kind, id)?.fields, lastAt)
  }

  get hasOpen(): boolean {
    return this.#open.length > 0
  }

  /** Entries in the order in which they happened. If it throws, `discard` has to follow. */
  append(entries: readonly ChangeEntry[], now: number): void {
    if (!this.#hasBegun) this.#begin(entries[0]?.at ?? now)
    for (const entry of entries) {
      if (entry.do === 'clock') this.#maker.stepsMs = entry.stepsMs
      else if (entry.do === 'list') this.#list(entry)
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
    const [from, to] = [this.#open[0]![0], this.#open.at(-1)![0]]
    const notices = noticeTexts(this.#notices)
    this.#storage.write({ from, to, body: JSON.stringify(this.#open), ...notices }, this.#ahead.values())
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
    const base = baseFor(storage.bases(), row, moment)
    if (!base) return undefined
    const open = isOpen ? this.#open.filter(([at]) => at <= moment) : []
    return new PastRecords({ storage, base, lastRow: row?.id ?? 0, until: isOpen ? Infinity : moment, open })
  }

  /** The earliest moment that `at` knows; undefined before the first change. */
  oldest(): number | undefined {
    const storage = this.#storage
    const bases = storage.bases()
    if (bases.length === 0) return undefined
    const first = Math.min(...bases.map(({ at }) => at))
    const last = this.#open.at(-1)?.[0] ?? storage.rowAt(Infinity)?.to ?? Infinity
    if (last >= first) return first
    // The clock was ahead at the beginning, and has been set back.
    return storage.firstAt(bases.at(-1)!.lastRow) ?? this.#open[0]![0]
  }

  /** Notices of a time, newest first, in pages, read in steps. */
  notices(query: NoticeQuery): Generator<void, NoticePage> {
    return readNotices(this.#storage, this.#notices, query)
  }

  /** How many notices a time has, by kind and word, counted in steps. */
  noticeCounts(from: number, to: number): Generator<void, NoticeCounts> {
    return countNotices(this.#storage, this.#notices, from, to)
  }

  /**
   * Makes the base of a new day, and removes what is older than `keepMs`, in steps. `present`: the time that decides
   * what is too old.
   */
  *maintain(now: number, present: number, keepMs: number): Generator<void, void> {
    const bases = this.#storage.bases()
    const last = bases.at(-1)
    if (last && isBaseDue(this.#storage, last, now))
      yield* makeBase(this.#storage, last.id + 1, now, this.#recordsPerChunk)
    const first = lastTooOld(bases, present, present - keepMs)
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

  #current(kind: RecordKind, id: string): LatestRecord | undefined {
    const ahead = this.#ahead.get(keyOf(kind, id))
    return ahead ? ahead[1] : this.#storage.latest(kind, id)
  }

  #put(at: number, kind: RecordKind, id: string, fields: Fields) {
    this.#listed.get(kind)?.add(id)
    const before = this.#current(kind, id)
    if (before) {
      const change = loggedChange(kind, before.fields, fields)
      if (change) this.#change(at, kind, id, before, change, true)
      return
    }
    const record = { fields, source: sourceOf(kind, id, fields), cameAt: at }
    this.#add([at, kind, id, true, fields], undefined, record)
  }

  #set(at: number, kind: RecordKind, id: string, fields: Fields) {
    const before = this.#current(kind, id)
    if (before) this.#change(at, kind, id, before, fields, false)
  }

  #change(at: number, kind: RecordKind, id: string, before: LatestRecord, change: Fields, isWhole: boolean) {
    const fields = withChange(before.fields, change)
    const after = { ...before, fields, source: sourceOf(kind, id, fields) }
    this.#add([at, kind, id, false, change], before, after, isWhole)
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
    const gone = this.#all(kind, (source) => of.has(source)).filter(({ id }) => !listed.has(id))
    for (const { id } of gone) this.#remove(at, kind, id)
    if (kind === 'sources' && gone.length > 0) this.#removeRecordsOf(at, new Set(gone.map(({ id }) => id)))
  }

  /** Sources that were removed while Pulse was off have lost all their records. */
  #removeRecordsOf(at: number, sources: ReadonlySet<string>) {
    for (const kind of loggedKinds())
      for (const { id } of this.#all(kind, (source) => sources.has(source))) this.#remove(at, kind, id)
  }

  #all(kind: RecordKind, isOf: (source: string) => boolean): { id: string }[] {
    const stored = this.#storage.latestOf(kind).filter(({ source }) => isOf(source))
    const ahead = [...this.#ahead.values()].flatMap(([place, record]) =>
      place.kind === kind && record && isOf(record.source) ? [{ id: place.id }] : [],
    )
    return [...new Map([...stored, ...ahead].map((one) => [one.id, one])).values()]
  }

  #add(change: Change, before: LatestRecord | undefined, after: LatestRecord | undefined, isWhole = false) {
    const [at, kind, id] = change
    const last = this.#open.at(-1)
    // A step back of the clock begins a new row, because times ascend within a row.
    if (last && (at < last[0] || this.#open.length >= mostOpen)) this.flush()
    this.#open.push(change)
    this.#ahead.set(keyOf(kind, id), [{ kind, id }, after])
    const notices = this.#maker.of({ at, kind, id }, before?.fields, after?.fields, isWhole)
    if ((before && after) || kind === 'dockerHosts' || this.#isKnownSource((after ?? before)!, at))
      this.#notices.push(...notices)
  }

  /** What comes with a source or goes with it is no news, except a container host, which is all that its source is. */
  #isKnownSource({ source }: LatestRecord, at: number): boolean {
    if (source === '') return true
    const own = this.#current('sources', source)
    // It may have come by a clock that was ahead.
    return own !== undefined && (at < own.cameAt || at - own.cameAt >= newSourceMs)
  }
}

const keyOf = (kind: RecordKind, id: string) => `${kind} ${id}`
