import { isRunning, touchGuest } from '../estate/estate.ts'
import type { Guest } from '../estate/estate.ts'
import { aGuest, firstVmid } from '../estate/guest.ts'
import { debian12 } from '../estate/os.ts'
import { readGuest } from '../load/guest-reading.ts'
import { memoryInside } from '../pve/agent-files.ts'
import { hash } from '../random.ts'
import type { World } from '../world.ts'
import { check, ControlError } from './check.ts'
import { findCluster, findGuest, findNode } from './find.ts'
import { fateRules, newGuestRules, patchRules } from './guest-patch.ts'
import type { GuestPatch, NewGuest } from './guest-patch.ts'
import { pinFigures, startGuest } from './guest-pins.ts'
import { viewGuest } from './guest-view.ts'
import type { GuestView } from './guest-view.ts'

/** Memory as the hypervisor counts it, page cache included, and as the guest counts it. */
export interface GuestMemory {
  hypervisorBytes: number
  totalBytes: number
  freeBytes: number
  availableBytes: number
}

export interface GuestControl {
  guests(cluster?: string): GuestView[]
  guest(vmid: number, cluster?: string): GuestView
  /** The current value, also between two measurements. */
  guestMemory(vmid: number, cluster?: string): GuestMemory
  patchGuest(vmid: number, patch: GuestPatch, cluster?: string): GuestView
  createGuest(spec: NewGuest, cluster?: string): GuestView
  deleteGuest(vmid: number, cluster?: string): void
  migrateGuest(vmid: number, toNode: string, cluster?: string): GuestView
}

export function createGuestControl(world: World): GuestControl {
  const { estate, readings, settings } = world
  const find = (vmid: number, cluster?: string) => findGuest(findCluster(estate, cluster), vmid)

  const apply = (guest: Guest, patch: GuestPatch) => {
    if (patch.status !== undefined) {
      if (!isRunning(guest) && patch.status !== 'stopped') startGuest(guest, settings.now())
      guest.status = patch.status
    }
    if (patch.uptime !== undefined) startGuest(guest, readings.atMs() - patch.uptime * 1000)
    pinFigures(guest, patch, readings.atMs())
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
    if (patch.backup !== undefined) {
      guest.fate = patch.backup === null ? guest.ownFate : check('guest.backup', patch.backup, fateRules)
    }
    guest.snapshots = patch.snapshots ?? guest.snapshots
    touchGuest(guest)
    return viewGuest(guest)
  }

  return {
    guests: (cluster) => [...findCluster(estate, cluster).guests.values()].map(viewGuest),
    guest: (vmid, cluster) => viewGuest(find(vmid, cluster)),
    guestMemory(vmid, cluster) {
      const guest = find(vmid, cluster)
      const reading = readGuest(guest, settings.now())
      return { hypervisorBytes: reading.memBytes, ...memoryInside(guest, reading) }
    },
    patchGuest: (vmid, patch, cluster) => apply(find(vmid, cluster), check('guest', patch, patchRules)),
    createGuest(spec, clusterName) {
      const cluster = findCluster(estate, clusterName)
      const {
        vmid = freeVmid(cluster.guests),
        kind = 'qemu',
        node: nodeName,
        ...patch
      } = check<NewGuest>('guest', spec, newGuestRules)
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
      // The new node starts a new process, so its uptime and counters restart.
      if (isRunning(guest)) startGuest(guest, settings.now())
      touchGuest(guest)
      return viewGuest(guest)
    },
  }
}

function freeVmid(taken: ReadonlyMap<number, unknown>): number {
  let vmid = firstVmid
  while (taken.has(vmid)) vmid++
  return vmid
}
