import type { DisableSwitch, SourceState } from '@pulse/contract'
import {
  aCephCluster,
  aDisk,
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  aNode,
  aPbsServer,
  aProtection,
  aSnapshot,
  aStorage,
} from '@pulse/testkit'
import { dayMs, hourMs, T0, type Lists } from './fixtures.ts'
import {
  file,
  fileSystem,
  full,
  fullIn,
  gib,
  held,
  hours,
  pool,
  quarantine,
  queues,
} from './fixtures-records.ts'

/** Data that make a rule fire, and data that resolve it. */
export interface Case {
  source: string
  kind: SourceState['kind']
  bad: Lists
  good: Lists
  id: string
  /** For rules that count or compare: a change from good to bad that precedes the alert. */
  before?: { lists: Lists; ms: number }
  state?: Partial<SourceState>
  /** The good values are known only after this time. */
  overAfterMs?: number
  /** The alert resolves only when the source itself answers. */
  isAboutSource?: true
  switches: readonly DisableSwitch[]
}

const node = aNode()
const guest = aGuest()
const pveCase = (bad: Lists, good: Lists, id: string, switches: Case['switches']): Case => ({
  source: 'main',
  kind: 'pve',
  bad: { nodes: [node], ...bad },
  good: { nodes: [node], ...good },
  id,
  switches,
})
const docker = (change: object, good: object, id: string): Case => ({
  source: 'dock1',
  kind: 'docker',
  bad: { dockerHosts: [aDockerHost()], dockerContainers: [aDockerContainer(change)] },
  good: { dockerHosts: [aDockerHost()], dockerContainers: [aDockerContainer(good)] },
  id,
  switches: ['disableAllDockerContainers'],
})
const pbs = (bad: Lists, good: Lists, id: string, switches: Case['switches']): Case => ({
  source: 'backup',
  kind: 'pbs',
  bad,
  good,
  id,
  switches,
})
const mail = (bad: Lists, good: Lists, id: string): Case => ({
  source: 'mail',
  kind: 'pmg',
  bad,
  good,
  id,
  switches: ['disableAllPMG'],
})
const store = (change: object) => ({
  datastores: [{ server: 'pbs-backup', name: 'main', status: 'available', source: 'backup', ...change }],
  pbs: [aPbsServer()],
})
const job = (status: string) => ({
  pbs: [aPbsServer({ syncJobs: [{ id: 'nightly', store: 'main', status }] })],
})
const protection = (change: object) => ({
  guests: [guest],
  protections: [aProtection({ vmid: 100, ...change })],
})

const filling = (days: number): Lists => ({
  guests: [aGuest(fileSystem(50))],
  forecasts: [{ kind: 'fileSystems', id: 'main:100:srv', ...fullIn(days) }],
})

