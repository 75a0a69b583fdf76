import type { Guest, Storage } from '../estate/estate.ts'
import { isEnabledOn } from '../load/storage-reading.ts'
import type { Rights } from '../access/access.ts'
import { ApiError } from '../api/api-error.ts'
import { sharing } from '../protection/targets.ts'
import { backupVolumes } from './backups.ts'
import { memberOf } from './member.ts'
import { needs } from './route.ts'
import type { Call, Route } from './route.ts'
import { storageFigures } from './storage.ts'

const mayList = needs('/storage/{storage}', 'Datastore.Audit', 'Datastore.AllocateSpace')

export const contentRoutes: readonly Route[] = [
  {
    path: '/nodes/{node}/storage/{storage}/content',
    query: { content: 'string', vmid: 'integer' },
    missing: mayList,
    answer: content,
  },
  { path: '/nodes/{node}/storage/{storage}/status', missing: mayList, answer: status },
]

function status(call: Call) {
  const { used_fraction: _, ...figures } = storageFigures(call.world, usableStorage(call), memberOf(call))
  return figures
}

function content(call: Call) {
  const { cluster, world, rights, params } = call
  const storage = usableStorage(call)
  const node = memberOf(call)
  const guests = storage.shared ? [...cluster.guests.values()] : world.readings.guestsOn(node)
  const sources = sharing(world.estate, { cluster, storage }).map((source) => ({
    storage: source.storage,
    guests: source.storage === storage ? guests : source.cluster.guests.values(),
  }))
  const all = [
    ...backupVolumes(storage, sources, world.settings.now()),
    ...imagesOn(storage, guests),
    ...templatesOn(storage),
  ]
  return all
    .filter((volume) => params.content === undefined || volume.content === params.content)
    .filter(
      (volume) => params.vmid === undefined || ('vmid' in volume && volume.vmid === Number(params.vmid)),
    )
    .filter((volume) => mayAccess(rights, storage, volume))
}

/** PVE hides volumes that a caller may not access. */
function mayAccess(rights: Rights, storage: Storage, volume: { content: string; vmid?: number }): boolean {
  const on = rights.at(`/storage/${storage.name}`)
  if (volume.vmid === undefined || on.has('Datastore.Allocate')) return true
  const guest = rights.at(`/vms/${volume.vmid}`)
  if (volume.content === 'backup') return on.has('Datastore.AllocateSpace') && guest.has('VM.Backup')
  return guest.has('VM.Config.Disk')
}

function usableStorage(call: Call): Storage {
  const { cluster, params, world } = call
  const node = memberOf(call)
  const storage = cluster.storages.find(({ name }) => name === params.storage)
  if (!storage) throw new ApiError(500, `storage '${params.storage}' does not exist`)
  if (storage.disabled) throw new ApiError(500, `storage '${storage.name}' is disabled`)
  if (!isEnabledOn(storage, node)) {
    throw new ApiError(500, `storage '${storage.name}' is not available on node '${node.name}'`)
  }
  if (!world.readings.storage(storage, node).active)
    throw new ApiError(500, `storage '${storage.name}' is not online`)
  return storage
}

function imagesOn(storage: Storage, guests: readonly Guest[]) {
  const format = storage.type === 'nfs' ? 'qcow2' : 'raw'
  return guests
    .filter((guest) => guest.storage === storage.name)
    .map((guest) => {
      const name = guest.kind === 'qemu' ? `vm-${guest.vmid}-disk-0` : `subvol-${guest.vmid}-disk-0`
      const path = storage.type === 'nfs' ? `${guest.vmid}/${name}.${format}` : name
      return {
        volid: `${storage.name}:${path}`,
        content: guest.kind === 'qemu' ? 'images' : 'rootdir',
        format: guest.kind === 'qemu' ? format : 'subvol',
        size: guest.maxDiskBytes,
        vmid: guest.vmid,
        ...(guest.kind === 'qemu' && { ctime: Math.floor(guest.startedAtMs / 1000) }),
      }
    })
}

function templatesOn(storage: Storage) {
  if (storage.name !== 'local') return []
  return [
    {
      volid: 'local:iso/debian-12.11.0-amd64-netinst.iso',
      content: 'iso',
      format: 'iso',
      size: 702_545_920,
      ctime: 1_750_000_000,
    },
    {
      volid: 'local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst',
      content: 'vztmpl',
      format: 'tzst',
      size: 126_515_062,
      ctime: 1_740_000_000,
    },
  ]
}
