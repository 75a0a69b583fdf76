import type { Tier } from './tiers.ts'

/** A tile is found by tier, field, group of things and block. A block that was written twice has parts. */
export interface TilePlace {
  tier: Tier
  field: number
  group: number
  /** in ms since 1970 */
  start: number
  /**
   * Counts from 0; above 0 after a step back of the clock. The minutes of an hour make the part of the quarter hours
   * that has the number of their lowest part. So late samples get a part of their own where the minutes are gone.
   */
  part: number
}

/** A block counts only with its entry, which is written after its last tile. */
export interface Block {
  tier: Tier
  start: number
  part: number
  /** of the ticks; only for samples as polled */
  times: readonly number[]
}

/** What `finish` writes in one transaction. */
export interface Finished {
  blocks?: readonly Block[]
  /** their samples are in the blocks now */
  segments?: readonly number[]
  /** days whose quarter hours are out of date, and days whose are not any more */
  dirty?: readonly number[]
  clean?: readonly number[]
}

/** Where the bytes of the metric history are. All calls are synchronous: a thread of its own makes them. */
export interface TileStorage {
  /** Durable when it returns. Returns its id, which is higher than all earlier ones. */
  putSegment(bytes: Uint8Array): number
  /** in the order of their ids */
  segments(): Iterable<{ id: number; bytes: Uint8Array }>
  /** Replaces a tile in the same place. */
  putTile(place: TilePlace, bytes: Uint8Array): void
  tile(place: TilePlace): Uint8Array | undefined
  /** The groups that have a tile of the block. */
  groups(place: Omit<TilePlace, 'group'>): number[]
  /** The fields that have a tile of the block. */
  fields(place: Omit<TilePlace, 'group' | 'field'>): number[]
  finish(changes: Finished): void
  blocks(): Block[]
  /** starts of days */
  dirtyDays(): number[]
  /** Removes at most `most` tiles of a block, and its entry with the last one. Returns whether all are gone. */
  drop(block: Pick<Block, 'tier' | 'start' | 'part'>, most: number): boolean
}
