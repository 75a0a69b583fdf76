import type { AnyRecord } from '@pulse/contract'
import type { Bands } from './back-test-bands.ts'

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
}
