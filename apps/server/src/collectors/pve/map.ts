import type { ConnectionHealth, Guest, Memory, Node, Usage } from '@pulse/contract'
import { usageOf } from '@pulse/domain'
import { type SharedByRecords, shownAt } from '../publish-source.ts'
import type { GuestFacts } from './guest-facts.ts'
import { fractionOf, listedGauges } from './guest-line.ts'
import { toMemory } from './memory.ts'
import type { NodeFacts } from './node-facts.ts'

/** Shared by all records of one cluster. */
export interface MapContext extends Omit<SharedByRecords, 'name'> {
  /** the connection's name */
  instance: string
  clusterName: string | undefined
  /** absent while unknown; a named one is a cluster */
  isCluster?: boolean | undefined
  /** the last time that offline nodes were online; monotonic */
  lost?: ReadonlyMap<string, number | undefined>
}

export const nodeKey = (source: string, node: string): string => `${source}:${node}`
/** Without the node, because a guest that migrates stays the same guest. */
export const guestKey = (source: string, vmid: number): string => `${source}:${vmid}`

export function toNode(facts: NodeFacts, context: MapContext, now = -Infinity): Node {
  const { name, listed, status, online, startedAt } = facts
  const stale = online && now <= facts.freshUntil ? undefined : facts.seenAt
  const isOld = now > facts.reportedUntil
  const memory = memoryOf(facts, isOld)
  const disk = diskOf(facts, isOld)
  const age = (at: number | undefined) => (at === undefined ? {} : { staleSince: shownAt(at, context) })
  const cpu = online ? listed?.cpu && fractionOf(listed.cpu) : 0
  const cpuInfo = cpuInfoOf(facts)
  return {
    id: `${context.instance}-${name}`,
    instance: context.instance,
    node: name,
    name,
    displayName: facts.displayName,
    ...(facts.host && { host: facts.host }),
    type: 'node',
    status: online ? 'online' : facts.listedStatus === 'unknown' ? 'unknown' : 'offline',
    ...(cpu !== undefined && { cpu }),
    ...(memory.value && { memory: { ...memory.value, ...age(memory.staleSince) } }),
    ...(disk.value && { disk: { ...disk.value, ...age(disk.staleSince) } }),
    ...(online && startedAt !== undefined && { startedAt: shownAt(startedAt, context) }),
    loadAverage: online && !isOld ? (status?.loadavg ?? []) : [],
    ...(status?.kversion && { kernelVersion: status.kversion }),
    ...(status?.pveversion && { pveVersion: status.pveversion }),
    ...(cpuInfo && { cpuInfo }),
    connectionHealth: nodeHealth(facts),
    ...(facts.withheld !== undefined && { withheld: facts.withheld }),
    ...(context.clusterName !== undefined
      ? { isClusterMember: true, clusterName: context.clusterName }
      : context.isCluster !== undefined && { isClusterMember: context.isCluster }),
    source: context.source,
    ...age(stale),
  }
}

/** A value. If it is too old, it includes the time when it was last current. */
interface Aged<T> {
  value: T | undefined
  staleSince?: number | undefined
}

function memoryOf({ memory, status, statusAt }: NodeFacts, isOld: boolean): Aged<Memory> {
  const isListed = memory?.source === 'list'
  const swap = { swapUsed: status?.swap?.used, swapTotal: status?.swap?.total }
  return {
    value: toMemory(memory, memory?.total, isListed ? {} : swap),
    staleSince: isOld && !isListed ? statusAt : undefined,
  }
}

/** The node's own figure. If that is old, the listing has the same figure. */
function diskOf({ status, statusAt, listed }: NodeFacts, isOld: boolean): Aged<Usage> {
  const own = spaceOf(status?.rootfs?.total, status?.rootfs?.used)
  if (own && !isOld) return { value: own }
  const other = spaceOf(listed?.maxdisk, listed?.disk)
  return other || !own ? { value: other } : { value: own, staleSince: statusAt }
}

function spaceOf(total: number | undefined, used: number | undefined): Usage | undefined {
  if (!total) return undefined
  return used === undefined ? { total } : usageOf(Math.min(used, total), total)
}

