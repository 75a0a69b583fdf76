import type { RecordKind, Slice } from './kinds.ts'
import type { AnyRecord } from './state.ts'

/** The WebSocket subprotocol of the compact form. Without it a client gets the documented text frames. */
export const DELTA_PROTOCOL = 'pulse.delta.1'

/** Index of a record within its kind and epoch. Indexes are append-only; a removed record leaves a hole. */
type Index = number
type ByKind<T> = Partial<Record<RecordKind, T>>

/** Binary frames of the compact form: `deflate-raw` of the JSON of one of these. */
export interface SnapshotFrame {
  t: 'snapshot'
  s: Slice
  epoch: string
  rev: number
  /** id at each index; null for a removed record */
  index: ByKind<(string | null)[]>
  /** record at each index; null for a removed record */
  state: ByKind<(AnyRecord | null)[]>
}

export interface PatchFrame {
  t: 'patch'
  s: Slice
  epoch: string
  rev: number
  /** the base revision; a client that holds another one has a gap */
  from: number
  add?: ByKind<[string, AnyRecord][]>
  remove?: ByKind<Index[]>
  /** by dot path (`memory.used`); null removes the field */
  set?: ByKind<Record<string, { i: Index[]; v: unknown[] }>>
}

export type DeltaFrame = SnapshotFrame | PatchFrame

/** Timing of the live wire, in milliseconds. */
export const liveTiming = {
  /** delay from the first change to the patch */
  tickMs: 200,
  /** minimum between two patches */
  minGapMs: 250,
  /** interval of empty patches while nothing else is sent */
  heartbeatMs: 5_000,
  /** a browser without frames for this long shows Reconnecting */
  silenceMs: 10_000,
  /** interval of full states to clients of the documented protocol */
  rawDataMs: 10_000,
  /** minimum between full states after events */
  rawDataMinGapMs: 1_000,
  /** interval of application pings, from both sides */
  pingMs: 30_000,
  welcomeDelayMs: 500,
  initialStateDelayMs: 100,
} as const

/** Close code when the session, token or role of a socket has ended. */
export const signedOutCode = 4401
