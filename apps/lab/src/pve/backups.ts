import type { Guest, GuestKind, Storage } from '../estate/estate.ts'
import {
  backedUpOn,
  type Backup,
  keyFingerprint,
  type Subject,
  verificationUpid,
} from '../protection/backups.ts'

export interface BackupVolume {
  volid: string
  content: 'backup'
  format: string
  subtype: GuestKind
  vmid: number
  ctime: number
  /** Absent while the backup runs. */
  size?: number
  notes?: string
  protected?: 1
  encrypted?: string
  verification?: { state: 'ok' | 'failed'; upid: string }
}

/** On a storage shared with other clusters, includes their backups; on a node's storage, only that node's. */
export function backupVolumes(
  storage: Storage,
  sources: readonly { storage: Storage; guests: Iterable<Guest> }[],
  nowMs: number,
): BackupVolume[] {
  const volumes: BackupVolume[] = []
  for (const source of sources) {
    for (const { subject, backups } of backedUpOn(source.storage, source.guests, nowMs)) {
      for (const backup of backups) volumes.push(aVolume(storage, subject, backup))
    }
  }
  return volumes
}

function aVolume(storage: Storage, subject: Subject, backup: Backup): BackupVolume {
  const { vmid, kind, seed } = subject
  const { atSeconds: ctime, running, sizeBytes, isProtected, isEncrypted, verification } = backup
  const isPbs = storage.type === 'pbs'
  return {
    volid: `${storage.name}:${isPbs ? pbsPath(subject, ctime) : filePath(subject, ctime)}`,
    content: 'backup',
    format: isPbs ? (kind === 'qemu' ? 'pbs-vm' : 'pbs-ct') : kind === 'qemu' ? 'vma.zst' : 'tar.zst',
    subtype: kind,
    vmid,
    ctime,
    ...(!running && { size: sizeBytes }),
    ...(subject.name !== undefined && !running && { notes: subject.name }),
    ...(isProtected && { protected: 1 as const }),
    ...(isEncrypted && !running && { encrypted: keyFingerprint }),
    ...(verification && { verification: { state: verification, upid: verificationUpid(seed, ctime) } }),
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const pbsPath = ({ vmid, kind }: Subject, ctime: number): string =>
  `backup/${kind === 'qemu' ? 'vm' : 'ct'}/${vmid}/${new Date(ctime * 1000).toISOString().slice(0, 19)}Z`

function filePath({ vmid, kind }: Subject, ctime: number): string {
  const at = new Date(ctime * 1000)
  const date = [at.getUTCFullYear(), twoDigits(at.getUTCMonth() + 1), twoDigits(at.getUTCDate())].join('_')
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(twoDigits).join('_')
  return `backup/vzdump-${kind}-${vmid}-${date}-${time}.${kind === 'qemu' ? 'vma.zst' : 'tar.zst'}`
}