/** Each rule of the registry needs a case. */
export const cases: Readonly<Record<string, Case>> = {
  'source-offline': {
    ...pbs({ pbs: [aPbsServer()] }, { pbs: [aPbsServer()] }, 'pbs-offline-backup', [
      'disableAllPBS',
      'disableAllPBSOffline',
    ]),
    state: { health: 'error', error: 'no answer', staleSince: T0 },
    isAboutSource: true,
  },
  'site-unreachable': {
    ...pbs({ pbs: [aPbsServer()] }, { pbs: [aPbsServer()] }, 'site-unreachable-main', []),
    state: { health: 'unknown', siteUnreachableSince: T0 },
    isAboutSource: true,
  },
  'node-connectivity': pveCase(
    { nodes: [aNode({ status: 'offline', connectionHealth: 'offline' })] },
    {},
    'node-offline-main:pve1',
    ['disableAllNodes', 'disableAllNodesOffline'],
  ),
  'node-metrics': pveCase({ nodes: [aNode({ cpu: 0.95 })] }, {}, 'main:pve1-cpu', ['disableAllNodes']),
  'guest-metrics': pveCase({ guests: [aGuest({ cpu: 0.95 })] }, { guests: [guest] }, 'main:100-cpu', [
    'disableAllGuests',
  ]),
  'guest-file-systems': pveCase(
    { guests: [aGuest(fileSystem(95))] },
    { guests: [aGuest(fileSystem(10))] },
    'main:100-disk-srv-disk',
    ['disableAllGuests'],
  ),
  'guest-full-within': pveCase(filling(5), filling(50), 'full-within-main:100-srv', ['disableAllGuests']),
  'guest-powered-off': pveCase(
    { guests: [aGuest({ status: 'stopped' })] },
    { guests: [guest] },
    'guest-powered-off-main:100',
    ['disableAllGuests', 'disableAllGuestsOffline'],
  ),
  'storage-unavailable': pveCase(
    { storage: [aStorage({ status: 'inactive', active: false })] },
    { storage: [aStorage()] },
    'storage-offline-main:pve1:local',
    ['disableAllStorage'],
  ),
  'storage-usage': pveCase(
    { storage: [aStorage(full(95))] },
    { storage: [aStorage(full(0))] },
    'main:pve1:local-usage',
    ['disableAllStorage'],
  ),
  'storage-zfs': pveCase(
    { storage: [aStorage({ zfsPool: pool('DEGRADED') })] },
    { storage: [aStorage({ zfsPool: pool('ONLINE') })] },
    'zfs-pool-state-main:pve1:tank',
    ['disableAllStorage'],
  ),
  'datastore-unavailable': pbs(store({ status: 'error' }), store({}), 'storage-offline-backup:main', [
    'disableAllDatastores',
  ]),
  'datastore-usage': pbs(store(full(95)), store(full(0)), 'backup:main-usage', ['disableAllDatastores']),
  'storage-full-within': pveCase(
    { storage: [aStorage(fullIn(5))] },
    { storage: [aStorage(fullIn(50))] },
    'full-within-main:pve1:local',
    ['disableAllStorage'],
  ),
  'datastore-full-within': pbs(store(fullIn(5)), store(fullIn(50)), 'full-within-backup:main', [
    'disableAllDatastores',
  ]),
  'disk-health': pveCase(
    { physicalDisks: [aDisk({ health: 'FAILED' })] },
    { physicalDisks: [aDisk()] },
    'disk-health-main:S5Y1-pve1-sda',
    ['disableAllDisks'],
  ),
  'disk-wearout': pveCase(
    { physicalDisks: [aDisk({ wearout: 3 })] },
    { physicalDisks: [aDisk({ wearout: 90 })] },
    'disk-wearout-main:S5Y1-pve1-sda',
    ['disableAllDisks'],
  ),
  'ceph-health': pveCase(
    { cephClusters: [aCephCluster({ health: 'HEALTH_ERR' })] },
    { cephClusters: [aCephCluster({ health: 'HEALTH_OK' })] },
    'ceph-health-f1',
    ['disableAllCeph'],
  ),
  'pbs-metrics': pbs(
    { pbs: [aPbsServer({ cpu: 0.95 })] },
    { pbs: [aPbsServer({ cpu: 0.1 })] },
    'backup-cpu',
    ['disableAllPBS'],
  ),
  'pbs-jobs': pbs(job('failed'), job('ok'), 'pbs-job-failed-backup:sync:nightly', ['disableAllPBS']),
  'mail-queues': mail(queues(6063), queues(0), 'mail-queue-deferred'),
  'mail-quarantine': mail(quarantine(9000), quarantine(0), 'mail-quarantine-spam'),
  'mail-anomaly': {
    ...mail(hours(900, 900), hours(900, 900, 20, 20), 'mail-anomaly-spamIn'),
    overAfterMs: 2 * hourMs,
  },
  'mail-backup-age': {
    ...mail(
      { pmgBackups: [file(20, 'old')], pmg: [aMailGateway({ nodes: [] })] },
      { pmgBackups: [file(20, 'old'), file(0, 'new')], pmg: [aMailGateway({ nodes: [] })] },
      'backup-age-mail:a:old',
    ),
    switches: [],
  },
  'container-state': docker({ state: 'exited' }, {}, 'docker-container-state-dock1:web'),
  'container-metrics': docker({ cpuPercent: 95 }, { cpuPercent: 1 }, 'dock1:web-cpu'),
  'container-health': docker({ health: 'unhealthy' }, {}, 'docker-container-health-dock1:web'),
  'container-restart-loop': {
    ...docker({ restartCount: 20 }, { restartCount: 20 }, 'docker-container-restart-loop-dock1:web'),
    before: {
      lists: { dockerHosts: [aDockerHost()], dockerContainers: [aDockerContainer({ restartCount: 0 })] },
      ms: 10_000,
    },
  },
  'container-oom': docker({ state: 'exited', oomKilled: true }, {}, 'docker-container-oom-dock1:web'),
  'container-memory-limit': docker(
    { memoryLimitBytes: gib, memoryUsageBytes: 0.97 * gib },
    { memoryLimitBytes: gib, memoryUsageBytes: 0.1 * gib },
    'docker-container-memory-limit-dock1:web',
  ),
  'snapshot-age': pveCase(
    {
      guests: [guest],
      pveBackups: [aSnapshot({ vmid: 100, name: 'before', time: new Date(T0 - 90 * dayMs).toISOString() })],
    },
    {
      guests: [guest],
      pveBackups: [aSnapshot({ vmid: 100, name: 'before', time: new Date(T0).toISOString() })],
    },
    'snapshot-age-main:100:before',
    [],
  ),
  'backup-age': pveCase(
    protection({ newest: held(90) }),
    protection({ newest: held(0) }),
    'backup-age-main:100',
    [],
  ),
  'backup-failed': pveCase(
    protection({ failed: { at: T0 - hourMs, error: 'no space' } }),
    protection({ succeeded: T0 }),
    'backup-failed-main:100',
    ['disableAllFailedBackups'],
  ),
}
