import type { Cluster, Guest, GuestKind, Storage } from '../estate/estate.ts'
import { fraction, hash } from '../random.ts'

export interface Backup {
  volid: string
  content: 'backup'
  format: string
  subtype: GuestKind
  vmid: number
  ctime: number
  size: number
  notes?: string
  protected?: 1
  encrypted?: string
  verification?: { state: 'ok' | 'failed'; upid: string }
}

const daySeconds = 86_400
const nightlyAtSeconds = 3600

/** How often a storage is backed up to, which guests take part and how many backups are kept. */
const plans: Readonly<Record<string, { everyDays: number; kept: number; share: number }>> = {
  'pbs-main': { everyDays: 1, kept: 3, share: 0.7 },
  'nas-backup': { everyDays: 7, kept: 2, share: 0.25 },
  local: { everyDays: 30, kept: 1, share: 0.05 },
  'usb-disk': { everyDays: 30, kept: 1, share: 0.04 },
}

/** The machine that was deleted while its backups were kept. */
const orphan = {
  vmid: 950,
  kind: 'qemu',
  name: 'decommissioned',
  seed: 950,
  maxDiskBytes: 64 * 1024 ** 3,
} as const
type Subject = Pick<Guest, 'vmid' | 'kind' | 'seed' | 'maxDiskBytes'> & { name: string | undefined }

export function backupsOn(storage: Storage, cluster: Cluster, nowMs: number): Backup[] {
  const plan = plans[storage.name]
  if (!plan) return []
  const subjects: Subject[] = [...cluster.guests.values()].filter(
    ({ seed, template }) => !template && fraction(seed ^ storage.seed, 1) < plan.share,
  )
  if (storage.type === 'pbs') subjects.push(orphan)
  const today = Math.floor(nowMs / 1000 / daySeconds)
  const newest = today - (today % plan.everyDays)
  return subjects.flatMap((subject) =>
    Array.from({ length: plan.kept }, (_, index) => {
      const day = newest - index * plan.everyDays - (subject === orphan ? 90 : 0)
      return aBackup(storage, subject, day * daySeconds + nightlyAtSeconds + (subject.vmid % 200) * 37)
    }).filter(({ ctime }) => ctime * 1000 <= nowMs),
  )
}

function aBackup(storage: Storage, subject: Subject, ctime: number): Backup {
  const { vmid, kind, seed } = subject
  const luck = fraction(seed, ctime)
  const isPbs = storage.type === 'pbs'
  return {
    volid: `${storage.name}:${isPbs ? pbsPath(subject, ctime) : filePath(subject, ctime)}`,
    content: 'backup',
    format: isPbs ? (kind === 'qemu' ? 'pbs-vm' : 'pbs-ct') : kind === 'qemu' ? 'vma.zst' : 'tar.zst',
    subtype: kind,
    vmid,
    ctime,
    size: Math.floor(subject.maxDiskBytes * (isPbs ? 1 : 0.2 + 0.3 * luck)) + 787,
    ...(subject.name !== undefined && { notes: subject.name }),
    ...(luck < 0.04 && { protected: 1 as const }),
    ...(isPbs && seed % 9 === 0 && { encrypted: '4d:1c:22:9f:70:b1:ce:08' }),
    ...(isPbs && luck < 0.9 && { verification: verification(seed, ctime, luck) }),
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

function verification(seed: number, ctime: number, luck: number): NonNullable<Backup['verification']> {
  const id = hash(`verify/${seed}/${ctime}`).toString(16).toUpperCase().padStart(8, '0')
  const started = (ctime + 7200).toString(16).toUpperCase()
  return {
    state: luck > 0.893 ? 'failed' : 'ok',
    upid: `UPID:pbs:000003E8:00001F40:${id}:${started}:verificationjob:main\\x3av\\x2dweekly:root@pam:`,
  }
}
