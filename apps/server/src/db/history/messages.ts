import type {
  BackTestRequest,
  BackTestResult,
  BucketTier,
  Column,
  Sample,
  Tier,
  TimedBucket,
} from '@pulse/domain'
import type { RecordKind } from '@pulse/contract'
import type { ThreadReply } from '../../worker-thread.ts'

/** Something with history. Its series hang on its number, whatever it is called and wherever it runs. */
export interface Thing {
  kind: RecordKind
  /** counts per kind */
  number: number
  /** the id of its record */
  id: string
  /** the same after its connection was removed and added again */
  alias: string
  /** What tells it from another thing with the same id, if it was away in between. */
  mark: string
  /** removed since; ms since 1970 */
  goneAt?: number | undefined
}

/** The number of a field never changes. */
export interface Field {
  number: number
  kind: RecordKind
  name: string
}

export interface Opened {
  fields: Field[]
  /** those that exist, and the newest ones that do not */
  things: Thing[]
  /** the highest number of each kind */
  highest: Partial<Record<RecordKind, number>>
  /** the file was damaged and is kept under this name */
  keptAside?: string | undefined
}

/** Since the thread began. */
export interface Written {
  /** ticks whose samples were lost, because the file took none */
  lostTicks: number
  /** why the file takes nothing at the moment */
  error?: string | undefined
}

export type HistoryRequest =
  | { id: number; do: 'open'; fields: Omit<Field, 'number'>[] }
  | { id: number; do: 'append'; at: number; columns: Column[]; things: Thing[] }
  | { id: number; do: 'samples'; field: number; things: number[]; from: number; to: number }
  | {
      id: number
      do: 'buckets'
      tier: BucketTier
      field: number
      things: number[]
      from: number
      to: number
    }
  /** moves what is over into blocks and removes what is too old, in steps between other requests */
  | { id: number; do: 'maintain'; now: number; keepMs: Record<Tier, number | undefined> }
  /** in steps between other requests; a later one of the same user ends it */
  | { id: number; do: 'backTest'; user: string; request: BackTestRequest }
  | { id: number; do: 'close' }

export type HistoryResult =
  | { do: 'open'; opened: Opened }
  | { do: 'append'; written: Written }
  | { do: 'samples'; series: Sample[][] }
  | { do: 'buckets'; series: TimedBucket[][] }
  /** undefined: a later one has replaced it */
  | { do: 'backTest'; played: BackTestResult | undefined }
  | { do: 'maintain' | 'close' }

export type HistoryReply = ThreadReply<HistoryResult>
