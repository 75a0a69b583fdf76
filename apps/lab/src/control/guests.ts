import { counterNames, isRunning, touchGuest } from '../estate/estate.ts'
import type { AgentState, Counter, Guest, GuestKind, GuestStatus } from '../estate/estate.ts'
import { aGuest, firstVmid, freshCounters } from '../estate/guest.ts'
import { debian12 } from '../estate/os.ts'
import { totalAt } from '../load/guest-reading.ts'
import { filesystemKinds } from '../pve/filesystems.ts'
import { hash } from '../random.ts'
import type { World } from '../world.ts'
import { aFlag, aNumber, aText, anInteger, check, ControlError, oneOf, orNull } from './check.ts'
import { findCluster, findGuest, findNode } from './find.ts'

/** Figures stay as set until they are set to `null`; everything else is changed for good. */
export interface GuestPatch {
  /** Fraction of the guest's cores. */
  cpu?: number | null
  /** Bytes. */
  memUsed?: number | null
  /** Bytes, on the root filesystem. */
  diskUsed?: number | null
  /** Bytes per second. */
  netInRate?: number | null
  netOutRate?: number | null
  diskReadRate?: number | null
  diskWriteRate?: number | null
  status?: GuestStatus
  /** Seconds; the counters start with it. */
  uptime?: number
  name?: string | null
  tags?: string | null
  lock?: string | null
  pool?: string | null
  template?: boolean
  agent?: AgentState
  /** What the agent reports: one of the kinds the error text lists. */
  filesystems?: string
  cores?: number
  maxMem?: number
  maxDisk?: number
  snapshots?: number
}

export interface NewGuest extends GuestPatch {
  vmid?: number
  kind?: GuestKind
  node?: string
}

/** A guest as the control API shows it. */
export interface GuestView {
  vmid: number
  kind: GuestKind
  name: string | undefined
  node: string
  status: GuestStatus
  template: boolean
  agent: AgentState
  filesystems: string
  os: string
  tags: string | undefined
  lock: string | undefined
  cores: number
  maxMem: number
  maxDisk: number
  pins: Record<string, number>
}

const rateCounters = {
  netInRate: 'netIn',
  netOutRate: 'netOut',
  diskReadRate: 'diskRead',
  diskWriteRate: 'diskWrite',
} as const satisfies Record<string, Counter>

const patchRules: Record<keyof GuestPatch, ReturnType<typeof aNumber>> = {
  cpu: orNull(aNumber(0, 1024)),
  memUsed: orNull(anInteger(0)),
  diskUsed: orNull(anInteger(0)),
  netInRate: orNull(aNumber(0)),
  netOutRate: orNull(aNumber(0)),
  diskReadRate: orNull(aNumber(0)),
  diskWriteRate: orNull(aNumber(0)),
  status: oneOf('running', 'stopped', 'paused'),
  uptime: anInteger(0),
  name: orNull(aText),
  tags: orNull(aText),
  lock: orNull(aText),
  pool: orNull(aText),
  template: aFlag,
  agent: oneOf('none', 'disabled', 'running', 'dead', 'hang'),
  filesystems: oneOf(...filesystemKinds),
  cores: anInteger(1, 1024),
  maxMem: anInteger(16 * 1024 * 1024),
  maxDisk: anInteger(0),
  snapshots: anInteger(0, 1000),
}

export interface GuestControl {
  guests(cluster?: string): GuestView[]
  guest(vmid: number, cluster?: string): GuestView
  patchGuest(vmid: number, patch: GuestPatch, cluster?: string): GuestView
  createGuest(spec: NewGuest, cluster?: string): GuestView
  deleteGuest(vmid: number, cluster?: string): void
  migrateGuest(vmid: number, toNode: string, cluster?: string): GuestView
}

