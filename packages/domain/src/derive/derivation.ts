import type { AnyRecord, RecordKind } from '@pulse/contract'

/** Says whose completion changes with what was noted. */
export type Touch = (kind: RecordKind, id: string) => void

/** Hears of everything that was thrown. It must not change what is being derived. */
export type OnFault = (error: unknown) => void

/** Joins a fact of one source to the record of another. Cheap: what it does follows what changed, not what is there. */
export interface Derivation {
  /** Kinds it learns from: its own as they were observed, others as they are shown. */
  readonly reads: readonly RecordKind[]
  /** Kinds whose records it completes; no other derivation does. */
  readonly completes: readonly RecordKind[]
  /** A record came or changed, or without one: went. */
  note(kind: RecordKind, id: string, record: AnyRecord | undefined, touch: Touch): void
  /** The same record when there is nothing to add, undefined when it is not to be shown. */
  complete(kind: RecordKind, id: string, record: AnyRecord): AnyRecord | undefined
}
