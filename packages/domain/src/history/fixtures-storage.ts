import type { Block, TileStorage, TilePlace } from './tile-storage.ts'

const keyOf = ({ tier, field, group, start, part }: TilePlace) => [tier, start, part, field, group].join(' ')
const blockKey = ({ tier, start, part }: Pick<Block, 'tier' | 'start' | 'part'>) =>
  [tier, start, part].join(' ')

/** A storage in memory. What it holds outlives the store, like a file outlives a process. */
export function memoryStorage(): TileStorage & { bytes(): number } {
  const segments = new Map<number, Uint8Array>()
  const tiles = new Map<string, Uint8Array>()
  const blocks = new Map<string, Block>()
  const dirty = new Set<number>()
  let id = 0
  const tilesOf = (block: Pick<Block, 'tier' | 'start' | 'part'>) =>
    [...tiles.keys()].filter((key) => key.startsWith(`${blockKey(block)} `))
  const numbersAt = (keys: readonly string[], index: number) => [
    ...new Set(keys.map((key) => Number(key.split(' ')[index]))),
  ]
  return {
    bytes: () => [...tiles.values(), ...segments.values()].reduce((sum, { length }) => sum + length, 0),
    putSegment(bytes) {
      segments.set(++id, bytes)
      return id
    },
    segments: () => [...segments].map(([one, bytes]) => ({ id: one, bytes })),
    putTile: (place, bytes) => void tiles.set(keyOf(place), bytes),
    tile: (place) => tiles.get(keyOf(place)),
    groups: ({ field, ...block }) =>
      numbersAt(tilesOf(block), 4).filter((group) => tiles.has(keyOf({ ...block, field, group }))),
    fields: (block) => numbersAt(tilesOf(block), 3),
    finish(changes) {
      for (const block of changes.blocks ?? []) blocks.set(blockKey(block), block)
      for (const one of changes.segments ?? []) segments.delete(one)
      for (const day of changes.dirty ?? []) dirty.add(day)
      for (const day of changes.clean ?? []) dirty.delete(day)
    },
    blocks: () => [...blocks.values()],
    dirtyDays: () => [...dirty],
    drop(block, most) {
      const keys = tilesOf(block)
      for (const key of keys.slice(0, most)) tiles.delete(key)
      if (keys.length > most) return false
      blocks.delete(blockKey(block))
      return true
    },
  }
}
