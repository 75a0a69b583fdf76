import type {
  AnyRecord,
  BackTestKind,
  Datastore,
  DockerContainer,
  Guest,
  GuestDisk,
  MailGateway,
  MeasuredKind,
  MetricOfKind,
  Node,
  PbsServer,
  QueueStatus,
  RecordOf,
  Storage,
} from '@pulse/contract'
import { arrivalOf } from './played-thresholds.ts'
import { unplayedOf } from './unplayed.ts'

/**
 * Records as the rules judge them, with one figure of the past. Names, places and settings are those of now,
 * and other figures are unknown, because only the figure that is played has its past values.
 */
interface PlayedKind<K extends BackTestKind> {
  /** without figures, and without anything else that a rule could report */
  blank: (record: RecordOf<K>) => RecordOf<K>
  /** by figure; `value` is in its unit */
  with: Readonly<Record<string, With<K>>> &
    (K extends MeasuredKind ? { readonly [M in MetricOfKind<K>]: With<K> } : unknown)
  /** absent: an alert about a figure of it is held, as while its source is silent */
  stopped?: (record: RecordOf<K>) => RecordOf<K>
}

/** `at`: the time of the sample */
type With<K extends BackTestKind> = (record: RecordOf<K>, value: number, at: number) => RecordOf<K>

const noMemory = { total: 0, used: 0, free: 0 }

const guests: PlayedKind<'guests'> = {
  blank: ({ source, id, instance, node, vmid, name, type, tags }): Guest => ({
    source,
    id,
    instance,
    node,
    vmid,
    name,
    type,
    status: 'running',
    cpus: 1,
    template: false,
    ...(tags !== undefined && { tags }),
  }),
  with: {
    cpu: (guest, cpu) => ({ ...guest, cpu }),
    memory: (guest, usage) => ({ ...guest, memory: { ...noMemory, usage } }),
    disk: ({ disks, ...guest }, usage) =>
      disks
        ? { ...guest, disks: disks.map((one) => ({ ...one, usage })) }
        : { ...guest, disk: { total: 0, usage } },
    diskRead: (guest, diskRead) => ({ ...guest, diskRead }),
    diskWrite: (guest, diskWrite) => ({ ...guest, diskWrite }),
    networkIn: (guest, networkIn) => ({ ...guest, networkIn }),
    networkOut: (guest, networkOut) => ({ ...guest, networkOut }),
  },
  stopped: (guest) => ({ ...guest, status: 'stopped' }),
}

const nodes: PlayedKind<'nodes'> = {
  blank: ({ source, id, instance, node, name, displayName }): Node => ({
    source,
    id,
    instance,
    node,
    name,
    displayName,
    type: 'node',
    status: 'online',
    connectionHealth: 'healthy',
    loadAverage: [],
  }),
  with: {
    cpu: (node, cpu) => ({ ...node, cpu }),
    memory: (node, usage) => ({ ...node, memory: { ...noMemory, usage } }),
    disk: (node, usage) => ({ ...node, disk: { total: 0, usage } }),
    temperature: (node, cpuPackage) => ({ ...node, temperature: { available: true, cpuPackage } as never }),
  },
  stopped: (node) => ({ ...node, status: 'offline' }),
}

const pbs: PlayedKind<'pbs'> = {
  blank: (server): PbsServer => ({
    ...server,
    status: 'online',
    cpu: undefined,
    memory: undefined,
    staleSince: undefined,
    backupJobs: [],
    syncJobs: [],
    verifyJobs: [],
    pruneJobs: [],
    garbageJobs: [],
  }),
  with: {
    cpu: (server, cpu) => ({ ...server, cpu }),
    memory: (server, memory) => ({ ...server, memory }),
  },
  stopped: (server) => ({ ...server, status: 'offline' }),
}

const storage: PlayedKind<'storage'> = {
  blank: ({
    source,
    id,
    instance,
    node,
    nodes: on,
    storage: store,
    name,
    type,
    shared,
    enabled,
  }): Storage => ({
    source,
    id,
    instance,
    node,
    ...(on && { nodes: on }),
    storage: store,
    name,
    type,
    content: '',
    status: 'available',
    shared,
    enabled,
    active: true,
  }),
  with: { usage: (one, usage) => ({ ...one, usage }) },
  stopped: (one) => ({ ...one, status: 'inactive' }),
}

