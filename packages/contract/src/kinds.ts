import type { Alert } from './entities/alert.ts'
import type { PbsBackup, PmgBackup, PveBackup } from './entities/backup.ts'
import type { DockerContainer, DockerHost } from './entities/docker.ts'
import type { ForecastRecord } from './entities/forecast.ts'
import type { Guest } from './entities/guest.ts'
import type { Node, NodeSensors } from './entities/node.ts'
import type { Datastore, PbsServer } from './entities/pbs.ts'
import type { MailGateway } from './entities/pmg.ts'
import type { Protection } from './entities/protection.ts'
import type { ReplicationJob } from './entities/replication.ts'
import { type FigureUnit, forSampledGuestFields } from './entities/sampled-fields.ts'
import type { CephCluster, PhysicalDisk, Storage } from './entities/storage.ts'

/** The parts of the state that a subscriber of the compact protocol can request. */
export const slices = ['live', 'backups'] as const
export type Slice = (typeof slices)[number]

/** Rounding hides noise. Bytes per second to 1 %, totals in bytes to 0.1 %, a fraction 0-1 to 0.1 %. */
export type Rounding = 'rate' | 'bytes' | 'fraction' | 'hundredth'

/** How a reader computes a field that is not sent: total less used, used as percent of total, or a copy. */
export type Formula = 'left' | 'percent' | 'avail'

/** The list of a kind's records in the documented state. */
export interface PlainList {
  /** name of the list, with a dot for a nested list; or the list for each value of a field */
  list: string | { by: string; of: Readonly<Record<string, string>> }
  /** sort fields; a minus reverses the order */
  order?: readonly string[]
  /** the records are nested in records of another kind, found by the id in this field */
  within?: { kind: string; by: string }
  /** internal fields in addition to `source` and `staleSince` */
  inner?: readonly string[]
}

/**
 * How the past has a field that changes with most polls. `absent`: not at all. `carried`: as it was at the last
 * change of another field of its record, or of the nested object that it is in. `needed`: as sampled; without a sample its object is absent.
 */
export type PassingField = 'absent' | 'carried' | 'needed'

/**
 * All settings of a record kind except its schema. The compact wire, the state, the documented form, the
 * export and the browser's store use them. All other fields are sent whole and exact.
 */
export interface Kind {
  /** absent for records that are not sent to browsers: a derivation joins them to records of another kind */
  slice?: Slice
  /** Identity, independent of name and location. Absent when only the reporting source knows it. */
  key?: (record: never) => string
  /** by field, or by dot path into a nested object or list item */
  round?: Readonly<Record<string, Rounding>>
  /** objects with fields that are sent separately */
  nested?: readonly string[]
  /** fields that stay on the server because no page reads them; the documented state has them */
  keptBack?: readonly string[]
  /** fields that are not sent because readers compute them, by dot path */
  derived?: Readonly<Record<string, Formula>>
  /**
   * fields, by dot path, whose changes the change log omits; also those that are rounded or have a figure with
   * samples, which are `absent` unless they are named here
   */
  passing?: Readonly<Record<string, PassingField>>
  plain?: PlainList
  /** maximum number of records in a support export; absent: all */
  exported?: number
}

