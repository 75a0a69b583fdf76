import type { PbsBackup } from '@pulse/contract'
import { backupLocation, isEqual } from '@pulse/domain'

/**
 * Where on backup servers each cluster lists a guest number. Backups in other locations may belong to another
 * cluster.
 */
export interface ListedLocations {
  /** undefined: deleted */
  note(id: string, backup: PbsBackup | undefined): void
  /** Whether the cluster lists backups of this number, but not in this backup's location. */
  listsElsewhere(cluster: string, backup: PbsBackup): boolean
  /** Numbers with locations that changed since the last call. */
  takeMoved(): ReadonlySet<string>
}

interface Noted {
  number: string
  location: string
  clusters: readonly string[]
}

export function createListedLocations(): ListedLocations {
  const noted = new Map<string, Noted>()
  /** number of backups by location, keyed by cluster and number */
  const locations = new Map<string, Map<string, number>>()
  let moved = new Set<string>()

  function count({ number, location, clusters }: Noted, by: 1 | -1) {
    for (const cluster of clusters) {
      const key = keyOf(cluster, number)
      const known = locations.get(key) ?? new Map<string, number>()
      const before = known.get(location) ?? 0
      if (before + by > 0) known.set(location, before + by)
      else known.delete(location)
      if (known.size > 0) locations.set(key, known)
      else locations.delete(key)
      if (before === 0 || before + by === 0) moved.add(number)
    }
  }

  return {
    note(id, backup) {
      const before = noted.get(id)
      const after = backup?.listedBy && {
        number: backup.vmid,
        location: backupLocation(backup),
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
      locations.get(keyOf(cluster, backup.vmid))?.has(backupLocation(backup)) === false,
    takeMoved() {
      const taken = moved
      moved = new Set()
      return taken
    },
  }
}

const keyOf = (cluster: string, number: string) => `${number} ${cluster}`
