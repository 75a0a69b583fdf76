import type { Release } from './release.ts'
import type { Access } from '../access/access.ts'
import type { Certificate } from '../certificate.ts'
import type { GuestReading, NodeReading } from './reading.ts'
import type { Disk, Pool } from './disks.ts'
import type { Hardware } from './hardware.ts'
import type { Os } from './os.ts'

export interface Estate {
  seed: number
  clusters: Cluster[]
}

/** A PVE cluster, or a single host when `standalone`. */
export interface Cluster {
  name: string
  standalone: boolean
  release: Release
  configVersion: number
  quorate: boolean
  nodes: Node[]
  guests: Map<number, Guest>
  storages: Storage[]
  ceph: Ceph | undefined
  access: Access
  certificateAuthority: Certificate
  /** Incremented by every change of the control API; invalidates caches. */
  revision: number
}

export interface Node {
  name: string
  /** As in corosync.conf; 0 on a standalone host. */
  nodeId: number
  address: string
  online: boolean
  seed: number
  cluster: Cluster
  hardware: Hardware
  bootedAtMs: number
  certificate: Certificate
  disks: Disk[]
  pools: Pool[]
  pins: NodePins
  reading: NodeReading | undefined
}

export interface NodePins {
  cpu?: number
  memUsed?: number
  diskUsed?: number
  /** By device path. */
  disks?: Record<string, Partial<Disk>>
  /** By name. */
  pools?: Record<string, PoolPins>
  /** By job id: the error of its last run. */
  replication?: Record<string, string>
}

export interface PoolPins {
  health?: string
  /** The `errors` line of the pool. */
  errors?: string
  scan?: string
  /** Leaf devices, by a part of their name. */
  devices?: Record<string, DevicePins>
}

export interface DevicePins {
  state?: string
  read?: number
  write?: number
  cksum?: number
  msg?: string
}

export type GuestKind = 'qemu' | 'lxc'
export type GuestStatus = 'running' | 'stopped' | 'paused'
/** `none`: not configured; `dead`: configured, without an answer; `hang`: answers pings only. */
export type AgentState = 'none' | 'disabled' | 'running' | 'dead' | 'hang'

export interface Guest {
  vmid: number
  kind: GuestKind
  /** Absent when the configuration has no name. */
  name: string | undefined
  node: Node
  seed: number
  status: GuestStatus
  template: boolean
  startedAtMs: number
  cores: number
  cpuLimit: number | undefined
  maxMemBytes: number
  maxDiskBytes: number
  maxSwapBytes: number
  os: Os
  tags: string | undefined
  pool: string | undefined
  lock: string | undefined
  highlyAvailable: boolean
  onBoot: boolean
  description: string | undefined
  agent: AgentState
  filesystems: string
  /** Without the driver, memory is the host's view, which may exceed the maximum. */
  balloonDriver: boolean
  /** The share of its memory that the balloon leaves to the guest. */
  balloonShare: number
  interfaceCount: number
  storage: string
  snapshots: number
  /** The irregularity of its backups, now and originally. */
  fate: Fate
  ownFate: Fate
  character: Character
  pins: GuestPins
  counters: Record<Counter, CounterState>
  /** A cache, cleared by `touchGuest`. */
  reading: GuestReading | undefined
}

export const counterNames = ['netIn', 'netOut', 'diskRead', 'diskWrite'] as const
export type Counter = (typeof counterNames)[number]

export interface CounterState {
  /** Added to the curve so that a counter continues from its value when a pinned rate is cleared. */
  offsetBytes: number
  pinned: { sinceMs: number; fromBytes: number; bytesPerSecond: number } | undefined
}

export interface GuestPins {
  cpu?: number
  memUsed?: number
  memCached?: number
  diskUsed?: number
}

/** The average load of a guest: fractions of its limits, rates in bytes per second. */
export interface Character {
  quiet: boolean
  cpuBase: number
  memBase: number
  diskBase: number
  netInRate: number
  netOutRate: number
  diskReadRate: number
  diskWriteRate: number
  /** Phase in the day, in radians. */
  phase: number
}

export type StorageType = 'dir' | 'zfspool' | 'lvmthin' | 'nfs' | 'cifs' | 'pbs' | 'rbd' | 'cephfs'

export interface Storage {
  name: string
  type: StorageType
  shared: boolean
  disabled: boolean
  content: readonly string[]
  /** Names of the nodes it is restricted to. */
  nodes: readonly string[] | undefined
  config: Readonly<Record<string, string>>
  totalBytes: number
  seed: number
  /** Seconds after midnight UTC when the nightly backups begin. */
  nightlyAtSeconds: number
  /** Whether the storage's server answers; default: yes. */
  isReachable?: () => boolean
  /** The node on which the storage is enabled but missing. */
  absentOn?: string
  /** By node name; a shared storage also has one entry per node. */
  pins: Map<string, StoragePins>
}

export interface StoragePins {
  usedBytes?: number
  totalBytes?: number
  active?: boolean
}

export interface Ceph {
  fsid: string
  seed: number
  pools: readonly CephPool[]
  osds: readonly Osd[]
  pins: CephPins
}

export interface CephPool {
  id: number
  name: string
  /** The number of copies. */
  size: number
  pgs: number
  application: 'rbd' | 'cephfs' | 'mgr'
  /** The share of all used space. */
  share: number
}

export interface Osd {
  id: number
  node: Node
  bytes: number
}

export interface CephCheck {
  severity: 'HEALTH_WARN' | 'HEALTH_ERR'
  message: string
  count?: number
}

export interface CephPins {
  /** Checks by code, in addition to those for OSDs and monitors that are down. */
  checks?: Record<string, CephCheck>
  downOsds?: readonly number[]
  /** Fraction of the raw space. */
  used?: number
}

export const isRunning = (guest: Guest): boolean => guest.status !== 'stopped'

/** Clears caches, because changes of the control API must apply to the next answer. */
export function touchGuest(guest: Guest): void {
  guest.reading = undefined
  touchCluster(guest.node.cluster)
}

export function touchCluster(cluster: Cluster): void {
  cluster.revision++
}

/** Irregularities of the backups of one guest. */
export interface Fate {
  /** The guest has no backups, and no job includes it. */
  none?: true
  /** No backup for at least this many days. */
  staleDays?: number
  /** Verification result of its newest backup; `none`: not verified. */
  verification?: 'ok' | 'failed' | 'none'
  /** The error text of its last backup, which failed. */
  fails?: string
}
