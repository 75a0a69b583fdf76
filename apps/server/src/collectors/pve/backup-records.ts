import type { PveBackup } from '@pulse/contract'
import { isDatedAhead } from '@pulse/domain'
import type { PveBackupVolume, PveSnapshot, PveTask } from './schema-backups.ts'

type StorageBackup = Extract<PveBackup, { list: 'storageBackups' }>
type Task = Extract<PveBackup, { list: 'backupTasks' }>
type Snapshot = Extract<PveBackup, { list: 'guestSnapshots' }>

/** The connection of a record. */
export interface Owner {
  source: string
  instance: string
}

/** The storage and node from which a list of backups was read. */
export interface BackupStorage {
  storage: string
  /** only the type `pbs` means a backup server, even if another storage's name suggests one */
  type: string
  /** the node that was queried */
  node: string
  shared: boolean
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()

export function toStorageBackup(
  volume: PveBackupVolume,
  at: BackupStorage,
  nodeOf: (vmid: number) => string | undefined,
  { source, instance }: Owner,
  now: number,
): StorageBackup {
  const { volid, vmid = 0, ctime, format, notes, encrypted } = volume
  const state = volume.verification?.state
  return {
    list: 'storageBackups',
    id: `${instance}-${volid}`,
    storage: at.storage,
    node: (at.shared ? nodeOf(vmid) : undefined) ?? at.node,
    instance,
    type: typeOf(volume),
    vmid,
    time: iso(ctime),
    ctime,
    size: volume.size ?? volume['approximate-size'] ?? 0,
    format: format ?? '',
    ...(notes && { notes }),
    protected: volume.protected ?? false,
    volid,
    isPBS: at.type === 'pbs',
    verified: state === 'ok',
    ...(state && { verification: state }),
    ...(encrypted && encrypted !== '0' && { encryption: encrypted }),
    ...(isDatedAhead(ctime * 1000, now) && { future: true }),
    source,
  }
}

interface Running {
  node: string
  id?: string | undefined
  starttime: number
}

/**
 * A backup server lists an unfinished backup without a size. A directory may list one too: a file newer than
 * the start of the guest's run, or of a run over several guests while this guest is locked.
 */
export function isBeingWritten(
  { vmid = 0, ctime, size, ...volume }: PveBackupVolume,
  storageType: string,
  running: readonly Running[],
  guests: { get(vmid: number): { node: string; lock: string | undefined } | undefined },
): boolean {
  if (storageType === 'pbs' && size === undefined && volume['approximate-size'] === undefined) return true
  const guest = guests.get(vmid)
  return running.some(({ node, id, starttime }) => {
    if (starttime > ctime || guest?.node !== node) return false
    return id ? Number(id) === vmid : guest.lock === 'backup'
  })
}

function typeOf({ vmid, volid, subtype, format = '' }: PveBackupVolume): StorageBackup['type'] {
  if (!vmid) return 'host'
  if (subtype === 'qemu' || subtype === 'lxc') return subtype
  if (volid.includes('/vm/') || volid.includes('-qemu-') || format === 'pbs-vm') return 'qemu'
  return volid.includes('/ct/') || volid.includes('-lxc-') || format === 'pbs-ct' ? 'lxc' : 'unknown'
}

export const isEnded = ({ endtime, status }: PveTask): boolean =>
  endtime !== undefined || (status !== undefined && status !== 'RUNNING')

/** PVE reports WARNINGS for runs that made their backups. */
const hasFailed = (status: string) => status !== 'OK' && !status.startsWith('WARNINGS')

export function toTask(task: PveTask, { source, instance }: Owner): Task {
  const { upid, node, starttime, endtime } = task
  const status = task.status ?? (isEnded(task) ? 'unexpected status' : 'RUNNING')
  const error = isEnded(task) && hasFailed(status) ? status : undefined
  return {
    list: 'backupTasks',
    id: `${instance}-${upid}`,
    node,
    type: 'vzdump',
    vmid: Number(/^\d{1,9}$/.exec(task.id ?? '')?.[0] ?? 0),
    status,
    startTime: iso(starttime),
    ...(endtime !== undefined && { endTime: iso(endtime) }),
    ...(error !== undefined && { error }),
    upid,
    source,
  }
}

export function toSnapshot(
  { name, snaptime, description, parent, vmstate }: PveSnapshot,
  guest: { vmid: number; node: string; type: 'qemu' | 'lxc' },
  { source, instance }: Owner,
): Snapshot {
  const text = description?.trim()
  return {
    list: 'guestSnapshots',
    id: `${instance}-${guest.node}-${guest.vmid}-${name}`,
    name,
    node: guest.node,
    instance,
    type: guest.type,
    vmid: guest.vmid,
    time: iso(snaptime),
    ...(text && { description: text }),
    ...(parent && { parent }),
    vmstate: vmstate ?? false,
    source,
  }
}
