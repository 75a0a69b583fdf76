import type { HostPart } from '../proxmox/host-part.ts'
import type { PbsCache } from './cache.ts'
// registry: imports
import { datastores } from './part-datastores.ts'
import { garbage } from './part-garbage.ts'
import { syncJobs, verifyJobs, pruneJobs } from './part-jobs.ts'
import { rights } from './part-rights.ts'
import { server } from './part-server.ts'
import { snapshots } from './part-snapshots.ts'
import { tasks } from './part-tasks.ts'

/** All queries of a backup server. Add a file `part-….ts`, and npm run format adds its lines here. */
export const parts: readonly HostPart<PbsCache>[] = [
  // registry: entries
  server,
  datastores,
  garbage,
  syncJobs,
  verifyJobs,
  pruneJobs,
  tasks,
  snapshots,
  rights,
]
