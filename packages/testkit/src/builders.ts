import {
  type Alert,
  type CephCluster,
  type CustomRule,
  forSampledGuestFields,
  type Guest,
  type GuestDisk,
  type MailGateway,
  type MailStats,
  type Node,
  type PbsServer,
  type PhysicalDisk,
  type Storage,
} from '@pulse/contract'
import { usageOf } from '@pulse/domain'

const GiB = 1024 ** 3

/** The default time of every built record: 1 January 2026, noon UTC. */
export const BUILT_AT = Date.UTC(2026, 0, 1, 12)

/** A healthy running virtual machine on main/pve1; its ids follow from instance, node and vmid. */
export function aGuest(change: Partial<Guest> = {}): Guest {
  const { instance = 'main', node = 'pve1', vmid = 100, type = 'qemu', status = 'running' } = change
  const running = status === 'running'
  return {
    id: instance === node ? `${node}-${vmid}` : `${instance}-${node}-${vmid}`,
    instance,
    node,
    vmid,
    name: `${type === 'qemu' ? 'vm' : 'ct'}-${vmid}`,
    type,
    status,
    cpu: running ? 0.25 : 0,
    cpus: 4,
    memory: usageOf(running ? 2 * GiB : 0, 4 * GiB),
    disk: usageOf(16 * GiB, 32 * GiB),
    ...(running && {
      ...forSampledGuestFields(() => 0),
      startedAt: BUILT_AT - 5 * 86_400_000,
    }),
    template: false,
    source: instance,
    ...change,
  }
}

/** A healthy node of a cluster. */
export function aNode(change: Partial<Node> = {}): Node {
  const { instance = 'main', node = 'pve1', status = 'online' } = change
  const online = status === 'online'
  return {
    id: `${instance}-${node}`,
    instance,
    node,
    name: node,
    displayName: node,
    host: `https://${node}.example:8006`,
    type: 'node',
    status,
    cpu: online ? 0.125 : 0,
    memory: usageOf(online ? 24 * GiB : 0, 64 * GiB),
    disk: usageOf(20 * GiB, 100 * GiB),
    ...(online && { startedAt: BUILT_AT - 40 * 86_400_000 }),
    loadAverage: [0.5, 0.4, 0.3],
    pveVersion: 'pve-manager/9.0.3/025864202ebb6109',
    cpuInfo: { model: 'Intel(R) Xeon(R)', cores: 16, sockets: 1, mhz: '2400' },
    connectionHealth: online ? 'healthy' : 'error',
    isClusterMember: true,
    clusterName: instance,
    source: instance,
    ...change,
  }
}

/** A healthy local storage of main/pve1. */
export function aStorage(change: Partial<Storage> = {}): Storage {
  const { instance = 'main', node = 'pve1', name = 'local' } = change
  const space = usageOf(30 * GiB, 100 * GiB)
  return {
    id: instance === node ? `${node}-${name}` : `${instance}-${node}-${name}`,
    instance,
    node,
    storage: name,
    name,
    type: 'dir',
    content: 'iso,vztmpl,backup',
    status: 'available',
    shared: false,
    enabled: true,
    active: true,
    ...space,
    avail: space.free,
    source: instance,
    ...change,
  }
}

/** A healthy SATA disk of main/pve1. */
export function aDisk(change: Partial<PhysicalDisk> = {}): PhysicalDisk {
  const { instance = 'main', node = 'pve1', devPath = '/dev/sda' } = change
  return {
    id: `${instance}-${node}-${devPath.replaceAll('/', '-')}`,
    node,
    instance,
    devPath,
    model: 'Samsung SSD 870',
    serial: `S5Y1-${node}-${devPath.slice(5)}`,
    type: 'sata',
    size: 1000 * GiB,
    health: 'PASSED',
    wearout: 97,
    temperature: 34,
    rpm: 0,
    used: 'ZFS',
    lastChecked: new Date(BUILT_AT).toISOString(),
    source: instance,
    ...change,
  }
}

