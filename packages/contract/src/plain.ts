import * as z from 'zod/mini'
import { Alert, ResolvedAlert } from './entities/alert.ts'
import { BackupTask, GuestSnapshot, PbsBackup, PmgBackup, StorageBackup } from './entities/backup.ts'
import { Bytes, ConnectionHealth, EpochMs, Memory } from './entities/common.ts'
import { DockerContainer, DockerHost } from './entities/docker.ts'
import { NetworkInterface, PlainGuestDisk } from './entities/guest.ts'
import { Performance, PlainStats } from './entities/meta.ts'
import { NodeStatus, NodeTemperature } from './entities/node.ts'
import { Datastore, PbsServer } from './entities/pbs.ts'
import { GatewayNode, MailGateway, MailHour, QueueStatus } from './entities/pmg.ts'
import { forGuestRates, forSampledGuestFields } from './entities/sampled-fields.ts'
import { CephCluster, PhysicalDisk, Storage } from './entities/storage.ts'

/** The documented state of `/api/state` and of `initialState` and `rawData` on the socket. */

/** usage is percent, -1 while unknown */
const PlainUsage = z.object({
  total: Bytes,
  used: Bytes,
  free: Bytes,
  usage: z.number(),
  staleSince: z.optional(EpochMs),
})
const local = { source: true, staleSince: true } as const

export const PlainNode = z.object({
  id: z.string(),
  node: z.string(),
  name: z.string(),
  displayName: z.string(),
  instance: z.string(),
  host: z.optional(z.string()),
  status: NodeStatus,
  type: z.literal('node'),
  cpu: z.number(),
  memory: z.optional(Memory),
  mem: Bytes,
  maxmem: Bytes,
  disk: z.optional(PlainUsage),
  maxdisk: Bytes,
  /** seconds */
  uptime: z.number(),
  loadAverage: z.array(z.number()),
  kernelVersion: z.string(),
  pveVersion: z.string(),
  cpuInfo: z.object({ model: z.string(), cores: z.number(), sockets: z.number(), mhz: z.string() }),
  temperature: z.optional(NodeTemperature),
  lastSeen: EpochMs,
  connectionHealth: ConnectionHealth,
  withheld: z.optional(z.string()),
  isClusterMember: z.optional(z.boolean()),
  clusterName: z.optional(z.string()),
  staleSince: z.optional(EpochMs),
})
export type PlainNode = z.infer<typeof PlainNode>

const guestFields = {
  id: z.string(),
  vmid: z.number(),
  name: z.string(),
  node: z.string(),
  instance: z.string(),
  status: z.string(),
  cpu: z.number(),
  cpus: z.number(),
  memory: z.optional(Memory),
  mem: Bytes,
  maxmem: Bytes,
  disk: z.optional(PlainUsage),
  maxdisk: Bytes,
  disks: z.optional(z.array(PlainGuestDisk)),
  diskStatusReason: z.optional(z.string()),
  osName: z.optional(z.string()),
  osVersion: z.optional(z.string()),
  networkInterfaces: z.optional(z.array(NetworkInterface)),
  ipAddresses: z.optional(z.array(z.string())),
  ...forSampledGuestFields(() => z.optional(z.number())),
  /** whole bytes per second, 0 while unknown */
  ...forGuestRates(() => z.number()),
  /** seconds */
  uptime: z.number(),
  template: z.boolean(),
  lastBackup: z.optional(EpochMs),
  tags: z.optional(z.string()),
  lock: z.optional(z.string()),
  lastSeen: EpochMs,
  connectionHealth: z.optional(z.string()),
  staleSince: z.optional(EpochMs),
}
export const PlainVm = z.object({ ...guestFields, type: z.literal('qemu') })
export const PlainContainer = z.object({ ...guestFields, type: z.literal('lxc') })
export type PlainVm = z.infer<typeof PlainVm>
export type PlainContainer = z.infer<typeof PlainContainer>

