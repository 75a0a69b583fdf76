import type { AnyRecord } from '@pulse/contract'
import type { Bands } from './back-test-bands.ts'
import type { Sample } from './history-source.ts'

/** A record with history. */
export interface PlayedThing {
  /** its number in the history */
  number: number
  key: string
  /** by `playedRecord` */
  record: AnyRecord & { source: string }
}

/** A thing whose threshold is on. */
export interface Judged {
  bands: Bands
  thing: PlayedThing
  /** in the unit of the threshold */
  valueOf: (stored: number) => number
  /** The figure has passed with the time only: nothing has happened to the thing since. */
  isSame: (before: Sample, now: Sample) => boolean
}
