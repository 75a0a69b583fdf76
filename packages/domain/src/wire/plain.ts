import type {
  Guest,
  Meta,
  Node,
  PlainContainer,
  PlainNode,
  PlainState,
  PlainStorage,
  PlainVm,
  Storage,
  Usage,
} from '@pulse/contract'
import type { Records } from '../state/patch.ts'
import type { Tables } from '../state/tables.ts'

/** The documented form of the state: names, nesting and units of `/api/state`, `initialState` and `rawData`. */
export function toPlain(tables: Tables, meta: Meta, nowMs: number): PlainState {
  const seen = (source: string) => tables.sources.get(source)?.lastSeen ?? 0
  const guests = values(tables.guests).sort(byVmid)
  const pve = [...tables.pveBackups.values()]
  const pveBackups = {
    backupTasks: pve.flatMap((b) => (b.list === 'backupTasks' ? [bare(b)] : [])),
    storageBackups: pve.flatMap((b) => (b.list === 'storageBackups' ? [bare(b)] : [])),
    guestSnapshots: pve.flatMap((b) => (b.list === 'guestSnapshots' ? [bare(b)] : [])),
  }
  const pbsBackups = values(tables.pbsBackups).map((backup) => without(bare(backup), 'listedBy'))
  const pmgBackups = values(tables.pmgBackups).map(bare)
  return {
    nodes: values(tables.nodes)
      .sort(byName)
      .map((n) => plainNode(n, lastSeen(n, seen(n.source)), nowMs)),
    vms: guests.filter(isVm).map((guest) => plainGuest(guest, seen(guest.source), nowMs) as PlainVm),
    containers: guests
      .filter(isContainer)
      .map((guest) => plainGuest(guest, seen(guest.source), nowMs) as PlainContainer),
    dockerHosts: values(tables.dockerHosts)
      .sort((a, b) => compare(a.hostname, b.hostname))
      .map((host) => ({
        ...bare(host),
        containers: values(tables.dockerContainers).flatMap((c) =>
          c.host === host.id ? [without(bare(c), 'host')] : [],
        ),
      })),
    storage: values(tables.storage)
      .sort((a, b) => compare(a.instance, b.instance) || compare(a.name, b.name))
      .map(plainStorage),
    cephClusters: values(tables.cephClusters).map(bare),
    physicalDisks: values(tables.physicalDisks)
      .sort((a, b) => compare(a.node, b.node) || compare(a.devPath, b.devPath))
      .map(bare),
    pbs: values(tables.pbs).map((server) => ({
      ...bare(server),
      datastores: values(tables.datastores).flatMap((d) =>
        d.server === server.id ? [without(bare(d), 'server')] : [],
      ),
    })),
    pmg: values(tables.pmg).map(bare),
    pbsBackups,
    pmgBackups,
    pveBackups,
    backups: { pve: pveBackups, pbs: pbsBackups, pmg: pmgBackups },
    activeAlerts: values(tables.activeAlerts),
    recentlyResolved: values(tables.recentlyResolved),
    metrics: [],
    performance: meta.performance,
    connectionHealth: connectionHealth(tables.sources),
    stats: plainStats(meta, nowMs),
    lastUpdate: Math.max(0, ...values(tables.sources).map((source) => source.lastSeen ?? 0)),
  }
}

/** By the name of each source, whether it answers. */
const connectionHealth = (sources: Tables['sources']): PlainState['connectionHealth'] =>
  Object.fromEntries(values(sources).map(({ name, health }) => [name, health !== 'error']))

/** 0 for one that was off whenever somebody looked. */
const lastSeen = ({ staleSince, status }: Node, answeredAt: number) =>
  staleSince ?? (status === 'online' ? answeredAt : 0)

