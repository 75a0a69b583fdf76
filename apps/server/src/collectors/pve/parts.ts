import type { Part } from './part.ts'
// registry: imports
import { backupJobs } from './part-backup-jobs.ts'
import { backupRuns } from './part-backup-runs.ts'
import { ceph } from './part-ceph.ts'
import { certificates } from './part-certificates.ts'
import { disks } from './part-disks.ts'
import { guestProbes } from './part-guest-probes.ts'
import { guestSnapshots } from './part-guest-snapshots.ts'
import { membership } from './part-membership.ts'
import { nodeGuests } from './part-node-guests.ts'
import { nodeMemory } from './part-node-memory.ts'
import { nodeStatus } from './part-node-status.ts'
import { replication } from './part-replication.ts'
import { rights } from './part-rights.ts'
import { storageBackups } from './part-storage-backups.ts'
import { storages } from './part-storages.ts'
import { zfs } from './part-zfs.ts'
import { listing } from './part-listing.ts'

/** All queries of a PVE cluster. Add a file `part-….ts`, and npm run format adds its lines here. */
export const parts: readonly Part[] = [
  // registry: entries
  listing,
  rights,
  membership,
  certificates,
  nodeStatus,
  nodeMemory,
  nodeGuests,
  guestProbes,
  storages,
  zfs,
  disks,
  ceph,
  storageBackups,
  backupRuns,
  guestSnapshots,
  backupJobs,
  replication,
]
