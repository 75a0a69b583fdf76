import type { Datastore, Memory, Node, PbsServer, Usage } from '@pulse/contract'
import { displayName } from '../../lib/display-name.ts'
import type { LiveReader } from '../../live/store.ts'
import { webUrl } from '../links.ts'
import { extraName, shortVersion } from '../names.ts'
import { placeKey } from '../nodes.ts'
import { sameList } from '../../live/use-live.ts'
import { compareValues, type Sort, sortBy } from '../../ui/table/sort.ts'
import { isNodeOnline, isNodeSilent, isPbsOnline } from '../status.ts'
import type { CountId, SummaryColumn, SummaryColumnId } from './columns.ts'

/** Used and total in bytes, percent 0-100. */
export interface SummaryUsage {
  percent: number
  used: number
  total: number
  /** of this figure alone: when it was last right */
  staleSince: number | undefined
}

/** A line of the table, be it a node or a backup server. Figures are absent while unknown or offline. */
export interface SummaryRow {
  kind: 'pve' | 'pbs'
  /** the id alerts name it by */
  wireId: string
  online: boolean
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
  /** not while it is known to be off */
  staleSince: number | undefined
  /** what the account may not see of it */
  withheld: string | undefined
}

export type Counts = Partial<Record<CountId, number>>

/** How many of each thing a row has: by `placeKey` for nodes, by store id for backup servers. */
export type CountsByRow = ReadonlyMap<string, Counts>

export type SummaryRowKey = `pve:${string}` | `pbs:${string}`

export function describeNode(node: Node, counts: Counts): SummaryRow {
  const online = isNodeOnline(node)
  const shown = online || isNodeSilent(node)
  const name = displayName(node)
  return {
    kind: 'pve',
    wireId: node.id,
    online,
    name,
    extraName: extraName(node),
    url: webUrl(node.host, node.name, 'pve'),
    version: shortVersion(node.pveVersion),
    cluster: clusterBadge(node),
    startedAt: shown ? node.startedAt : undefined,
    cpuPercent: shown && node.cpu !== undefined ? clampPercent(node.cpu * 100) : undefined,
    cores: node.cpuInfo?.cores,
    memory: shown ? toUsage(node.memory) : undefined,
    disk: shown ? toUsage(node.disk) : undefined,
    temperature: shown ? cpuTemperature(node) : undefined,
    temperatureRange: { min: node.temperature?.cpuMin, max: node.temperature?.cpuMaxRecord },
    counts,
    staleSince: node.status === 'online' ? node.staleSince : undefined,
    withheld: node.withheld,
  }
}

export function describeServer(
  server: PbsServer,
  datastores: readonly Pick<Datastore, 'used' | 'total'>[],
  counts: Counts,
): SummaryRow {
  const online = isPbsOnline(server)
  const used = datastores.reduce((sum, store) => sum + store.used, 0)
  const total = datastores.reduce((sum, store) => sum + store.total, 0)
  return {
    kind: 'pbs',
    wireId: server.id,
    online,
    name: displayName(server),
    extraName: undefined,
    url: webUrl(server.host, server.name, 'pbs'),
    version: shortVersion(server.version),
    cluster: undefined,
    startedAt: online ? Date.parse(server.lastSeen) - server.uptime * 1000 : undefined,
    cpuPercent: online ? clampPercent(server.cpu * 100) : undefined,
    cores: undefined,
    memory: online ? toUsage({ used: server.memoryUsed, total: server.memoryTotal }) : undefined,
    disk: online ? toUsage({ used, total }) : undefined,
    temperature: undefined,
    temperatureRange: undefined,
    counts,
    staleSince: server.staleSince,
    withheld: undefined,
  }
}

function toUsage(
  usage: Pick<Usage | Memory, 'used' | 'total' | 'staleSince'> | undefined,
): SummaryUsage | undefined {
  if (!usage || usage.used === undefined || usage.total <= 0) return undefined
  const { used, total, staleSince } = usage
  return { used, total, percent: clampPercent((used / total) * 100), staleSince }
}

/** Nothing where it could not be learned whether there is a cluster. */
export function clusterBadge({
  isClusterMember,
  clusterName,
}: Pick<Node, 'isClusterMember' | 'clusterName'>): string | undefined {
  if (isClusterMember === undefined) return undefined
  return isClusterMember ? clusterName || 'Cluster' : 'Standalone'
}

const clampPercent = (percent: number): number => Math.min(100, Math.max(0, percent))

/** The package sensor, else the hottest core. */
export function cpuTemperature({ temperature }: Pick<Node, 'temperature'>): number | undefined {
  if (!temperature?.available || !temperature.hasCPU) return undefined
  const cores = temperature.cores?.map((core) => core.temp) ?? []
  return [temperature.cpuPackage, temperature.cpuMax, Math.max(0, ...cores)].find((celsius) => celsius)
}

const noCounts: Counts = {}

export type SummarySort = Sort<SummaryColumnId> | undefined

/** The lines of the table in order, and which optional columns they need. */
export interface Summary {
  keys: readonly SummaryRowKey[]
  withPbs: boolean
  withTemperature: boolean
}

export interface SummaryQuery {
  /** undefined is the default order */
  sort: SummarySort
  /** the sorted column, when it is shown */
  column: SummaryColumn | undefined
  counts: CountsByRow
  /** whether backup servers have lines too */
  servers: boolean
}

export function selectSummary(live: LiveReader, { sort, column, counts, servers }: SummaryQuery): Summary {
  const lines: { key: SummaryRowKey; row: SummaryRow }[] = []
  for (const [id, node] of live.records('nodes')) {
    lines.push({ key: `pve:${id}`, row: describeNode(node, counts.get(placeKey(node)) ?? noCounts) })
  }
  if (servers) {
    for (const [id, server] of live.records('pbs')) {
      const row = describeServer(server, datastoresOf(live, id), counts.get(id) ?? noCounts)
      lines.push({ key: `pbs:${id}`, row })
    }
  }
  lines.sort((a, b) => inDefaultOrder(a.row, b.row) || (a.key < b.key ? -1 : 1))
  const ordered = sort && column ? sortBy(lines, ({ row }) => column.value(row), sort.direction) : lines
  return {
    keys: ordered.map((line) => line.key),
    withPbs: lines.some(({ row }) => row.kind === 'pbs'),
    withTemperature: lines.some(({ row }) => row.temperature !== undefined),
  }
}

/** A line does not move because its source falls silent. */
const keepsPlace = ({ online, staleSince }: SummaryRow) => online || staleSince !== undefined

/** PVE before PBS, online before offline, then by name. */
function inDefaultOrder(a: SummaryRow, b: SummaryRow): number {
  return (
    Number(a.kind === 'pbs') - Number(b.kind === 'pbs') ||
    Number(keepsPlace(b)) - Number(keepsPlace(a)) ||
    compareValues(a.name, b.name)
  )
}

/** `server` in a datastore is the id of its server's record. */
export function datastoresOf(live: LiveReader, serverId: string): readonly Datastore[] {
  const wireId = live.get('pbs', serverId)?.id
  return [...live.records('datastores').values()].filter(
    ({ server }) => server === serverId || server === wireId,
  )
}

export function sameSummary(a: Summary, b: Summary): boolean {
  return a.withPbs === b.withPbs && a.withTemperature === b.withTemperature && sameList(a.keys, b.keys)
}
