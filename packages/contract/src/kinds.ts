import type { Alert } from './entities/alert.ts'
import type { PbsBackup, PmgBackup, PveBackup } from './entities/backup.ts'
import type { DockerContainer, DockerHost } from './entities/docker.ts'
import type { Guest } from './entities/guest.ts'
import type { Node, NodeSensors } from './entities/node.ts'
import type { Datastore, PbsServer } from './entities/pbs.ts'
import type { MailGateway } from './entities/pmg.ts'
import type { Protection } from './entities/protection.ts'
import type { ReplicationJob } from './entities/replication.ts'
import { type FigureUnit, forSampledGuestFields } from './entities/sampled-fields.ts'
import type { CephCluster, PhysicalDisk, Storage } from './entities/storage.ts'

/** What a subscriber of the compact protocol can ask for. */
export const slices = ['live', 'backups'] as const
export type Slice = (typeof slices)[number]

/** Noise is not a change. Bytes per second to 1 %, totals in bytes to 0.1 %, a fraction 0-1 to 0.1 %. */
export type Rounding = 'rate' | 'bytes' | 'fraction' | 'hundredth'

/** How a reader works out what does not travel from what lies beside it: total less used, used of total, a copy. */
export type Formula = 'left' | 'percent' | 'avail'

/** Where the documented state shows the records of a kind. */
export interface PlainPlace {
  /** the name of its list, with a dot when it lies in another; or which one, by the value of a field */
  list: string | { by: string; of: Readonly<Record<string, string>> }
  /** the fields it is sorted by; a minus before one turns it round */
  order?: readonly string[]
  /** the records of this list lie within those of another kind whose id they name */
  within?: { kind: string; by: string }
  /** besides `source` and `staleSince`: what stays inside */
  inner?: readonly string[]
}

/**
 * All there is to say about a kind of record besides its schema. The compact wire, the state, the documented form, the
 * export and the browser's store read it here. Fields that are not named travel whole and exact.
 */
export interface Kind {
  /** absent for facts that do not leave the server by themselves: a derivation joins them to records of another kind */
  slice?: Slice
  /** Identity: whatever a record is called and wherever it runs. Absent when only who speaks of it knows. */
  key?: (record: never) => string
  /** by field, or by dot path inside a nested object or what a list holds */
  round?: Readonly<Record<string, Rounding>>
  /** objects whose fields travel one by one */
  nested?: readonly string[]
  /** what stays on the server because no page reads it: the documented state has it */
  keptBack?: readonly string[]
  /** what does not travel because every reader can work it out, by dot path */
  derived?: Readonly<Record<string, Formula>>
  plain?: PlainPlace
  /** so many of them are enough in an export for support; absent: all */
  exported?: number
}

/** Memory and disk of a machine: of used and total the rest follows. */
const machine = {
  nested: ['memory', 'disk'],
  derived: { 'memory.free': 'left', 'memory.usage': 'percent', 'disk.free': 'left', 'disk.usage': 'percent' },
} as const
const machineFigures = {
  cpu: 'fraction',
  'memory.used': 'bytes',
  'memory.balloon': 'bytes',
  'disk.used': 'bytes',
} as const

const roundingOfUnit: Partial<Record<FigureUnit, Rounding>> = {
  'bytes/s': 'rate',
  bytes: 'bytes',
  ratio: 'fraction',
  percent: 'hundredth',
}

const key = (...parts: readonly unknown[]) => parts.join(':')

