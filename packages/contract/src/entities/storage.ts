import * as z from 'zod/mini'
import { Bytes, EpochMs, fromSource } from './common.ts'
import { Forecast } from './forecast.ts'

export const ZfsDevice = z.object({
  name: z.string(),
  type: z.string(),
  state: z.string(),
  readErrors: z.number(),
  writeErrors: z.number(),
  checksumErrors: z.number(),
  message: z.optional(z.string()),
})
export type ZfsDevice = z.infer<typeof ZfsDevice>

export const ZfsPool = z.object({
  name: z.string(),
  state: z.string(),
  status: z.optional(z.string()),
  scan: z.optional(z.string()),
  /** the three sums include disks only, because a group's counts are those of its disks */
  readErrors: z.number(),
  writeErrors: z.number(),
  checksumErrors: z.number(),
  /** unhealthy devices and devices with errors */
  devices: z.array(ZfsDevice),
  /** time when the pool's figures were last right, set while they are older than their limit */
  staleSince: z.optional(EpochMs),
})
export type ZfsPool = z.infer<typeof ZfsPool>

/** One row per storage and node. A shared storage is one row per instance, with the node `cluster`. */
export const Storage = z.object({
  id: z.string(),
  instance: z.string(),
  node: z.string(),
  nodes: z.optional(z.array(z.string())),
  nodeIds: z.optional(z.array(z.string())),
  nodeCount: z.optional(z.number()),
  storage: z.string(),
  name: z.string(),
  type: z.string(),
  content: z.string(),
  /** `available` is healthy; otherwise inactive, disabled or the source's status text */
  status: z.string(),
  shared: z.boolean(),
  enabled: z.boolean(),
  active: z.boolean(),
  /** the five figures are absent until a node that can reach the storage reports them */
  total: z.optional(Bytes),
  used: z.optional(Bytes),
  avail: z.optional(Bytes),
  free: z.optional(Bytes),
  /** percent 0-100 */
  usage: z.optional(z.number()),
  zfsPool: z.optional(ZfsPool),
  /** for a shared storage: nodes that cannot use it while others can */
  inactiveOn: z.optional(z.array(z.string())),
  /** for type pbs: where the backups are stored */
  pbs: z.optional(z.object({ server: z.string(), datastore: z.string(), namespace: z.optional(z.string()) })),
  /** when it will be full; absent until its history was read */
  forecast: z.optional(Forecast),
  ...fromSource,
})
export type Storage = z.infer<typeof Storage>

export const CephCluster = z.object({
  id: z.string(),
  instance: z.string(),
  /** all connections that list it, if several do */
  instances: z.optional(z.array(z.string())),
  name: z.string(),
  fsid: z.optional(z.string()),
  /** HEALTH_OK, HEALTH_WARN or HEALTH_ERR; HEALTH_UNKNOWN if derived from its storages */
  health: z.string(),
  healthMessage: z.optional(z.string()),
  totalBytes: Bytes,
  usedBytes: Bytes,
  availableBytes: Bytes,
  usagePercent: z.number(),
  numMons: z.number(),
  numMgrs: z.number(),
  numOsds: z.number(),
  numOsdsUp: z.number(),
  numOsdsIn: z.number(),
  numPGs: z.number(),
  pools: z.optional(
    z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        storedBytes: Bytes,
        availableBytes: Bytes,
        objects: z.number(),
        percentUsed: z.number(),
      }),
    ),
  ),
  services: z.optional(
    z.array(
      z.object({
        type: z.string(),
        running: z.number(),
        total: z.number(),
        message: z.optional(z.string()),
      }),
    ),
  ),
  lastUpdated: EpochMs,
  /** when it will refuse to write; absent until its history was read */
  forecast: z.optional(Forecast),
  ...fromSource,
})
export type CephCluster = z.infer<typeof CephCluster>

export const PhysicalDisk = z.object({
  id: z.string(),
  node: z.string(),
  instance: z.string(),
  devPath: z.string(),
  model: z.string(),
  serial: z.string(),
  /** nvme, sata, sas or other */
  type: z.string(),
  size: Bytes,
  /** PASSED, OK, GOOD, FAILED or UNKNOWN */
  health: z.string(),
  /** the disk's own health text if it is not used as its health, and why */
  healthNote: z.optional(z.string()),
  /** percent of life remaining; -1: unknown */
  wearout: z.number(),
  /** degrees Celsius; 0: unknown */
  temperature: z.number(),
  rpm: z.number(),
  /** last report of temperature and remaining life; absent: not asked yet, or not reported */
  smartAt: z.optional(EpochMs),
  /** file system or use */
  used: z.string(),
  lastChecked: z.string(),
  ...fromSource,
})
export type PhysicalDisk = z.infer<typeof PhysicalDisk>
