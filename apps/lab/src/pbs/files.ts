import type { Backup } from '../protection/backups.ts'
import type { BackupType } from './vault.ts'

export interface StoredFile {
  filename: string
  size?: number
  'crypt-mode'?: 'none' | 'encrypt' | 'sign-only'
}

/** The files of a snapshot. The index is written last: without it the snapshot is unfinished. */
export function filesIn(
  type: BackupType,
  { running, sizeBytes, isEncrypted }: Pick<Backup, 'running' | 'sizeBytes' | 'isEncrypted'>,
  seed: number,
): StoredFile[] {
  // Only the names are known before there is an index.
  if (running) return seed % 2 === 0 ? [] : [{ filename: configOf(type) }]
  const mode = isEncrypted ? 'encrypt' : 'none'
  const content = sizeBytes - 787
  const data: Record<BackupType, StoredFile[]> = {
    vm: [{ filename: 'drive-scsi0.img.fidx', size: content, 'crypt-mode': mode }],
    ct: [{ filename: 'root.pxar.didx', size: content, 'crypt-mode': mode }],
    host: [
      { filename: 'root.pxar.didx', size: content, 'crypt-mode': mode },
      { filename: 'catalog.pcat1.didx', size: 254, 'crypt-mode': mode },
    ],
  }
  return [
    ...data[type],
    ...(type === 'host' ? [] : [{ filename: configOf(type), size: 254, 'crypt-mode': mode } as const]),
    { filename: 'client.log.blob' },
    // The index itself is signed at most, so that the server can read it.
    { filename: 'index.json.blob', size: 533, 'crypt-mode': isEncrypted ? 'sign-only' : 'none' },
  ]
}

const configOf = (type: BackupType): string =>
  type === 'vm' ? 'qemu-server.conf.blob' : type === 'ct' ? 'pct.conf.blob' : 'catalog.pcat1.didx'
