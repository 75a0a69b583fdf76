import type { PbsBackup, PmgBackup, Protection, PveBackup, ReplicationJob } from '@pulse/contract'
import { aGuest, aNode, aPbsServer, BUILT_AT } from './builders.ts'

const GiB = 1024 ** 3
const DAY_MS = 86_400_000

type Of<List extends PveBackup['list']> = Extract<PveBackup, { list: List }>

const toIso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')

/** A file on a storage of main/pve1, a day old. */
export function aStorageBackup(change: Partial<Of<'storageBackups'>> = {}): Of<'storageBackups'> {
  const { vmid = 100, ctime = (BUILT_AT - DAY_MS) / 1000, storage = 'nas', type = 'qemu' } = change
  const time = toIso(ctime * 1000)
  const volid = `${storage}:backup/vzdump-${type}-${vmid}-${time.slice(0, 10).replaceAll('-', '_')}.vma.zst`
  return {
    list: 'storageBackups',
    id: `main-${volid}`,
    storage,
    node: 'pve1',
    instance: 'main',
    type,
    vmid,
    time,
    ctime,
    size: 4 * GiB,
    format: 'vma.zst',
    protected: false,
    volid,
    isPBS: false,
    verified: false,
    source: 'main',
    ...change,
  }
}

/** A snapshot of a guest of main/pve1, a day old. */
export function aSnapshot(change: Partial<Of<'guestSnapshots'>> = {}): Of<'guestSnapshots'> {
  const { vmid = 100, name = 'before-update' } = change
  return {
    list: 'guestSnapshots',
    id: `main-pve1-${vmid}-${name}`,
    name,
    node: 'pve1',
    instance: 'main',
    type: 'qemu',
    vmid,
    time: toIso(BUILT_AT - DAY_MS),
    vmstate: false,
    source: 'main',
    ...change,
  }
}

/** A successful vzdump run for one guest, a day ago. */
export function aBackupRun(change: Partial<Of<'backupTasks'>> = {}): Of<'backupTasks'> {
  const { vmid = 100 } = change
  return {
    list: 'backupTasks',
    id: `main-run-${vmid}`,
    upid: `UPID:pve1:${vmid}`,
    node: 'pve1',
    type: 'vzdump',
    vmid,
    status: change.error ?? 'OK',
    startTime: toIso(BUILT_AT - DAY_MS),
    endTime: toIso(BUILT_AT - DAY_MS + 60_000),
    source: 'main',
    ...change,
  }
}

/** A verified backup on the server `backup`, a day old. */
export function aPbsBackup(change: Partial<PbsBackup> = {}): PbsBackup {
  const {
    vmid = '100',
    backupTime = toIso(BUILT_AT - DAY_MS),
    instance = 'backup',
    datastore = 'main',
  } = change
  const { namespace = '', backupType = 'vm' } = change
  return {
    id: `pbs-${instance}-${datastore}-${namespace}-${backupType}-${vmid}-${Date.parse(backupTime) / 1000}`,
    instance,
    datastore,
    namespace,
    backupType,
    vmid,
    backupTime,
    size: 4 * GiB,
    protected: false,
    verified: true,
    verification: 'ok',
    owner: 'pulse@pbs!backup',
    source: instance,
    ...change,
  }
}

export function aPmgBackup(change: Partial<PmgBackup> = {}): PmgBackup {
  const { node = 'mail1', filename = 'pmg-backup_2025_12_31.tgz' } = change
  return {
    id: `pmg-${node}-${filename}`,
    instance: 'mail',
    node,
    filename,
    backupTime: toIso(BUILT_AT - DAY_MS),
    size: GiB / 64,
    source: 'mail',
    ...change,
  }
}

/** The protection of a guest with a newest backup that is a day old, verified, and made by a job. */
export function aProtection(change: Partial<Protection> = {}): Protection {
  return {
    vmid: 100,
    inJob: true,
    newest: {
      at: BUILT_AT - DAY_MS,
      instance: 'backup',
      datastore: 'main',
      namespace: '',
      verification: 'ok',
      size: 4 * GiB,
    },
    source: 'main',
    ...change,
  }
}

/** A healthy job from pve1 to pve2. */
export function aReplicationJob(change: Partial<ReplicationJob> = {}): ReplicationJob {
  const { vmid = 100, job = `${vmid}-0` } = change
  return {
    id: `main-${job}`,
    instance: 'main',
    job,
    vmid,
    node: 'pve1',
    target: 'pve2',
    schedule: '*/15',
    enabled: true,
    lastSync: BUILT_AT - 600_000,
    nextSync: BUILT_AT + 300_000,
    failCount: 0,
    source: 'main',
    ...change,
  }
}

/**
 * Two guests with an hour-old snapshot, a file of four days, and backups on a server of eight and forty days.
 */
export function backedUpEstate(nowMs: number) {
  const ago = (hours: number) => toIso(nowMs - hours * 3_600_000)
  return {
    sources: { main: { name: 'main', kind: 'pve' as const, health: 'healthy' as const } },
    nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
    pbs: { backup: aPbsServer() },
    guests: {
      'main:100': aGuest({ vmid: 100, name: 'web' }),
      'main:105': aGuest({ vmid: 105, name: 'db', type: 'lxc' }),
    },
    pveBackups: {
      snap: aSnapshot({ time: ago(1) }),
      file: aStorageBackup({
        vmid: 105,
        type: 'lxc',
        ctime: (nowMs - 4 * DAY_MS) / 1000,
        size: 6 * GiB,
        node: 'pve2',
      }),
    },
    pbsBackups: {
      deep: aPbsBackup({ backupTime: ago(8 * 24), size: 30 * GiB, namespace: 'prod' }),
      root: aPbsBackup({
        backupTime: ago(40 * 24),
        size: 60 * GiB,
        namespace: 'root',
        verified: false,
        verification: undefined,
      }),
    },
    datastores: {
      one: {
        server: 'pbs-backup',
        name: 'main',
        status: 'available',
        deduplicationFactor: 12,
        source: 'backup',
      },
      two: {
        server: 'pbs-backup',
        name: 'other',
        status: 'available',
        deduplicationFactor: 8,
        source: 'backup',
      },
    },
    protections: {
      'main:100': aProtection({ vmid: 100 }),
      'main:105': aProtection({ vmid: 105, inJob: false }),
    },
  }
}
