import * as z from 'zod/mini'
import { Bytes, EpochMs, fromSource } from './common.ts'

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
  /** the three sums count disks alone: what a group reports are theirs */
  readErrors: z.number(),
  writeErrors: z.number(),
  checksumErrors: z.number(),
  /** those that are not healthy or count errors */
  devices: z.array(ZfsDevice),
  /** set while the pool is older than its limit: when it was last right */
  staleSince: z.optional(EpochMs),
})
export type ZfsPool = z.infer<typeof ZfsPool>

/** One row per storage and node; a shared storage is one row for the whole instance, its node is `cluster`. */
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
  /** `available` is healthy; otherwise inactive, disabled or the source's own word */
  status: z.string(),
  shared: z.boolean(),
  enabled: z.boolean(),
  active: z.boolean(),
  /** the five figures are absent while unknown: no node that can reach it has reported them */
  total: z.optional(Bytes),
  used: z.optional(Bytes),
  avail: z.optional(Bytes),
  free: z.optional(Bytes),
  /** percent 0-100 */
  usage: z.optional(z.number()),
  zfsPool: z.optional(ZfsPool),
  /** of a shared one: the nodes that cannot use it while others can */
  inactiveOn: z.optional(z.array(z.string())),
  /** of type pbs: where the backups go */
  pbs: z.optional(z.object({ server: z.string(), datastore: z.string(), namespace: z.optional(z.string()) })),
  ...fromSource,
})
export type Storage = z.infer<typeof Storage>

export const CephCluster = z.object({
  id: z.string(),
  instance: z.string(),
  /** of every connection that sees it, when several do */
  instances: z.optional(z.array(z.string())),
  name: z.string(),
  fsid: z.optional(z.string()),
  /** HEALTH_OK, HEALTH_WARN or HEALTH_ERR; HEALTH_UNKNOWN when it is derived from the storages on it */
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
  /** what it says of itself, where that is not taken for its health, and why */
  healthNote: z.optional(z.string()),
  /** percent of life remaining, -1 unknown */
  wearout: z.number(),
  /** degrees Celsius, 0 unknown */
  temperature: z.number(),
  rpm: z.number(),
  /** when it last reported its temperature and remaining life; absent: not asked yet, or it does not report them */
  smartAt: z.optional(EpochMs),
  /** file system or use */
  used: z.string(),
  lastChecked: z.string(),
  ...fromSource,
})
export type PhysicalDisk = z.infer<typeof PhysicalDisk>
