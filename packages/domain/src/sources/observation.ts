import type { RecordKind, RecordOf, SourceState } from '@pulse/contract'

/** What a source reports: a collector or an agent. */
export interface Observation {
  source: string
  /** Complete pictures of the kinds they name, as far as this source goes: what is not in them is gone. */
  records: { [K in RecordKind]?: ReadonlyMap<string, RecordOf<K>> }
  /** Absent: how the source is doing stays as it was. One that is neither asked nor expected has none. */
  state?: SourceState
}
