import type { Datastore, Memory, Node, PbsServer, Usage } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { displayName } from '../../lib/display-name.ts'
import type { LiveReader } from '../../live/store.ts'
import { webUrl } from '../../lib/links.ts'
import { extraName, shortVersion } from '../nodes/names.ts'
import type { AlertLevel } from '../alerts/alert-levels.ts'
import { type Trouble, troubleOf } from '../alerts/attention.ts'
import { machineState, machineStates } from '../nodes/status.ts'

/** Used and total in bytes, percent 0-100. */
export interface SummaryUsage {
  percent: number
  used: number
  total: number
  /** for this figure only: epoch ms since when it is stale */
  staleSince: number | undefined
}

/** A node or a backup server. Figures are absent while unknown or offline. */
export interface SummaryRow {
  kind: 'pve' | 'pbs'
  source: string
  /** the id in alerts */
  wireId: string
  online: boolean
  /** offline: its cluster reports it as off. unreachable: its source does not answer */
  outage: 'offline' | 'unreachable' | undefined
  name: string
  extraName: string | undefined
  url: string | undefined
  version: string | undefined
  cluster: string | undefined
  /** epoch ms */
  startedAt: number | undefined
  cpuPercent: number | undefined
  cores: number | undefined
  memory: SummaryUsage | undefined
  disk: SummaryUsage | undefined
  temperature: number | undefined
  temperatureRange: { min: number | undefined; max: number | undefined } | undefined
  counts: Counts
  /** absent while it is offline */
  staleSince: number | undefined
  /** epoch ms; only while it is offline, and only if Pulse saw it online */
  offlineSince: number | undefined
  /** data that the account may not read */
  withheld: string | undefined
}

export type CountId = 'vms' | 'containers' | 'storage' | 'disks' | 'backups'
export type Counts = Partial<Record<CountId, number>>

/** Counts by row: by `nodeKey` for nodes, by store id for backup servers. */
export type CountsByRow = ReadonlyMap<string, Counts>

export function sameCounts(a: CountsByRow, b: CountsByRow): boolean {
  if (a.size !== b.size) return false
  for (const [key, counts] of a) if (!isEqual(counts, b.get(key))) return false
  return true
}

export type SummaryRowKey = `pve:${string}` | `pbs:${string}`

/**
 * The reason for attention, if any. `broken`: one of its storages or disks needs attention. `raised` is added
 * to its figures, for hysteresis.
 */
export function rowTrouble(
  row: SummaryRow,
  { alert, broken, raised = 0 }: { alert: AlertLevel | undefined; broken: boolean; raised?: number },
): Trouble | undefined {
  const raise = (figure: number | undefined) => (figure === undefined ? undefined : figure + raised)
  return troubleOf({
    down: row.outage !== undefined,
    stale: row.staleSince !== undefined,
    fault: broken,
    alert,
    figures: {
      cpu: raise(row.cpuPercent),
      memory: raise(row.memory?.percent),
      disk: raise(row.disk?.percent),
      nodeTemperature: raise(row.temperature),
    },
  })
}

type Described = Omit<SummaryRow, 'counts'>

/** A changed node is a new object. */
const described = new WeakMap<Node, Described>()

/** Computed once per change of the node. */
export function describeNode(node: Node, counts: Counts): SummaryRow {
  let row = described.get(node)
  if (!row) described.set(node, (row = workedOut(node)))
  return { ...row, counts }
}

function workedOut(node: Node): Described {
  const { isOnline, hasFigures, outage } = machineStates[machineState(node)]
  const name = displayName(node)
  return {
    kind: 'pve',
    source: node.source,
    wireId: node.id,
    online: isOnline,
    outage,
    name,
    extraName: extraName(node),
    url: webUrl(node.host, node.name, 'pve'),
    version: shortVersion(node.pveVersion),
    cluster: clusterBadge(node),
    startedAt: hasFigures ? node.startedAt : undefined,
    cpuPercent: hasFigures && node.cpu !== undefined ? clampPercent(node.cpu * 100) : undefined,
    cores: node.cpuInfo?.cores,
    memory: hasFigures ? toUsage(node.memory) : undefined,
    disk: hasFigures ? toUsage(node.disk) : undefined,
    temperature: hasFigures ? cpuTemperature(node) : undefined,
    temperatureRange: { min: node.temperature?.cpuMin, max: node.temperature?.cpuMaxRecord },
    staleSince: node.status === 'online' ? node.staleSince : undefined,
    offlineSince: hasFigures ? undefined : node.staleSince,
    withheld: node.withheld,
  }
}

export function describeServer(
  server: PbsServer,
  datastores: readonly Pick<Datastore, 'used' | 'total'>[],
  counts: Counts,
): SummaryRow {
  const { isOnline, hasFigures, outage } = machineStates[machineState(server)]
  const used = datastores.reduce((sum, store) => sum + (store.used ?? 0), 0)
  const total = datastores.reduce((sum, store) => sum + (store.total ?? 0), 0)
  return {
    kind: 'pbs',
    source: server.source,
    wireId: server.id,
    online: isOnline,
    outage,
    name: displayName(server),
    extraName: undefined,
    url: webUrl(server.host, server.name, 'pbs'),
    version: shortVersion(server.version),
    cluster: undefined,
    startedAt: hasFigures ? server.startedAt : undefined,
    cpuPercent: hasFigures && server.cpu !== undefined ? clampPercent(server.cpu * 100) : undefined,
    cores: undefined,
    memory: hasFigures ? toUsage({ used: server.memoryUsed, total: server.memoryTotal ?? 0 }) : undefined,
    disk: hasFigures ? toUsage({ used, total }) : undefined,
    temperature: undefined,
    temperatureRange: undefined,
    counts,
    staleSince: hasFigures ? server.staleSince : undefined,
    offlineSince: hasFigures ? undefined : server.staleSince,
    withheld: server.withheld,
  }
}

function toUsage(
  usage: Pick<Usage | Memory, 'used' | 'total' | 'staleSince'> | undefined,
): SummaryUsage | undefined {
  if (!usage || usage.used === undefined || usage.total <= 0) return undefined
  const { used, total, staleSince } = usage
  return { used, total, percent: clampPercent((used / total) * 100), staleSince }
}

/** Undefined if Pulse could not read whether there is a cluster. */
export function clusterBadge({
  isClusterMember,
  clusterName,
}: Pick<Node, 'isClusterMember' | 'clusterName'>): string | undefined {
  if (isClusterMember === undefined) return undefined
  return isClusterMember ? clusterName || 'Cluster' : 'Standalone'
}

const clampPercent = (percent: number): number => Math.min(100, Math.max(0, percent))

/** The package sensor, or else the hottest core. */
export function cpuTemperature({ temperature }: Pick<Node, 'temperature'>): number | undefined {
  if (!temperature?.available || !temperature.hasCPU) return undefined
  const cores = temperature.cores?.map((core) => core.temp) ?? []
  return [temperature.cpuPackage, temperature.cpuMax, Math.max(0, ...cores)].find((celsius) => celsius)
}

/** `server` in a datastore is the id of its server's record. */
export function datastoresOf(live: LiveReader, serverId: string): readonly Datastore[] {
  const wireId = live.get('pbs', serverId)?.id
  return [...live.records('datastores').values()].filter(
    ({ server }) => server === serverId || server === wireId,
  )
}