export function createGuestControl(world: World): GuestControl {
  const { estate, readings, settings } = world
  const find = (vmid: number, cluster?: string) => findGuest(findCluster(estate, cluster), vmid)
  const start = (guest: Guest, atMs: number) => {
    guest.startedAtMs = atMs
    guest.counters = freshCounters()
  }

  const apply = (guest: Guest, patch: GuestPatch) => {
    for (const pin of ['cpu', 'memUsed', 'diskUsed'] as const) {
      const value = patch[pin]
      if (value === null) delete guest.pins[pin]
      else if (value !== undefined) guest.pins[pin] = value
    }
    if (patch.status !== undefined) {
      if (!isRunning(guest) && patch.status !== 'stopped') start(guest, settings.now())
      guest.status = patch.status
    }
    if (patch.uptime !== undefined) start(guest, readings.atMs() - patch.uptime * 1000)
    for (const [field, counter] of Object.entries(rateCounters) as [keyof typeof rateCounters, Counter][]) {
      const rate = patch[field]
      if (rate !== undefined) pinRate(guest, counter, rate, readings.atMs())
    }
    for (const field of ['name', 'tags', 'lock', 'pool'] as const) {
      const value = patch[field]
      if (value !== undefined) guest[field] = value ?? undefined
    }
    guest.template = patch.template ?? guest.template
    guest.agent = patch.agent ?? guest.agent
    guest.filesystems = patch.filesystems ?? guest.filesystems
    guest.cores = patch.cores ?? guest.cores
    guest.maxMemBytes = patch.maxMem ?? guest.maxMemBytes
    guest.maxDiskBytes = patch.maxDisk ?? guest.maxDiskBytes
    guest.snapshots = patch.snapshots ?? guest.snapshots
    touchGuest(guest)
    return view(guest)
  }

  return {
    guests: (cluster) => [...findCluster(estate, cluster).guests.values()].map(view),
    guest: (vmid, cluster) => view(find(vmid, cluster)),
    patchGuest: (vmid, patch, cluster) => apply(find(vmid, cluster), check('guest', patch, patchRules)),
    createGuest(spec, clusterName) {
      const cluster = findCluster(estate, clusterName)
      const { vmid = freeVmid(cluster.guests), kind = 'qemu', node: nodeName, ...patch } = check<NewGuest>('guest', spec, {
        ...patchRules,
        vmid: anInteger(firstVmid, 999_999_999),
        kind: oneOf('qemu', 'lxc'),
        node: aText,
      })
      if (cluster.guests.has(vmid)) throw new ControlError(409, `guest ${vmid} exists already`)
      const node = nodeName === undefined ? cluster.nodes[0]! : findNode(cluster, nodeName)
      const seed = hash(`${estate.seed}/${cluster.name}/created/${vmid}`) >>> 1
      const os = kind === 'qemu' ? debian12 : { ...debian12, configType: 'debian' }
      const guest = aGuest({ vmid, kind, node, os, seed, startedAtMs: settings.now() })
      cluster.guests.set(vmid, guest)
      return apply(guest, patch)
    },
    deleteGuest(vmid, cluster) {
      const guest = find(vmid, cluster)
      guest.node.cluster.guests.delete(vmid)
      touchGuest(guest)
    },
    migrateGuest(vmid, toNode, cluster) {
      const guest = find(vmid, cluster)
      const target = findNode(guest.node.cluster, toNode)
      if (!target.online) throw new ControlError(409, `node ${toNode} is offline`)
      guest.node = target
      // The process on the new node is a new one: its clock and counters start again.
      if (isRunning(guest)) start(guest, settings.now())
      touchGuest(guest)
      return view(guest)
    },
  }
}

function pinRate(guest: Guest, counter: Counter, bytesPerSecond: number | null, atMs: number): void {
  const state = guest.counters[counter]
  const before = totalAt(guest, counter, atMs)
  state.pinned = undefined
  if (bytesPerSecond === null) {
    state.offsetBytes += before - totalAt(guest, counter, atMs)
  } else {
    state.pinned = { sinceMs: atMs, fromBytes: before, bytesPerSecond }
  }
}

function freeVmid(taken: ReadonlyMap<number, unknown>): number {
  let vmid = firstVmid
  while (taken.has(vmid)) vmid++
  return vmid
}

function view(guest: Guest): GuestView {
  const rates = counterNames.flatMap((name) => {
    const { pinned } = guest.counters[name]
    return pinned ? [[`${name}Rate`, pinned.bytesPerSecond] as const] : []
  })
  return {
    vmid: guest.vmid,
    kind: guest.kind,
    name: guest.name,
    node: guest.node.name,
    status: guest.status,
    template: guest.template,
    agent: guest.agent,
    filesystems: guest.filesystems,
    os: guest.os.prettyName,
    tags: guest.tags,
    lock: guest.lock,
    cores: guest.cores,
    maxMem: guest.maxMemBytes,
    maxDisk: guest.maxDiskBytes,
    pins: { ...guest.pins, ...Object.fromEntries(rates) },
  }
}

/** Lets go of every pinned figure. */
export function unpinGuest(guest: Guest, atMs: number): void {
  guest.pins = {}
  for (const name of counterNames) {
    if (guest.counters[name].pinned) pinRate(guest, name, null, atMs)
  }
  touchGuest(guest)
}
