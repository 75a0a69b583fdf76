import type { PbsBackup } from '@pulse/contract'
import { backupPlace, isEqual } from '@pulse/domain'

/**
 * Where on backup servers each cluster lists a guest number. Backups in other places may belong to another
 * cluster.
 */
export interface ListedPlaces {
  /** undefined: deleted */
  note(id: string, backup: PbsBackup | undefined): void
  /** Whether the cluster lists backups of this number, but not in this backup's place. */
  listsElsewhere(cluster: string, backup: PbsBackup): boolean
  /** Numbers with places that changed since the last call. */
  takeMoved(): ReadonlySet<string>
}

interface Noted {
  number: string
  place: string
  clusters: readonly string[]
}

export function createListedPlaces(): ListedPlaces {
  const noted = new Map<string, Noted>()
  /** number of backups by place, keyed by cluster and number */
  const places = new Map<string, Map<string, number>>()
  let moved = new Set<string>()

  function count({ number, place, clusters }: Noted, by: 1 | -1) {
    for (const cluster of clusters) {
      const key = keyOf(cluster, number)
      const known = places.get(key) ?? new Map<string, number>()
      const before = known.get(place) ?? 0
      if (before + by > 0) known.set(place, before + by)
      else known.delete(place)
      if (known.size > 0) places.set(key, known)
      else places.delete(key)
      if (before === 0 || before + by === 0) moved.add(number)
    }
  }

  return {
    note(id, backup) {
      const before = noted.get(id)
      const after = backup?.listedBy && {
        number: backup.vmid,
        place: backupPlace(backup),
        clusters: backup.listedBy,
      }
      // a snapshot resends all backups
      if (isEqual(before, after)) return
      if (before) count(before, -1)
      if (!after) return void noted.delete(id)
      noted.set(id, after)
      count(after, 1)
    },
    listsElsewhere: (cluster, backup) =>
      places.get(keyOf(cluster, backup.vmid))?.has(backupPlace(backup)) === false,
    takeMoved() {
      const taken = moved
      moved = new Set()
      return taken
    },
  }
}

const keyOf = (cluster: string, number: string) => `${number} ${cluster}`
