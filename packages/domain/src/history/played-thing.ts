import type { AnyRecord, BackTestMetric } from '@pulse/contract'
import type { Bands } from './back-test-bands.ts'
import type { Sample } from './history-source.ts'
import type { PlayedThreshold } from './played-thresholds.ts'

/** A record with history, or a part of one. Several figures of a record are as many things of the same key. */
export interface PlayedThing {
  /** number of its figure in the history */
  field: number
  /** Its number in the history. Things of another field may have the same. */
  number: number
  key: string
  /** Key of the guest that a file system belongs to. Its overrides count, and alerts are counted for it. */
  owner?: string
  /** the threshold of one of several figures; absent: the one that was asked */
  metric?: BackTestMetric
  /** by `playedRecord` */
  record: AnyRecord & { source: string }
}

/** A thing whose threshold is on. */
export interface Judged {
  threshold: PlayedThreshold
  bands: Bands
  thing: PlayedThing
  /** in the unit of the threshold */
  valueOf: (stored: number) => number
  /** The figure has passed with the time only: nothing has happened to the thing since. */
  isSame: (before: Sample, now: Sample) => boolean
}

/** Key of the record that the alerts of a thing are about. */
export const ownerOf = ({ owner, key }: PlayedThing): string => owner ?? key

/**
 * A read of the store is about one field. `positions` of things in the request identify them, because numbers
 * are unique per field only.
 */
export function byField(
  positions: Iterable<number>,
  things: ReadonlyMap<number, Judged>,
): Map<number, { positions: number[]; numbers: number[] }> {
  const found = new Map<number, { positions: number[]; numbers: number[] }>()
  for (const position of positions) {
    const { field, number } = things.get(position)!.thing
    const own = found.get(field) ?? { positions: [], numbers: [] }
    found.set(field, own)
    own.positions.push(position)
    own.numbers.push(number)
  }
  return found
}