/** Memory and disk of a machine: readers compute the rest from used and total. */
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
    passing: {
      'memory.used': 'needed',
      'disk.total': 'needed',
      loadAverage: 'carried',
      'cpuInfo.mhz': 'carried',
      'temperature.cpuMax': 'absent',
      'temperature.cpuMin': 'absent',
      'temperature.cpuMaxRecord': 'absent',
      'temperature.minRecorded': 'absent',
      'temperature.maxRecorded': 'absent',
      'temperature.cores': 'absent',
      'temperature.nvme': 'absent',
      'temperature.lastUpdate': 'absent',
    },
    plain: { list: 'nodes', order: ['name'] },
  },
  /** By the node's identity. */
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
    passing: { 'memory.used': 'needed' },
    derived: { ...machine.derived, 'disks.free': 'left', 'disks.usage': 'percent' },
    plain: {
      list: { by: 'type', of: { qemu: 'vms', lxc: 'containers' } },
      order: ['vmid'],
      inner: ['forecast'],
    },
  },
  /** Made from the guests for the metric history; the state has none. By guest and name. */
  fileSystems: {},
  storage: {
    slice: 'live',
    key: ({ source, shared, node, storage }: Storage) =>
      shared ? key(source, storage) : key(source, node, storage),
    round: { used: 'bytes', avail: 'bytes' },
    passing: { 'zfsPool.scan': 'carried' },
    derived: { free: 'avail', usage: 'percent' },
    plain: { list: 'storage', order: ['instance', 'name'], inner: ['inactiveOn', 'pbs', 'forecast'] },
  },
  cephClusters: {
    slice: 'live',
    key: ({ fsid, source }: CephCluster) => fsid ?? source,
    round: { usedBytes: 'bytes', availableBytes: 'bytes' },
    passing: {
      usedBytes: 'carried',
      availableBytes: 'carried',
      usagePercent: 'carried',
      pools: 'absent',
      lastUpdated: 'carried',
    },
    plain: { list: 'cephClusters', inner: ['forecast'] },
  },
  physicalDisks: {
    slice: 'live',
    key: ({ source, node, serial, devPath }: PhysicalDisk) => key(source, serial || key(node, devPath)),
    passing: { temperature: 'carried', lastChecked: 'carried', smartAt: 'absent' },
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
    passing: { fullAt: 'absent' },
    plain: { list: 'datastores', within: { kind: 'pbs', by: 'server' }, inner: ['forecast'] },
  },
  pmg: {
    slice: 'live',
    key: ({ source }: MailGateway) => source,
    passing: {
      lastUpdated: 'carried',
      'mailStats.updatedAt': 'carried',
      'nodes.loadAvg': 'carried',
      'nodes.queueStatus.updatedAt': 'carried',
    },
    plain: { list: 'pmg' },
  },
  dockerHosts: {
    slice: 'live',
    key: ({ source }: DockerHost) => source,
    round: { cpuPercent: 'hundredth', usedMemoryBytes: 'bytes' },
    passing: { tokenLastUsedAt: 'absent', 'conflict.lastAt': 'carried' },
    plain: { list: 'dockerHosts', order: ['hostname'] },
  },
  dockerContainers: {
    slice: 'live',
    key: ({ source, name }: DockerContainer) => key(source, name),
    round: { cpuPercent: 'hundredth', memoryUsageBytes: 'bytes', memoryPercent: 'hundredth' },
    // "Up 2 minutes"
    passing: { status: 'carried' },
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
  /** By the guest's identity. The documented state has neither this kind nor the next. */
  protections: {
    slice: 'backups',
    key: ({ source, vmid }: Protection) => key(source, vmid),
  },
  replicationJobs: {
    slice: 'backups',
    key: ({ source, job }: ReplicationJob) => key(source, job),
  },
  /** By kind and key of the record that it is joined to. */
  forecasts: { key: ({ kind, id }: Pick<ForecastRecord, 'kind' | 'id'>) => key(kind, id) },
  activeAlerts: {
    slice: 'live',
    key: ({ id }: Alert) => id,
    round: { value: 'hundredth' },
    passing: { value: 'carried', message: 'carried', metadata: 'carried', lastSeen: 'absent' },
    plain: { list: 'activeAlerts' },
    exported: 20,
  },
  recentlyResolved: {
    slice: 'live',
    key: ({ id }: Alert) => id,
    plain: { list: 'recentlyResolved' },
    exported: 20,
  },
  /** By connection or agent; the documented wire has connectionHealth and lastUpdate instead. */
  sources: { slice: 'live', passing: { lastSeen: 'absent', listedAt: 'absent', reading: 'absent' } },
  /** One record; the documented wire has its parts as separate fields. */
  meta: { slice: 'live', keptBack: ['performance', 'process', 'stats'] },
} as const satisfies Record<string, Kind>

export type RecordKind = keyof typeof kinds

/** The id of the single record of kind `meta`. */
export const META_ID = 'meta'

export const recordKinds = (): RecordKind[] => Object.keys(kinds) as RecordKind[]
export const kindOf = (kind: RecordKind): Kind => kinds[kind]
export const kindsOf = (slice: Slice): RecordKind[] =>
  recordKinds().filter((kind) => kindOf(kind).slice === slice)
/** The fields that change with most updates. The wire rounds them, or readers compute them. */
export function figureFields(kind: RecordKind): ReadonlySet<string> {
  const { round = {}, derived = {} } = kindOf(kind)
  return new Set([...Object.keys(round), ...Object.keys(derived)].map((path) => path.split('.')[0]!))
}

/** The kind's list names in the documented state. */
export function plainNames(kind: RecordKind): string[] {
  const list = kindOf(kind).plain?.list ?? []
  return typeof list === 'string' ? [list] : Object.values('of' in list ? list.of : {})
}
