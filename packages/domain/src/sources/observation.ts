import type { RecordKind, RecordOf, SourceState } from '@pulse/contract'

/** A complete picture of the kinds it names, as far as this source goes: what is not in it is gone. */
export interface Observation {
  source: string
  /** when the newest answer in it arrived, epoch ms */
  at: number
  records: { [K in RecordKind]?: ReadonlyMap<string, RecordOf<K>> }
  state: SourceState
}
