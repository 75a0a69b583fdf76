import type { RecordKind, RecordOf, SourceState } from '@pulse/contract'

/** What a source reports: a collector or an agent. */
export interface Observation extends SourceReport {
  source: string
  /** Complete pictures of the kinds they name, as far as this source goes: what is not in them is gone. */
  records: { [K in RecordKind]?: ReadonlyMap<string, RecordOf<K>> }
}

export interface SourceReport {
  /** Absent: how the source is doing stays as it was. One that is neither asked nor expected has none. */
  state?: SourceState
  /** The source is overdue unless its next promise comes within this time. Absent: the last promise stands. */
  promiseMs?: number
  /** what its error says once it is overdue; absent: that of the state */
  overdueError?: string
}

/**
 * One message of an observation on its way to the state: a piece of a base, or of what changed since. It is plain JSON. The
 * last frame of an observation has its state.
 */
export interface Frame extends SourceReport {
  source: string
  /** random, and another one after a restart of the sender */
  run: string
  /** one more than that of the frame before */
  sequence: number
  /** A base begins: everything that the source has, of the kinds that it names. */
  begins?: true
  /** The base is complete: what it did not name is gone. */
  completes?: true
  records: { [K in RecordKind]?: { put: [string, RecordOf<K>][]; remove: string[] } }
}
