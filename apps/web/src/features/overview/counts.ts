import type { LiveReader } from '../../live/store.ts'
import type { Counts, CountsByRow } from '../../parts/node-summary/rows.ts'
import { tallyGuests } from '../../parts/guests/guest-tally.ts'
import { placeKey } from '../../parts/nodes/nodes.ts'

/** Virtual machines and containers of each node. */
export function selectGuestCounts(live: LiveReader): CountsByRow {
  const { places } = tallyGuests(live)
  const counts = new Map<string, Counts>()
  for (const node of live.records('nodes').values()) {
    const place = placeKey(node)
    const { vms = 0, containers = 0 } = places.get(place) ?? {}
    counts.set(place, { vms, containers })
  }
  return counts
}

const noCounts: CountsByRow = new Map()
export const selectNoCounts = (): CountsByRow => noCounts
