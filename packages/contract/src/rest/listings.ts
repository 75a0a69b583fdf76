import * as z from 'zod/mini'
import { endpoint, readsMonitoring } from '../endpoint.ts'
import { PlainState, PlainStorage } from '../plain.ts'

/** Lists of the documented state, as Pulse 4.x answers them. */

const { backups, pveBackups, pbs, pbsBackups, pmgBackups } = PlainState.shape
const { backupTasks, storageBackups, guestSnapshots } = pveBackups.shape

/** Each list appears under every name that any Pulse 4.x version used. */
const AllBackups = z.object({
  backups,
  pveBackups,
  pbsBackups,
  pmgBackups,
  backupTasks,
  storageBackups,
  guestSnapshots,
})

export const getBackups = endpoint({ ...readsMonitoring, path: '/api/backups', reply: AllBackups })
export const getUnifiedBackups = endpoint({
  ...readsMonitoring,
  path: '/api/backups/unified',
  reply: AllBackups,
})

/** Backup files on storages of Proxmox VE. */
export const getPveBackups = endpoint({
  ...readsMonitoring,
  path: '/api/backups/pve',
  reply: z.object({ backups: storageBackups }),
})

/** The backup servers with their datastores; excludes the backups. */
export const getPbsBackups = endpoint({
  ...readsMonitoring,
  path: '/api/backups/pbs',
  reply: z.object({ instances: pbs }),
})

export const getSnapshots = endpoint({
  ...readsMonitoring,
  path: '/api/snapshots',
  reply: z.object({ snapshots: guestSnapshots }),
})

export const getStorage = endpoint({
  ...readsMonitoring,
  path: '/api/storage/:id',
  slashesIn: 'id',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(512)) }),
  reply: z.object({
    data: PlainStorage,
    /** epoch seconds */
    timestamp: z.number(),
  }),
})
