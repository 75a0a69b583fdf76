import * as z from 'zod/mini'
import { Bytes, EpochMs, fromSource, Memory, Usage } from './common.ts'
import { Forecast } from './forecast.ts'
import { forSampledGuestFields } from './sampled-fields.ts'

export const GuestType = z.enum(['qemu', 'lxc'])
export type GuestType = z.infer<typeof GuestType>

export const DiskStatusReason = z.enum([
  'vm-stopped',
  'vm-paused',
  'no-status',
  'agent-disabled',
  'agent-not-running',
  'agent-timeout',
  'permission-denied',
  'agent-error',
  'agent-unsupported',
  'no-filesystems',
  'special-filesystems-only',
  'no-agent',
  'no-data',
])
export type DiskStatusReason = z.infer<typeof DiskStatusReason>

const mount = {
  mountpoint: z.optional(z.string()),
  type: z.optional(z.string()),
  device: z.optional(z.string()),
}
/** A file system. used, free and usage are absent where the agent reports only the size */
export const GuestDisk = z.extend(Usage, {
  ...mount,
  /** when it will be full; absent without a date */
  forecast: z.optional(Forecast),
})
export type GuestDisk = z.infer<typeof GuestDisk>

/** usage is -1 while unknown */
export const PlainGuestDisk = z.object({
  ...mount,
  total: Bytes,
  used: Bytes,
  free: Bytes,
  usage: z.number(),
})

export const NetworkInterface = z.object({
  name: z.string(),
  mac: z.optional(z.string()),
  addresses: z.optional(z.array(z.string())),
  /** cumulative since guest start */
  rxBytes: z.optional(Bytes),
  txBytes: z.optional(Bytes),
})
export type NetworkInterface = z.infer<typeof NetworkInterface>

/**
 * A virtual machine (qemu) or container (lxc). A sampled field is absent while unknown, because a rate needs
 * two samples.
 */
export const Guest = z.object({
  /** `{node}-{vmid}` if instance equals node, else `{instance}-{node}-{vmid}`; changes on migration */
  id: z.string(),
  instance: z.string(),
  node: z.string(),
  vmid: z.number(),
  name: z.string(),
  type: GuestType,
  /** running, stopped, unknown, or why a started VM does not run: paused, suspended, io-error, … */
  status: z.string(),
  /** fraction 0-1 of all assigned CPUs; 0 unless running, absent while unknown */
  cpu: z.optional(z.number()),
  cpus: z.number(),
  memory: z.optional(Memory),
  /** usage is absent while unknown (-1 on the plain wire) */
  disk: z.optional(Usage),
  disks: z.optional(z.array(GuestDisk)),
  diskStatusReason: z.optional(DiskStatusReason),
  ...forSampledGuestFields(() => z.optional(z.number())),
  /** absent unless running */
  startedAt: z.optional(EpochMs),
  template: z.boolean(),
  /** comma-separated, as on the wire */
  tags: z.optional(z.string()),
  lock: z.optional(z.string()),
  lastBackup: z.optional(EpochMs),
  /** when its disk will be full; absent without a date, and while it reports file systems, which have their own */
  forecast: z.optional(Forecast),
  ipAddresses: z.optional(z.array(z.string())),
  networkInterfaces: z.optional(z.array(NetworkInterface)),
  osName: z.optional(z.string()),
  osVersion: z.optional(z.string()),
  connectionHealth: z.optional(z.string()),
  ...fromSource,
})
export type Guest = z.infer<typeof Guest>

/** By guest id, or by `{node}-{vmid}`. */
export const GuestMetadata = z.object({
  id: z.string(),
  customUrl: z.optional(z.string()),
})
export type GuestMetadata = z.infer<typeof GuestMetadata>
