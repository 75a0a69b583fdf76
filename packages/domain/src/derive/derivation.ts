import type { AnyRecord, RecordKind } from '@pulse/contract'

/** Marks a record for completion, because what was noted changes its result. */
export type Touch = (kind: RecordKind, id: string) => void

/** Receives every thrown error. It must not change the state that is being derived. */
export type OnFault = (error: unknown) => void

/**
 * Adds facts of one source to records of another. The cost depends on the size of the change, not of the
 * state.
 */
export interface Derivation {
  /** Kinds that it reads: its own ones as observed, others as readers get them. */
  readonly reads: readonly RecordKind[]
  /** Kinds with records that it completes; each kind has at most one derivation. */
  readonly completes: readonly RecordKind[]
  /** A record was added or changed; undefined: it was removed. */
  note(kind: RecordKind, id: string, record: AnyRecord | undefined, touch: Touch): void
  /** Returns the same record if there is nothing to add, and undefined to hide it. */
  complete(kind: RecordKind, id: string, record: AnyRecord): AnyRecord | undefined
}
