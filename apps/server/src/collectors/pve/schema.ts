import * as z from 'zod/mini'
import {
  bytes,
  flag,
  nameList,
  nodeName,
  num,
  text,
  tolerant,
  tolerantList,
  tolerantObject,
  toFlag,
  toNumber,
  toUptime,
} from '../proxmox/schema.ts'

export { PveGuest } from './guest-line.ts'
export { readInSteps, readList, readLooseList, readOne } from '../proxmox/schema.ts'

export const vmid = z.pipe(
  z.pipe(z.unknown(), z.transform(toNumber)),
  z.int().check(z.gte(1), z.lte(999_999_999)),
)
export const storageName = z.string().check(z.minLength(1), z.maxLength(200))

export const PveNode = z.object({
  node: nodeName,
  status: text,
  cpu: num,
  maxcpu: bytes,
  mem: bytes,
  maxmem: bytes,
  disk: bytes,
  maxdisk: bytes,
  uptime: tolerant(toUptime),
  ssl_fingerprint: text,
})
export type PveNode = z.infer<typeof PveNode>

export const PveStorageEntry = z.object({
  storage: storageName,
  node: nodeName,
  status: text,
  plugintype: text,
  content: text,
  shared: flag,
  disk: bytes,
  maxdisk: bytes,
})
export type PveStorageEntry = z.infer<typeof PveStorageEntry>

/** A node or storage line of /cluster/resources. Lines of other types (pool, sdn, network) are ignored. */
export const PveResource = z.discriminatedUnion('type', [
  z.extend(PveNode, { type: z.literal('node') }),
  z.extend(PveStorageEntry, { type: z.literal('storage') }),
])
export type PveResource = z.infer<typeof PveResource>

const memory = z.object({
  total: bytes,
  used: bytes,
  free: bytes,
  available: bytes,
  avail: bytes,
  buffers: bytes,
  cached: bytes,
})
export type PveNodeMemory = z.infer<typeof memory>

const loadOf = (value: unknown): number[] => {
  const load = toNumber(value)
  return load === undefined ? [] : [Math.max(0, load)]
}

export const PveNodeStatus = z.object({
  memory: tolerantObject(memory),
  rootfs: tolerantObject(z.object({ total: bytes, used: bytes })),
  swap: tolerantObject(z.object({ total: bytes, used: bytes })),
  loadavg: tolerant((value) => (Array.isArray(value) ? value.flatMap(loadOf) : [])),
  kversion: text,
  pveversion: text,
  cpuinfo: tolerantObject(z.object({ model: text, cores: bytes, cpus: bytes, sockets: bytes, mhz: text })),
})
export type PveNodeStatus = z.infer<typeof PveNodeStatus>

export const PveStorageConfig = z.object({
  storage: storageName,
  type: text,
  content: text,
  /** only these nodes may use it */
  nodes: nameList,
  shared: flag,
  disable: flag,
  /** for type zfspool: `rpool/data` */
  pool: text,
  /** these three only for type pbs */
  server: text,
  datastore: text,
  namespace: text,
  /** the storage is a directory with its own mount; a path also means yes */
  is_mountpoint: tolerant(
    (value) => toFlag(value) ?? (typeof value === 'string' && /^(yes|on|true|\/)/.test(value)),
  ),
})
export type PveStorageConfig = z.infer<typeof PveStorageConfig>

export const PveNodeStorage = z.object({
  storage: storageName,
  type: text,
  content: text,
  shared: flag,
  enabled: flag,
  active: flag,
  total: bytes,
  used: bytes,
  avail: bytes,
})
export type PveNodeStorage = z.infer<typeof PveNodeStorage>

export const PveClusterEntry = z.object({
  type: z.enum(['cluster', 'node']),
  name: text,
  nodeid: num,
  ip: text,
  online: flag,
  local: flag,
  quorate: flag,
})
export type PveClusterEntry = z.infer<typeof PveClusterEntry>

export const PveGuestStatus = z.object({
  status: text,
  /** QEMU's own state, which the listing lacks */
  qmpstatus: text,
  lock: text,
  uptime: tolerant(toUptime),
  mem: bytes,
  maxmem: bytes,
  freemem: bytes,
  balloon: bytes,
  ballooninfo: tolerantObject(z.object({ actual: bytes, total_mem: bytes, free_mem: bytes })),
  meminfo: tolerantObject(z.object({ available: bytes, free: bytes, buffers: bytes, cached: bytes })),
  swap: bytes,
  maxswap: bytes,
  netin: bytes,
  netout: bytes,
  diskread: bytes,
  diskwrite: bytes,
  /** a number up to PVE 8.2, an object since; absent when not configured */
  agent: tolerant((value) => {
    const enabled = typeof value === 'object' && value !== null && 'enabled' in value ? value.enabled : value
    return (toNumber(enabled) ?? 0) > 0
  }),
})
export type PveGuestStatus = z.infer<typeof PveGuestStatus>

export const PveFilesystem = z.object({
  name: text,
  mountpoint: text,
  type: text,
  'total-bytes': bytes,
  'used-bytes': bytes,
  disk: tolerantList(z.object({ dev: text, serial: text, 'bus-type': text, target: num })),
})
export type PveFilesystem = z.infer<typeof PveFilesystem>

/** The agent's form and, since PVE 8.4, the container's. `hwaddr`, `inet` and `inet6` are older. */
export const PveInterface = z.object({
  name: text,
  'hardware-address': text,
  'ip-addresses': tolerantList(z.object({ 'ip-address': text })),
  statistics: tolerantObject(z.object({ 'rx-bytes': bytes, 'tx-bytes': bytes })),
  hwaddr: text,
  inet: text,
  inet6: text,
})
export type PveInterface = z.infer<typeof PveInterface>

export const PveOs = z.object({
  id: text,
  name: text,
  'pretty-name': text,
  version: text,
  'version-id': text,
  'kernel-release': text,
  'kernel-version': text,
})
export type PveOs = z.infer<typeof PveOs>

export const PveRrdPoint = z.object({ time: num, memavailable: bytes, memtotal: bytes })
export type PveRrdPoint = z.infer<typeof PveRrdPoint>
