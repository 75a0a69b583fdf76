import type { RecordKind, RecordOf, SourceState } from '@pulse/contract'

/** A report from a collector or an agent. */
export interface Observation extends SourceReport {
  source: string
  /** Complete lists of the given kinds, from this source's view: a missing record was removed. */
  records: { [K in RecordKind]?: ReadonlyMap<string, RecordOf<K>> }
}

export interface SourceReport {
  /**
   * Absent: the state of the source is unchanged. A source that is neither polled nor expected to report has
   * none.
   */
  state?: SourceState
  /**
   * The source is overdue unless its next promise arrives within this time. Absent: the last promise applies.
   */
  promiseMs?: number
  /** error text once it is overdue; absent: the error of the state */
  overdueError?: string
}

/**
 * One message of an observation for the state: a part of a base, or of later changes. Plain JSON. The last
 * frame of an observation has its state.
 */
export interface Frame extends SourceReport {
  source: string
  /** random; a new one after a restart of the sender */
  run: string
  /** the previous frame's plus one */
  sequence: number
  /** The receiver does not trust its sender about what sources of others claim too. */
  isForeign?: true
  /** A base begins: all records of the source, of the kinds that it contains. */
  begins?: true
  /** The base is complete: records that it does not contain were removed. */
  completes?: true
  records: { [K in RecordKind]?: { put: [string, RecordOf<K>][]; remove: string[] } }
}
