import type { RecordKind, Slice } from './kinds.ts'
import type { AnyRecord } from './state.ts'

/** The WebSocket subprotocol of the compact form. Without it a client gets the documented text frames. */
export const DELTA_PROTOCOL = 'pulse.delta.1'

/** Index of a record within its kind and epoch: append-only, a removed one leaves a hole. */
type Index = number
type ByKind<T> = Partial<Record<RecordKind, T>>

/** Binary frames of the compact form: `deflate-raw` of the JSON of one of these. */
export interface SnapshotFrame {
  t: 'snapshot'
  s: Slice
  epoch: string
  rev: number
  /** the id at each index; null where a record was removed */
  index: ByKind<(string | null)[]>
  /** the record at each index; null where a record was removed */
  state: ByKind<(AnyRecord | null)[]>
}

export interface PatchFrame {
  t: 'patch'
  s: Slice
  epoch: string
  rev: number
  /** the revision it builds on: another one held means a gap */
  from: number
  add?: ByKind<[string, AnyRecord][]>
  remove?: ByKind<Index[]>
  /** by dot path (`memory.used`); a null value means the field is gone */
  set?: ByKind<Record<string, { i: Index[]; v: unknown[] }>>
}

export type DeltaFrame = SnapshotFrame | PatchFrame

/** Timing of the live wire, in milliseconds. */
export const liveTiming = {
  /** a patch goes out this long after the first change */
  tickMs: 200,
  /** between two patches, at least */
  minGapMs: 250,
  /** an empty patch when nothing else went out */
  heartbeatMs: 5_000,
  /** a browser that heard nothing for this long shows Reconnecting */
  silenceMs: 10_000,
  /** full state to clients of the documented protocol */
  rawDataMs: 10_000,
  /** and at most this often after events */
  rawDataMinGapMs: 1_000,
  /** application ping from both sides */
  pingMs: 30_000,
  welcomeDelayMs: 500,
  initialStateDelayMs: 100,
} as const

/** Close code of a socket whose session, token or role has ended. */
export const signedOutCode = 4401
