import type { LiveReader } from '../../live/store.ts'
import { type AlertLevels, alertLevels } from './alert-levels.ts'
import { diskTrouble, storageTrouble, type Trouble } from './attention.ts'
import { placeKey } from '../nodes/nodes.ts'

/** By `placeKey`: nodes with a storage of their own or a disk that is broken or has an alert. */
type BrokenPlaces = ReadonlySet<string>

interface Known {
  storage: number
  disks: number
  alerts: AlertLevels
  places: BrokenPlaces
}

const known = new WeakMap<LiveReader, Known>()

/** Worked out again only when a storage, a disk or an alert changed. */
export function brokenPlaces(live: LiveReader): BrokenPlaces {
  const storage = live.version('storage')
  const disks = live.version('physicalDisks')
  const alerts = alertLevels(live)
  const before = known.get(live)
  if (before?.storage === storage && before.disks === disks && before.alerts === alerts) return before.places
  const places = new Set<string>()
  for (const one of live.records('storage').values()) {
    // a shared storage is no part of a single node
    if (!one.shared && concernsNode(storageTrouble(one, alerts.get(one.id)))) places.add(placeKey(one))
  }
  for (const disk of live.records('physicalDisks').values()) {
    if (concernsNode(diskTrouble(disk, alerts.get(disk.id)))) places.add(placeKey(disk))
  }
  known.set(live, { storage, disks, alerts, places })
  return places
}

/** Old figures are those of the node; a figure around its threshold would move the node's line. */
const concernsNode = (trouble: Trouble | undefined): boolean => trouble === 'fault' || trouble === 'alert'
