import type { AnyRecord, HeldBackup, PbsBackup, PveBackup, RecordKind } from '@pulse/contract'

type StorageBackup = Extract<PveBackup, { list: 'storageBackups' }>

/** A backup of a guest, under the number that the guest has. */
export interface NumberedBackup {
  number: string
  /** of the guest; `unknown` fits all */
  type: string
  at: number
  /** where it lies: with a cluster, or on a backup server */
  of: { source: string } | Pick<PbsBackup, 'namespace' | 'comment' | 'listedBy'>
  held: HeldBackup
}

const guestTypes: Record<string, string> = { vm: 'qemu', ct: 'lxc' }

/** undefined for what is no backup of a guest. */
export function numberedBackup(kind: RecordKind, record: AnyRecord): NumberedBackup | undefined {
  if (kind === 'pbsBackups') return onServer(record as PbsBackup)
  const backup = record as PveBackup
  if (backup.list !== 'storageBackups' || backup.type === 'host') return undefined
  return onStorage(backup)
}

function onServer(backup: PbsBackup): NumberedBackup | undefined {
  const { backupType, vmid, backupTime, instance, datastore, namespace, comment, listedBy, size } = backup
  const at = Date.parse(backupTime)
  const type = guestTypes[backupType]
  if (type === undefined || Number.isNaN(at)) return undefined
  const verification = backup.verification ?? (backup.verified ? 'ok' : 'never')
  const held: HeldBackup = { at, instance, datastore, namespace, verification, size }
  return { number: vmid, type, at, of: { namespace, comment, listedBy }, held }
}

function onStorage(backup: StorageBackup): NumberedBackup {
  const { source, type, ctime, vmid, instance, storage, size, isPBS, verified, verification } = backup
  const at = ctime * 1000
  const word = verified ? 'ok' : verification === 'failed' ? 'failed' : 'never'
  const held = { at, instance, storage, ...(isPBS && ({ verification: word } as const)), size }
  return { number: String(vmid), type, at, of: { source }, held }
}
