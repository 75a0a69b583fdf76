import type { AnyRecord, HeldBackup, PbsBackup, PveBackup, RecordKind } from '@pulse/contract'
import { isEqual } from '../state/patch.ts'

type StorageBackup = Extract<PveBackup, { list: 'storageBackups' }>

/** A backup of a guest, by VMID. Because there are many, other fields are read from the record on demand. */
export interface NumberedBackup {
  number: string
  /** type of the guest; `unknown` matches all */
  type: string
  at: number
  record: PbsBackup | StorageBackup
}

const guestTypes: Record<string, string> = { vm: 'qemu', ct: 'lxc' }

/** Returns undefined unless the record is a backup of a guest. */
export function numberedBackup(kind: RecordKind, record: AnyRecord): NumberedBackup | undefined {
  if (kind === 'pbsBackups') {
    const backup = record as PbsBackup
    const at = Date.parse(backup.backupTime)
    const type = guestTypes[backup.backupType]
    if (type === undefined || Number.isNaN(at)) return undefined
    return { number: backup.vmid, type, at, record: backup }
  }
  const backup = record as PveBackup
  if (backup.list !== 'storageBackups' || backup.type === 'host') return undefined
  return { number: String(backup.vmid), type: backup.type, at: backup.ctime * 1000, record: backup }
}

/** Location and verification of a backup. */
export function heldBackup({ at, record }: NumberedBackup): HeldBackup {
  const { instance, size, verified, verification, future } = record
  const ahead = future && { future }
  const word = verified ? 'ok' : verification === 'failed' ? 'failed' : 'never'
  if (!('list' in record)) {
    const { datastore, namespace } = record
    return { at, instance, datastore, namespace, verification: word, size, ...ahead }
  }
  return {
    at,
    instance,
    storage: record.storage,
    ...(record.isPBS && { verification: word }),
    size,
    ...ahead,
  }
}

export const isBroken = ({ record }: NumberedBackup): boolean =>
  !record.verified && record.verification === 'failed'

/**
 * Compares dates. A backup dated in the future counts as older than all others, because its date proves
 * nothing.
 */
export function isLater({ at, record }: NumberedBackup, other: NumberedBackup | undefined): boolean {
  if (!other) return true
  const [isAhead, isOtherAhead] = [record.future ?? false, other.record.future ?? false]
  return isAhead === isOtherAhead ? at > other.at : isOtherAhead
}

const ranks = ['ok', undefined, 'never', 'failed'] as const

/** Orders two backups with the same time by verification, then by location. */
export function isRather(one: NumberedBackup, other: NumberedBackup): boolean {
  const [held, known] = [heldBackup(one), heldBackup(other)]
  const better = ranks.indexOf(held.verification) - ranks.indexOf(known.verification)
  return better === 0 ? locationOf(held) < locationOf(known) : better < 0
}

const locationOf = ({ instance, datastore, namespace, storage, size }: HeldBackup): string =>
  [instance, datastore, namespace, storage, size].join(':')

/** Neither ownership nor verification changed. */
export const isSameBackup = (one: NumberedBackup, other: NumberedBackup): boolean =>
  one.record === other.record ||
  (one.number === other.number &&
    one.type === other.type &&
    isEqual(one.record.listedBy, other.record.listedBy) &&
    isEqual(heldBackup(one), heldBackup(other)) &&
    isEqual(marksOf(one), marksOf(other)))

const marksOf = ({ record }: NumberedBackup): unknown[] =>
  'list' in record ? [record.source, record.notes] : [record.namespace, record.comment]