function plainNode(node: Node, lastSeen: number, nowMs: number): PlainNode {
  const { source: _source, startedAt, memory, disk, cpuInfo, kernelVersion, pveVersion, ...rest } = node
  return {
    ...rest,
    cpu: node.cpu ?? 0,
    ...(memory && memory.total > 0 ? { memory } : {}),
    mem: memory?.used ?? 0,
    maxmem: memory?.total ?? 0,
    ...(disk && disk.total > 0 ? { disk: plainUsage(disk) } : {}),
    maxdisk: disk?.total ?? 0,
    uptime: uptimeSeconds(startedAt, nowMs),
    kernelVersion: kernelVersion ?? '',
    pveVersion: pveVersion ?? '',
    cpuInfo: {
      model: cpuInfo?.model ?? '',
      cores: cpuInfo?.cores ?? 0,
      sockets: cpuInfo?.sockets ?? 0,
      mhz: cpuInfo?.mhz ?? '',
    },
    lastSeen,
  }
}

/** Unknown figures are 0 on the documented wire. */
const plainStorage = ({ source: _source, ...storage }: Storage): PlainStorage => ({
  ...storage,
  total: storage.total ?? 0,
  used: storage.used ?? 0,
  avail: storage.avail ?? 0,
  free: storage.free ?? 0,
  usage: storage.usage ?? 0,
})

type TimedField = 'uptime' | 'lastSeen'
type PlainGuest = PlainVm | PlainContainer

const plainGuest = (guest: Guest, answeredAt: number, nowMs: number): PlainGuest =>
  ({ ...plainGuestBody(guest), ...plainGuestTimes(guest, answeredAt, nowMs) }) as PlainGuest

/** What of a guest changes only when its record does. */
export function plainGuestBody(guest: Guest): Omit<PlainGuest, TimedField> {
  const { source: _source, startedAt: _startedAt, memory, disk, disks, ...rest } = guest
  return {
    ...rest,
    cpu: guest.cpu ?? 0,
    ...(disks && { disks: disks.map((one) => ({ ...one, ...plainUsage(one) })) }),
    ...(memory && memory.total > 0 ? { memory } : {}),
    mem: memory?.used ?? 0,
    maxmem: memory?.total ?? 0,
    ...(disk && disk.total > 0 ? { disk: plainUsage(disk) } : {}),
    maxdisk: disk?.total ?? 0,
    networkIn: Math.round(guest.networkIn ?? 0),
    networkOut: Math.round(guest.networkOut ?? 0),
    diskRead: Math.round(guest.diskRead ?? 0),
    diskWrite: Math.round(guest.diskWrite ?? 0),
  }
}

/** What of a guest changes with time alone, or with the newest answer of its source. */
export function plainGuestTimes(
  guest: Guest,
  answeredAt: number,
  nowMs: number,
): Pick<PlainGuest, TimedField> {
  return { uptime: uptimeSeconds(guest.startedAt, nowMs), lastSeen: guest.staleSince ?? answeredAt }
}

export function plainStats({ stats }: Meta, nowMs: number): Meta['stats'] {
  return { ...stats, uptime: Math.max(0, (nowMs - Date.parse(stats.startTime)) / 1000) }
}

export const byVmid = (a: Guest, b: Guest): number => a.vmid - b.vmid
const isVm = ({ type }: Guest) => type === 'qemu'
const isContainer = ({ type }: Guest) => type === 'lxc'

/** An unknown usage is -1 on the documented wire. */
const plainUsage = (usage: Usage) => ({
  total: usage.total,
  used: usage.used ?? 0,
  free: usage.free ?? 0,
  usage: usage.usage ?? -1,
  ...(usage.staleSince !== undefined && { staleSince: usage.staleSince }),
})

const uptimeSeconds = (startedAt: number | undefined, nowMs: number) =>
  startedAt === undefined ? 0 : Math.max(0, Math.round((nowMs - startedAt) / 1000))

const values = <T>(records: Records<T>): T[] => [...records.values()]
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name)

function without<T extends object, K extends keyof T>(record: T, key: K): Omit<T, K> {
  const { [key]: _dropped, ...rest } = record
  return rest
}

function bare<T extends { source: string; staleSince?: number | undefined }>(record: T) {
  const { source: _source, staleSince: _stale, ...rest } = record
  return rest
}
