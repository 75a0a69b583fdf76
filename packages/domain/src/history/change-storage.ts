import type { RecordKind } from '@pulse/contract'
import type { Fields } from './logged-fields.ts'

/** A change as stored: what was done at a time to which record. Null: it was removed. */
export type Change = [at: number, kind: RecordKind, id: string, isWhole: boolean, fields: Fields | null]

/** A record as of the last written row. */
export interface LatestRecord {
  fields: Fields
  source: string
  /** when it came; ms since 1970 */
  cameAt: number
}

export interface LatestPlace {
  kind: RecordKind
  id: string
}

/** What happened within a minute, in the order in which it did. */
export interface ChangeRow {
  id: number
  /** of its first and its last change */
  from: number
  to: number
  /** JSON of the changes */
  body: string
  /** JSON of the changes that pages list; empty without any */
  notices: string
  /** JSON of those that pages list on request only, apart because a large estate has many; empty without any */
  routine: string
}

/** Which notices of rows are read. */
export type NoticePart = 'notices' | 'routine'

/** Some notices of a row, as JSON. */
export interface NoticeRow {
  id: number
  text: string
}

/**
 * All records as they were at one time. They are copied while rows are written: the copy and the rows after
 * `firstRow` give the state at the end of `lastRow` and later.
 */
export interface ChangeBase {
  id: number
  firstRow: number
  lastRow: number
  /** when the copy was complete */
  at: number
  /** characters of its records */
  size: number
}

/** Where the bytes of the change log are. All calls are synchronous: a thread of its own makes them. */
export interface ChangeStorage {
  latest(kind: RecordKind, id: string): LatestRecord | undefined
  /** The ids of a kind with their sources. */
  latestOf(kind: RecordKind): { id: string; source: string }[]
  /** The next records after a place, in an order of their own. */
  latestAfter(place: LatestPlace | undefined, most: number): (LatestPlace & LatestRecord)[]
  /** Durable when it returns, with the records that it changes; undefined: removed. */
  write(row: Omit<ChangeRow, 'id'>, latest: Iterable<[LatestPlace, LatestRecord | undefined]>): number
  /** The last row that begins at that time or before. */
  rowAt(at: number): Pick<ChangeRow, 'id' | 'to'> | undefined
  /** When the earliest of the rows after one begins. */
  firstAt(after: number): number | undefined
  /** Rows after one, up to another, in the order of their ids. */
  rows(after: number, upTo: number): Iterable<Pick<ChangeRow, 'id' | 'body'>>
  /** Rows with such notices that overlap the time, newest first, before one. */
  noticesBefore(part: NoticePart, before: number, from: number, to: number, most: number): NoticeRow[]
  /** 0 before the first */
  lastRow(): number
  /** Characters of the rows after one. */
  sizeAfter(row: number): number
  putChunk(base: number, kind: RecordKind, body: string): void
  chunks(base: number, kind: RecordKind): Iterable<string>
  /** A base counts with this entry, which is written last. */
  finishBase(base: ChangeBase): void
  /** in the order of their ids */
  bases(): ChangeBase[]
  /** Removes rows up to one, at most `most`. Returns whether all are gone. */
  dropRows(upTo: number, most: number): boolean
  /** Removes bases that are not in `kept`: their entries first, then at most `most` chunks. Returns whether all are gone. */
  dropBases(kept: readonly number[], most: number): boolean
}