/** A healthy cluster of six OSDs on three nodes of main. */
export function aCephCluster(change: Partial<CephCluster> = {}): CephCluster {
  const { instance = 'main', fsid = 'f1' } = change
  const space = usageOf(1200 * GiB, 6000 * GiB)
  return {
    id: `${instance}-${fsid}`,
    instance,
    name: 'Ceph',
    fsid,
    health: 'HEALTH_OK',
    totalBytes: space.total,
    usedBytes: space.used,
    availableBytes: space.free,
    usagePercent: space.usage,
    numMons: 3,
    numMgrs: 2,
    numOsds: 6,
    numOsdsUp: 6,
    numOsdsIn: 6,
    numPGs: 129,
    pools: [],
    lastUpdated: BUILT_AT,
    source: instance,
    ...change,
  }
}

export function aPbsServer(change: Partial<PbsServer> = {}): PbsServer {
  const { name = 'backup' } = change
  return {
    id: `pbs-${name}`,
    name,
    host: `https://${name}.example:8007`,
    version: '4.0.14',
    status: 'online',
    cpu: 0.05,
    memory: 25,
    memoryUsed: 4 * GiB,
    memoryTotal: 16 * GiB,
    startedAt: BUILT_AT - 20 * 86_400_000,
    backupJobs: [],
    syncJobs: [],
    verifyJobs: [],
    pruneJobs: [],
    garbageJobs: [],
    failedTasks: [],
    connectionHealth: 'healthy',
    source: name,
    ...change,
  }
}

export const mailStats = (change: Partial<MailStats> = {}): MailStats => ({
  timeframe: 'day',
  updatedAt: new Date(BUILT_AT).toISOString(),
  countTotal: 2400,
  countIn: 1800,
  countOut: 600,
  spamIn: 450,
  spamOut: 0,
  virusIn: 9,
  virusOut: 0,
  bouncesIn: 21,
  bouncesOut: 7,
  bytesIn: 240 * 1024 ** 2,
  bytesOut: 36 * 1024 ** 2,
  rblRejects: 310,
  pregreetRejects: 42,
  greylistCount: 77,
  junkIn: 500,
  averageProcessTimeMs: 600,
  ...change,
})

/** A standalone gateway with an hour of queue. */
export function aMailGateway(change: Partial<MailGateway> = {}): MailGateway {
  const { name = 'mail' } = change
  return {
    id: `pmg-${name}`,
    name,
    host: `https://${name}.example:8006`,
    status: 'online',
    version: '9.0.6',
    connectionHealth: 'healthy',
    lastUpdated: new Date(BUILT_AT).toISOString(),
    mailStats: mailStats(),
    quarantine: { spam: 40, virus: 3, attachment: 2 },
    spamDistribution: [
      { score: '0', count: 900 },
      { score: '5', count: 75 },
      { score: '10', count: 25 },
    ],
    nodes: [
      {
        name,
        role: 'standalone',
        status: 'online',
        startedAt: BUILT_AT - 20 * 86_400_000,
        loadAvg: '0.10 0.12 0.09',
        queueStatus: {
          total: 7,
          active: 1,
          deferred: 5,
          hold: 0,
          incoming: 1,
          oldestAt: BUILT_AT - 600_000,
          updatedAt: new Date(BUILT_AT).toISOString(),
        },
      },
    ],
    source: name,
    ...change,
  }
}

export function anAlert(change: Partial<Alert> = {}): Alert {
  const { node = 'pve1', instance = 'main', type = 'cpu', level = 'warning' } = change
  const resourceId = change.resourceId ?? `${instance}-${node}`
  return {
    id: `${resourceId}-${type}`,
    type,
    level,
    resourceId,
    resourceName: node,
    node,
    instance,
    message: `${type} of ${node} is high`,
    value: 92,
    threshold: 80,
    startTime: new Date(BUILT_AT).toISOString(),
    acknowledged: false,
    ...change,
  }
}

/** A rule for guests whose figure is above the value. */
export const aRuleOn = (field: string, value: number, thresholds: CustomRule['thresholds']): CustomRule => ({
  id: 'rule',
  name: 'rule',
  filterConditions: { filters: [{ type: 'metric', field, operator: '>', value }], logicalOperator: 'AND' },
  thresholds,
  priority: 1,
  enabled: true,
})

/** A file system of a guest, in percent of its size. */
export const aGuestDisk = (mountpoint: string, usage = 50): GuestDisk => ({
  mountpoint,
  total: 100,
  used: usage,
  free: 100 - usage,
  usage,
})