const PlainPbsBackup = z.omit(PbsBackup, { ...local, listedBy: true, future: true })
const PlainPmgBackup = z.omit(PmgBackup, local)
export const PlainStorage = z.object({
  ...z.omit(Storage, { source: true, inactiveOn: true, pbs: true, forecast: true }).shape,
  total: Bytes,
  used: Bytes,
  avail: Bytes,
  free: Bytes,
  usage: z.number(),
})
export type PlainStorage = z.infer<typeof PlainStorage>
const PlainDockerHost = z.object({
  ...z.omit(DockerHost, {
    ...local,
    startedAt: true,
    cpuPercent: true,
    usedMemoryBytes: true,
    runningContainers: true,
  }).shape,
  uptimeSeconds: z.number(),
  lastSeen: EpochMs,
  containers: z.array(
    z.object({
      ...z.omit(DockerContainer, { ...local, host: true }).shape,
      cpuPercent: z.number(),
      memoryPercent: z.number(),
      memoryUsageBytes: Bytes,
      memoryLimitBytes: Bytes,
      uptimeSeconds: z.number(),
    }),
  ),
})
const PlainDatastore = z.object({
  ...z.omit(Datastore, { ...local, server: true, forecast: true }).shape,
  total: Bytes,
  used: Bytes,
  free: Bytes,
  usage: z.number(),
})
const PlainPbsServer = z.object({
  ...z.omit(PbsServer, { ...local, startedAt: true }).shape,
  cpu: z.number(),
  memory: z.number(),
  memoryUsed: Bytes,
  memoryTotal: Bytes,
  /** seconds */
  uptime: z.number(),
  lastSeen: z.optional(z.string()),
  datastores: z.array(PlainDatastore),
})
const PlainMailGateway = z.object({
  ...z.omit(MailGateway, { ...local, nodes: true, mailCount: true, cluster: true }).shape,
  lastSeen: z.optional(z.string()),
  /** the gateway does not count greylisted mail by the hour */
  mailCount: z.optional(z.array(z.object({ ...MailHour.shape, greylist: z.number() }))),
  nodes: z.optional(
    z.array(
      z.object({
        ...z.omit(GatewayNode, { startedAt: true, queueStatus: true }).shape,
        /** seconds, like oldestAge */
        uptime: z.number(),
        queueStatus: z.optional(
          z.object({ ...z.omit(QueueStatus, { oldestAt: true }).shape, oldestAge: z.number() }),
        ),
      }),
    ),
  ),
})
/** The three lists of a Proxmox VE connection. */
export const PlainPveBackups = z.object({
  backupTasks: z.array(BackupTask),
  storageBackups: z.array(StorageBackup),
  guestSnapshots: z.array(GuestSnapshot),
})

/** By origin. */
const PlainBackups = z.object({
  pve: PlainPveBackups,
  pbs: z.array(PlainPbsBackup),
  pmg: z.array(PlainPmgBackup),
})

export const PlainState = z.object({
  nodes: z.array(PlainNode),
  vms: z.array(PlainVm),
  containers: z.array(PlainContainer),
  dockerHosts: z.array(PlainDockerHost),
  storage: z.array(PlainStorage),
  cephClusters: z.array(z.omit(CephCluster, { ...local, forecast: true })),
  physicalDisks: z.array(z.omit(PhysicalDisk, local)),
  pbs: z.array(PlainPbsServer),
  pmg: z.array(PlainMailGateway),
  pbsBackups: z.array(PlainPbsBackup),
  pmgBackups: z.array(PlainPmgBackup),
  backups: PlainBackups,
  pveBackups: PlainPveBackups,
  activeAlerts: z.array(Alert),
  recentlyResolved: z.array(ResolvedAlert),
  metrics: z.array(z.unknown()),
  performance: Performance,
  connectionHealth: z.record(z.string(), z.boolean()),
  stats: PlainStats,
  lastUpdate: EpochMs,
})
export type PlainState = z.infer<typeof PlainState>