export const kinds = {
  nodes: {
    slice: 'live',
    key: ({ source, node }: Node) => key(source, node),
    ...machine,
    round: machineFigures,
    plain: { list: 'nodes', order: ['name'] },
  },
  /** By the identity of the node. */
  nodeSensors: { key: ({ source, node }: Pick<NodeSensors, 'source' | 'node'>) => key(source, node) },
  guests: {
    slice: 'live',
    key: ({ source, vmid }: Guest) => key(source, vmid),
    ...machine,
    round: {
      ...machineFigures,
      'memory.swapUsed': 'bytes',
      ...forSampledGuestFields((_field, { unit }) => roundingOfUnit[unit] ?? 'hundredth'),
      'disks.used': 'bytes',
      'networkInterfaces.rxBytes': 'bytes',
      'networkInterfaces.txBytes': 'bytes',
    },
    derived: { ...machine.derived, 'disks.free': 'left', 'disks.usage': 'percent' },
    plain: { list: { by: 'type', of: { qemu: 'vms', lxc: 'containers' } }, order: ['vmid'] },
  },
  storage: {
    slice: 'live',
    key: ({ source, shared, node, storage }: Storage) =>
      shared ? key(source, storage) : key(source, node, storage),
    round: { used: 'bytes', avail: 'bytes' },
    derived: { free: 'avail', usage: 'percent' },
    plain: { list: 'storage', order: ['instance', 'name'], inner: ['inactiveOn', 'pbs'] },
  },
  cephClusters: {
    slice: 'live',
    key: ({ fsid, source }: CephCluster) => fsid ?? source,
    round: { usedBytes: 'bytes', availableBytes: 'bytes' },
    plain: { list: 'cephClusters' },
  },
  physicalDisks: {
    slice: 'live',
    key: ({ source, node, serial, devPath }: PhysicalDisk) => key(source, serial || key(node, devPath)),
    plain: { list: 'physicalDisks', order: ['node', 'devPath'] },
  },
  pbs: {
    slice: 'live',
    key: ({ source }: PbsServer) => source,
    round: { cpu: 'fraction', memoryUsed: 'bytes', memory: 'hundredth' },
    plain: { list: 'pbs' },
  },
  datastores: {
    slice: 'live',
    key: ({ source, name }: Datastore) => key(source, name),
    round: { used: 'bytes', free: 'bytes', usage: 'hundredth' },
    plain: { list: 'datastores', within: { kind: 'pbs', by: 'server' } },
  },
  pmg: {
    slice: 'live',
    key: ({ source }: MailGateway) => source,
    plain: { list: 'pmg' },
  },
  dockerHosts: {
    slice: 'live',
    key: ({ source }: DockerHost) => source,
    plain: { list: 'dockerHosts', order: ['hostname'] },
  },
  dockerContainers: {
    slice: 'live',
    key: ({ source, name }: DockerContainer) => key(source, name),
    round: { cpuPercent: 'hundredth', memoryUsageBytes: 'bytes', memoryPercent: 'hundredth' },
    plain: { list: 'containers', within: { kind: 'dockerHosts', by: 'host' } },
  },
  pveBackups: {
    slice: 'backups',
    key: (backup: PveBackup) => {
      if (backup.list === 'storageBackups') return key(backup.source, backup.volid)
      if (backup.list === 'guestSnapshots') return key(backup.source, backup.vmid, backup.name)
      return key(backup.source, backup.upid)
    },
    plain: {
      list: {
        by: 'list',
        of: {
          backupTasks: 'pveBackups.backupTasks',
          storageBackups: 'pveBackups.storageBackups',
          guestSnapshots: 'pveBackups.guestSnapshots',
        },
      },
      order: ['-startTime', '-time'],
      inner: ['list', 'upid', 'guests', 'listedBy', 'future'],
    },
    exported: 10,
  },
  pbsBackups: {
    slice: 'backups',
    key: ({ source, datastore, namespace, backupType, vmid, backupTime }: PbsBackup) =>
      key(source, datastore, namespace, backupType, vmid, backupTime),
    plain: { list: 'pbsBackups', order: ['-backupTime'], inner: ['listedBy', 'future'] },
    exported: 10,
  },
  pmgBackups: {
    slice: 'backups',
    key: ({ source, node, filename }: PmgBackup) => key(source, node, filename),
    plain: { list: 'pmgBackups', order: ['-backupTime'] },
    exported: 10,
  },
  /** By the identity of the guest. The documented state has no place for it, nor for the next. */
  protections: {
    slice: 'backups',
    key: ({ source, vmid }: Protection) => key(source, vmid),
  },
  replicationJobs: {
    slice: 'backups',
    key: ({ source, job }: ReplicationJob) => key(source, job),
  },
  activeAlerts: {
    slice: 'live',
    key: ({ id }: Alert) => id,
    round: { value: 'hundredth' },
    plain: { list: 'activeAlerts' },
    exported: 20,
  },
  recentlyResolved: {
    slice: 'live',
    key: ({ id }: Alert) => id,
    plain: { list: 'recentlyResolved' },
    exported: 20,
  },
  /** By connection or agent; on the documented wire it is connectionHealth and lastUpdate. */
  sources: { slice: 'live' },
  /** One record; its parts stand by themselves on the documented wire. */
  meta: { slice: 'live', keptBack: ['performance', 'stats'] },
} as const satisfies Record<string, Kind>

export type RecordKind = keyof typeof kinds

/** The id of the single record of kind `meta`. */
export const META_ID = 'meta'

export const recordKinds = (): RecordKind[] => Object.keys(kinds) as RecordKind[]
export const kindOf = (kind: RecordKind): Kind => kinds[kind]
export const kindsOf = (slice: Slice): RecordKind[] =>
  recordKinds().filter((kind) => kindOf(kind).slice === slice)
/** The fields that change with most updates: the wire rounds them, or a reader works them out. */
export function figureFields(kind: RecordKind): ReadonlySet<string> {
  const { round = {}, derived = {} } = kindOf(kind)
  return new Set([...Object.keys(round), ...Object.keys(derived)].map((path) => path.split('.')[0]!))
}

/** The names of its lists in the documented state. */
export function plainNames(kind: RecordKind): string[] {
  const list = kindOf(kind).plain?.list ?? []
  return typeof list === 'string' ? [list] : Object.values('of' in list ? list.of : {})
}
