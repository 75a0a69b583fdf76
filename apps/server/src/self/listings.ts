import {
  getBackups,
  getPbsBackups,
  getPveBackups,
  getSnapshots,
  getStorage,
  getUnifiedBackups,
  type PlainStorage,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { RawReply, route } from '../http/route.ts'
import type { PlainView } from '../state/plain-view.ts'

const ofPve = {
  backupTasks: 'pveBackups.backupTasks',
  storageBackups: 'pveBackups.storageBackups',
  guestSnapshots: 'pveBackups.guestSnapshots',
}
const apart = { pbsBackups: 'pbsBackups', pmgBackups: 'pmgBackups' }
const allBackups = {
  backups: { pve: ofPve, pbs: apart.pbsBackups, pmg: apart.pmgBackups },
  pveBackups: ofPve,
  ...apart,
  ...ofPve,
}

/** Single lists of the documented state, for clients that know those calls from Pulse 4.x. */
export function listingRoutes({ view, clock }: { view: PlainView; clock: Clock }) {
  const backups = async () => new RawReply(await view.some(allBackups))
  return [
    route(getBackups, backups),
    route(getUnifiedBackups, backups),
    route(getPveBackups, async () => new RawReply(await view.some({ backups: ofPve.storageBackups }))),
    route(getPbsBackups, async () => new RawReply(await view.some({ instances: 'pbs' }))),
    route(getSnapshots, async () => new RawReply(await view.some({ snapshots: ofPve.guestSnapshots }))),
    route(getStorage, async ({ params: { id } }) => {
      const { storage } = JSON.parse(String(await view.some({ storage: 'storage' }))) as {
        storage: PlainStorage[]
      }
      const data = storage.find((one) => one.id === id)
      if (!data)
        throw new AppError('storage_not_found', `There is no storage with the id "${id.slice(0, 100)}".`)
      return { data, timestamp: Math.floor(clock.now() / 1000) }
    }),
  ]
}