function cpuInfoOf({ listed, status }: NodeFacts): Node['cpuInfo'] {
  const { model, cores, cpus, sockets, mhz } = status?.cpuinfo ?? {}
  const logical = listed?.maxcpu ?? cpus ?? cores
  const known = {
    ...(model && { model }),
    ...(logical && { cores: logical }),
    ...(sockets && { sockets }),
    ...(mhz && { mhz }),
  }
  return Object.keys(known).length > 0 ? known : undefined
}

/** An error here raises the alert for an unreachable node. A node that withholds details is degraded. */
function nodeHealth(facts: NodeFacts): ConnectionHealth {
  if (!facts.online) return 'offline'
  return facts.silent ? 'degraded' : 'healthy'
}

export function toGuest(facts: GuestFacts, context: MapContext): Guest {
  const { raw, node, vmid, rates } = facts
  const isStarted = facts.status === 'running'
  const status = isStarted ? (facts.halted ?? facts.status) : facts.status
  const running = status === 'running'
  const stale = earliest(facts.staleSince, context.lost?.get(node))
  const { diskRead, diskWrite, networkIn, networkOut } = rates
  const isVm = raw.type === 'qemu'
  const memory = toMemory(
    isStarted || status === 'unknown' ? facts.memory : { used: 0, source: 'mem', trusted: true },
    raw.maxmem,
    isStarted
      ? {
          balloon: facts.balloon,
          swapUsed: facts.swapUsed,
          swapTotal: facts.swapTotal,
          estimate: facts.memoryEstimate,
        }
      : {},
  )
  const disk = isVm ? vmDisk(facts) : containerDisk(facts)
  const tags = toTags(raw.tags)
  const { network, os } = facts
  return {
    id: context.instance === node ? `${node}-${vmid}` : `${context.instance}-${node}-${vmid}`,
    instance: context.instance,
    node,
    vmid,
    name: raw.name?.trim() || `${isVm ? 'VM' : 'CT'} ${vmid}`, // as in PVE's own interface
    type: raw.type,
    status,
    ...(running ? listedGauges(raw) : { cpu: 0 }),
    cpus: raw.maxcpu ?? 0,
    ...(memory && { memory }),
    ...disk,
    ...(running && diskRead !== undefined && { diskRead }),
    ...(running && diskWrite !== undefined && { diskWrite }),
    ...(running && networkIn !== undefined && { networkIn }),
    ...(running && networkOut !== undefined && { networkOut }),
    ...(isStarted && facts.run && { startedAt: shownAt(facts.run.startedAt, context) }),
    template: false,
    ...(tags && { tags }),
    ...(facts.lock && { lock: facts.lock }),
    ...(network && network.addresses.length > 0 && { ipAddresses: network.addresses }),
    ...(network && network.interfaces.length > 0 && { networkInterfaces: network.interfaces }),
    ...(os?.name && { osName: os.name }),
    ...(os?.version && { osVersion: os.version }),
    connectionHealth: context.health,
    source: context.source,
    ...(stale !== undefined && { staleSince: shownAt(stale, context) }),
  }
}

/** PVE does not know the usage of a VM's file systems. It comes from the agent, or stays unknown. */
function vmDisk({
  raw,
  status,
  disks,
  diskReason,
}: GuestFacts): Pick<Guest, 'disk' | 'disks' | 'diskStatusReason'> {
  const allocated = raw.maxdisk ?? 0
  if (status === 'stopped') return { disk: usageOf(0, allocated), diskStatusReason: 'vm-stopped' }
  return {
    disk: disks?.used === undefined ? { total: disks?.total ?? allocated } : usageOf(disks.used, disks.total),
    ...(disks && { disks: disks.disks }),
    ...(diskReason && { diskStatusReason: diskReason }),
  }
}

/** A running container has files, so 0 means that they were not counted. */
function containerDisk({ raw, status }: GuestFacts): Pick<Guest, 'disk'> {
  const total = raw.maxdisk ?? 0
  const isUnknown = raw.disk === undefined || (raw.disk === 0 && status === 'running')
  return { disk: isUnknown ? { total } : usageOf(Math.min(raw.disk!, total), total) }
}

/** PVE separates by `;`, older versions by `,` and blanks. A single blank means none. The wire has commas. */
export const toTags = (tags: string | undefined): string =>
  (tags ?? '')
    .split(/[;,\s]+/)
    .filter(Boolean)
    .join(',')

const earliest = (...times: (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
