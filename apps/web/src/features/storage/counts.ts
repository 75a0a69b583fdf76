import type { LiveReader } from '../../live/store.ts'
import type { Counts, CountsByRow } from '../../parts/node-summary/rows.ts'
import { placeKey } from '../../parts/nodes/nodes.ts'
import { placesOf } from './places.ts'

/** How many storages a node can use, and how many disks are in it. */
export function selectStorageCounts(live: LiveReader): CountsByRow {
  const counts = new Map<string, Required<Pick<Counts, 'storage' | 'disks'>>>()
  for (const node of live.records('nodes').values()) counts.set(placeKey(node), { storage: 0, disks: 0 })
  for (const pool of live.records('storage').values()) {
    for (const place of placesOf(pool)) {
      const count = counts.get(place)
      if (count) count.storage += 1
    }
  }
  for (const disk of live.records('physicalDisks').values()) {
    const count = counts.get(placeKey(disk))
    if (count) count.disks += 1
  }
  return counts
}
