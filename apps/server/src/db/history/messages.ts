import type { BackTestResult, Column, Levels, Tier } from '@pulse/domain'
import type { FigureUnit, Forecast, RecordKind } from '@pulse/contract'
import type { TierSize } from './block-sizes.ts'
import type { RemovedUntil } from './removals.ts'
import type { SamplesSettings } from '../../samples/settings.ts'
import type { ThreadReply } from '../../worker-thread.ts'
import type { PastRequest, PastResult } from './past-messages.ts'
import type { SentBackTest } from './sent-back-test.ts'

/** the error of a call that comes before `open`, or after the file was damaged or deleted */
export const notOpen = 'the metric history is not open'

export interface HistorySetup {
  file: string
  /** Disk space that is left for others. */
  reserveBytes: number
  /** another store for the samples */
  samples?: SamplesSettings | undefined
}

/** What identifies something with history. Its series hang on a number, whatever it is called and wherever it runs. */
export interface Identity {
  kind: RecordKind
  /** the id of its record */
  id: string
  /** the same after its connection was removed and added again */
  alias: string
  /** What tells it from another thing with the same id, if it was away in between. */
  mark: string
}

/** News of a thing that has a number. */
export interface ThingChange {
  kind: RecordKind
  number: number
  /** it has another name now */
  mark?: string
  /** no longer among the records since; ms since 1970 */
  goneAt?: number
}

/** The number of a field never changes. */
export interface Field {
  number: number
  kind: RecordKind
  name: string
}

export interface Opened {
  fields: Field[]
  removedUntil: RemovedUntil
  /** a new file was begun, for the first time or in place of another one */
  isNew: boolean
  /** the file was damaged and is kept under this name */
  keptAside?: string | undefined
}

export interface Written {
  /** ticks whose samples were lost with this one, because the file took none */
  lostTicks: number
  /** since the file was opened: stored parts that the disk has changed; they are gaps */
  unreadable?: number
  /** why the file takes nothing at the moment */
  error?: string | undefined
}

export interface Maintenance {
  /** ms since 1970 */
  now: number
  monotonic: number
  keepMs: Record<Tier, number | undefined>
}

/** What the history takes on disk. */
export interface StoredSizes {
  fileBytes: number
  oldest?: number | undefined
  tiers: TierSize[]
}

/** One figure of some records. */
interface Asked {
  kind: RecordKind
  ids: readonly string[]
  field: number
  from: number
}

/** What was measured first and last in a time, within `edgeMs` of its ends. */
export interface EdgeValuesAsked extends Asked {
  tier: 'raw' | 'minute'
  to: number
  edgeMs: number
}

/** As they are stored. */
export interface EdgeValues {
  first: number
  last: number
}

/** When things are full, by a field in percent. */
export interface ForecastsAsked {
  kind: RecordKind
  ids: readonly string[]
  field: number
  now: number
  fullPercent: number
}

/** What a chart shows of some records of a kind. */
interface CoursesAsked {
  kind: RecordKind
  /** `shown`: the id in the answer */
  records: readonly { id: string; shown: string }[]
  tier: Tier
  from: number
  to: number
  /** points per line */
  most: number
}

interface NamedField {
  name: string
  field: number
  unit: FigureUnit
}

/** The documented charts. */
export interface ChartsAsked extends CoursesAsked {
  lines: readonly NamedField[]
}

/** Figures with their gaps. */
export interface SeriesAsked extends CoursesAsked {
  fields: readonly NamedField[]
  /** of Pulse itself, which is sampled at every tick */
  pulseField: number
  /** which thing an id means: the last one that came to have it before this time */
  asOf: number
  /** what comes later is no gap */
  until: number
}

/** The members of a JSON object, one per record. */
export interface ChartsPart {
  json: Uint8Array
  /** the first point; absent without any */
  oldest?: number
}

export type HistoryRequest =
  | PastRequest
  /** changes nothing */
  | { id: number; do: 'hello' }
  | { id: number; do: 'open'; fields: Omit<Field, 'number'>[] }
  /** The numbers of things; those of new things are assigned. The changes come first. */
  | { id: number; do: 'identify'; at: number; changes: ThingChange[]; wanted: Identity[] }
  /** `isHeld`: another process writes to the other store */
  | { id: number; do: 'append'; at: number; columns: Column[]; isHeld?: boolean }
  /** in steps between other requests */
  | ({ id: number; do: 'edgeValues' } & EdgeValuesAsked)
  /** in steps between other requests */
  | ({ id: number; do: 'charts' } & ChartsAsked)
  /** in steps between other requests */
  | ({ id: number; do: 'series' } & SeriesAsked)
  /** the mean of each minute from then on, as levels */
  | ({ id: number; do: 'trends'; minutes: number; leastTop: number } & Asked)
  /** in steps between other requests */
  | ({ id: number; do: 'forecasts' } & ForecastsAsked)
  /** moves what is over into blocks and removes what is too old, in steps between other requests */
  | ({ id: number; do: 'maintain' } & Maintenance)
  | { id: number; do: 'sizes' }
  /** deletes the file; the next `open` begins a new one */
  | { id: number; do: 'clear' }
  /** in steps between other requests; a later one of the same user ends it */
  | { id: number; do: 'backTest'; user: string; request: SentBackTest }
  | { id: number; do: 'close' }

export type HistoryResult =
  | PastResult
  | { do: 'open'; opened: Opened }
  /** in the order of what was wanted */
  | { do: 'identify'; numbers: number[] }
  | { do: 'append'; written: Written }
  /** in the order of the ids; undefined for a record without values */
  | { do: 'edgeValues'; values: (EdgeValues | undefined)[] }
  | { do: 'charts'; part: ChartsPart }
  /** a JSON array: all records of the first figure, then of the next */
  | { do: 'series'; json: Uint8Array }
  | { do: 'sizes'; sizes: StoredSizes }
  /** `known`: the positions of the ids that have history */
  | { do: 'trends'; known: number[]; trends: Levels }
  /** in the order of the ids; undefined for a record without history */
  | { do: 'forecasts'; forecasts: (Forecast | undefined)[] }
  /** undefined: a later one has replaced it */
  | { do: 'backTest'; played: BackTestResult | undefined }
  | { do: 'maintain'; removedUntil: RemovedUntil }
  | { do: 'hello' | 'clear' | 'close' }

export type HistoryReply = ThreadReply<HistoryResult>