const datastores: PlayedKind<'datastores'> = {
  blank: ({ source, server, name }): Datastore => ({ source, server, name, status: 'available' }),
  with: { usage: (datastore, usage) => ({ ...datastore, usage }) },
}

const dockerContainers: PlayedKind<'dockerContainers'> = {
  blank: ({ source, id, host, name, image, labels, memoryLimitBytes }): DockerContainer => ({
    source,
    id,
    host,
    name,
    image,
    ...(labels && { labels }),
    ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
    state: 'running',
    status: 'running',
    restartCount: 0,
    exitCode: 0,
  }),
  with: {
    cpu: (container, cpuPercent) => ({ ...container, cpuPercent }),
    memory: (container, memoryPercent) => ({ ...container, memoryPercent }),
    memoryUsed: (container, memoryUsageBytes) => ({ ...container, memoryUsageBytes }),
    restarts: (container, restartCount) => ({ ...container, restartCount }),
  },
  stopped: (container) => ({ ...container, state: 'exited', status: 'exited' }),
}

const pmg: PlayedKind<'pmg'> = {
  blank: ({ source, id, name, host, version, lastUpdated }): MailGateway => ({
    source,
    id,
    name,
    host,
    version,
    lastUpdated,
    status: 'online',
    connectionHealth: 'healthy',
  }),
  with: {
    queued: (gateway, total) => withQueues(gateway, { total }),
    deferred: (gateway, deferred) => withQueues(gateway, { deferred }),
    held: (gateway, hold) => withQueues(gateway, { hold }),
    oldestMail: (gateway, ageS, at) => withQueues(gateway, { oldestAt: arrivalOf(ageS, at) }),
    quarantinedSpam: (gateway, spam) => withQuarantine(gateway, { spam }),
    quarantinedViruses: (gateway, virus) => withQuarantine(gateway, { virus }),
  },
  stopped: (gateway) => ({ ...gateway, status: 'offline' }),
}

const withQuarantine = (
  { quarantine, ...gateway }: MailGateway,
  box: { spam: number } | { virus: number },
): MailGateway => ({ ...gateway, quarantine: { spam: 0, virus: 0, attachment: 0, ...quarantine, ...box } })

/** One node has all mail, because the figures are those of all nodes. */
const withQueues = (gateway: MailGateway, queues: Partial<QueueStatus>): MailGateway => ({
  ...gateway,
  nodes: [
    {
      name: gateway.name,
      role: '',
      status: 'online',
      loadAvg: '',
      queueStatus: { total: 0, active: 0, deferred: 0, hold: 0, incoming: 0, updatedAt: '', ...queues },
    },
  ],
})

const kinds: { readonly [K in BackTestKind]: PlayedKind<K> } = {
  guests,
  nodes,
  pbs,
  storage,
  datastores,
  dockerContainers,
  pmg,
}

/** A kind whose records are known at run time only. */
interface AnyPlayedKind {
  blank: (record: AnyRecord) => AnyRecord
  with: Readonly<Record<string, (record: AnyRecord, value: number, at: number) => AnyRecord>>
  stopped?: (record: AnyRecord) => AnyRecord
}

export const playedKind = (kind: BackTestKind): AnyPlayedKind => kinds[kind] as unknown as AnyPlayedKind

/** Records of these kinds supply names and switches to the rules of the played kind. */
export const neighbourOf: Readonly<Record<BackTestKind, 'nodes' | 'pbs' | 'dockerHosts' | undefined>> = {
  guests: 'nodes',
  nodes: undefined,
  pbs: undefined,
  storage: 'nodes',
  datastores: 'pbs',
  dockerContainers: 'dockerHosts',
  pmg: undefined,
}

/** A record without its figures; undefined if its alerts have no history. */
export const playedRecord = (kind: BackTestKind, metric: string, record: AnyRecord): AnyRecord | undefined =>
  unplayedOf(kind, metric, record) === 'all' ? undefined : playedKind(kind).blank(record)

/** A guest with one file system, of any size, because only its usage is compared. */
export const playedFileSystem = (guest: Guest, { mountpoint, device }: GuestDisk): Guest => ({
  ...guests.blank(guest),
  disks: [{ total: 1, ...(mountpoint && { mountpoint }), ...(device && { device }) }],
})
