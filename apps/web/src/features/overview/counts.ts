import { isEqual } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'
import type { Counts, CountsByRow } from '../../parts/node-summary/rows.ts'
import { placeKey } from '../../parts/nodes.ts'

/** Virtual machines and containers of each node. */
export function selectGuestCounts(live: LiveReader): CountsByRow {
  const counts = new Map<string, Required<Pick<Counts, 'vms' | 'containers'>>>()
  for (const node of live.records('nodes').values()) counts.set(placeKey(node), { vms: 0, containers: 0 })
  for (const guest of live.records('guests').values()) {
    const place = placeKey(guest)
    const count = counts.get(place)
    if (!count) continue
    if (guest.type === 'qemu') count.vms++
    else count.containers++
  }
  return counts
}

export function sameCounts(a: CountsByRow, b: CountsByRow): boolean {
  if (a.size !== b.size) return false
  for (const [place, counts] of a) if (!isEqual(counts, b.get(place))) return false
  return true
}
