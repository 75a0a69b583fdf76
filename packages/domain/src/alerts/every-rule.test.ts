import {
  type AlertConfig,
  type DisableSwitch,
  type MailHour,
  type QueueStatus,
  type SourceState,
  disableSwitches,
} from '@pulse/contract'
import {
  aCephCluster,
  aDisk,
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  aNode,
  aPbsServer,
  aPmgBackup,
  aProtection,
  aSnapshot,
  aStorage,
} from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { dayMs, anEngine, hourMs, minuteMs, pollMs, settings, T0, type Lists } from './fixtures.ts'
import { subjects } from './rules/index.ts'

/** Data that make a rule fire, and data that resolve it. */
interface Case {
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
const queue = (deferred: number): QueueStatus => ({
  total: deferred,
  active: 0,
  deferred,
  hold: 0,
  incoming: 0,
  updatedAt: '2026-01-01T12:00:00Z',
})
const queues = (deferred: number, change: object = {}) => ({
  pmg: [
    aMailGateway({
      nodes: [{ name: 'a', role: 'node', status: 'online', loadAvg: '', queueStatus: queue(deferred) }],
      ...change,
    }),
  ],
})
const quarantine = (spam: number) => ({
  pmg: [aMailGateway({ nodes: [], quarantine: { spam, virus: 0, attachment: 0 } })],
})
const hours = (...last: number[]) => ({
  pmg: [
    aMailGateway({
      nodes: [],
      mailCount: [...Array.from({ length: 16 }, () => 20), ...last].map((spamIn, index): MailHour => {
        const began = new Date(T0 - (18 - index) * hourMs).toISOString()
        const none = { count: 0, countIn: 0, countOut: 0, spamOut: 0, virusIn: 0, virusOut: 0 }
        const more = { rblRejects: 0, pregreet: 0, bouncesIn: 0, bouncesOut: 0 }
        return { timestamp: began, windowStart: began, timeframe: 'hour', index, spamIn, ...none, ...more }
      }),
    }),
  ],
})
const pool = (state: string) => ({
  name: 'tank',
  state,
  readErrors: 0,
  writeErrors: 0,
  checksumErrors: 0,
  devices: [],
})
const gib = 1024 ** 3
const full = (usage: number) => ({ usage, used: usage * gib, total: 100 * gib })
const store = (change: object) => ({
  datastores: [{ server: 'pbs-backup', name: 'main', status: 'available', source: 'backup', ...change }],
  pbs: [aPbsServer()],
})
const job = (status: string) => ({
  pbs: [aPbsServer({ syncJobs: [{ id: 'nightly', store: 'main', status }] })],
})
const fileSystem = (usage: number) => ({
  disks: [{ mountpoint: '/srv', total: 100, used: usage, free: 100 - usage, usage }],
})
const protection = (change: object) => ({
  guests: [guest],
  protections: [aProtection({ vmid: 100, ...change })],
})
const held = (daysAgo: number) => ({ at: T0 - daysAgo * dayMs, instance: 'main' })
const file = (daysAgo: number, filename: string) =>
  aPmgBackup({
    source: 'mail',
    node: 'a',
    filename,
    backupTime: new Date(T0 - daysAgo * dayMs).toISOString(),
  })

/** Each rule of the registry needs a case. */
const cases: Readonly<Record<string, Case>> = {
  'source-offline': {
    ...pbs({ pbs: [aPbsServer()] }, { pbs: [aPbsServer()] }, 'pbs-offline-backup', [
      'disableAllPBS',
      'disableAllPBSOffline',
    ]),
    state: { health: 'error', error: 'no answer', staleSince: T0 },
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

const ages = { enabled: true, warningDays: 7, criticalDays: 14 }
const config = (change: Partial<AlertConfig> = {}) =>
  settings({ backupDefaults: ages, snapshotDefaults: ages, ...change })
const stale = (lists: Lists): Lists =>
  Object.fromEntries(
    Object.entries(lists).map(([kind, list]) => [
      kind,
      (list as object[]).map((one) => ({
        ...one,
        staleSince: T0,
        ...('connectionHealth' in one && kind === 'nodes' && { connectionHealth: 'error' }),
      })),
    ]),
  )

type All = ReturnType<typeof anEngine>

/** The source answers with bad data until the alert must have fired. */
function fire(all: All, { source, kind, bad, before, state }: Case, withinMs: number) {
  const own = { kind, name: source, ...state }
  if (before) {
    all.tell(source, before.lists, own)
    all.pass(before.ms)
  }
  const until = all.moment().monotonic + withinMs
  // A day is polled hourly, and its last minutes at the poll interval.
  while (all.moment().monotonic < until - 20 * minuteMs) {
    all.tell(source, bad, own)
    all.pass(10 * minuteMs)
  }
  for (let round = 0; round < (before ? 3 : 40); round++) all.poll(source, bad, own)
}

const soonMs = 40 * minuteMs

test('every rule of the registry has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(
    subjects.flatMap(({ rules }) => rules.map(({ name }) => name)).sort(),
  )
})

describe.each(Object.entries(cases))('%s', (_rule, one) => {
  const { source, kind, good, id, isAboutSource, switches, bad } = one
  const counted = one.before !== undefined
  const fired = (all = anEngine(config())) => {
    fire(all, one, counted ? 0 : soonMs)
    expect(all.open()).toContain(id)
    return all
  }
  const ends = (all: All) =>
    all.said.filter(({ what, stored }) => what === 'resolved' && stored.alert.id === id)
  const reasons = (all: All) => ends(all).map(({ stored }) => stored.alert.endReason)
  const silence = (all: All, lists: Lists) => all.silence(source, lists, { kind, name: source, lastSeen: T0 })

  test('fires, and resolves when its end is known', () => {
    const all = fired()
    all.pass(one.overAfterMs ?? 0)
    for (let round = 0; round < 100 && all.open().includes(id); round++)
      all.poll(source, good, { kind, name: source })
    expect(reasons(all)).toEqual(['condition'])
  })

  test.each([
    ['pbs', 'other-pbs', {}],
    ['pbs', 'other-pbs', { lastSeen: T0 }],
    ['pve', 'other-cluster', { lastSeen: T0 }],
    ['pmg', 'other-gateway', { lastSeen: T0 }],
    ['docker', 'other-host', { lastSeen: T0 }],
  ] as const)('fires within a day and an hour while another source (%s %s, %j) is dead', (of, name, seen) => {
    const all = anEngine(config())
    all.estate.observe(name, {})
    all.silence(name, {}, { kind: of, name, ...(!('lastSeen' in seen) && { lastSeen: undefined }) })
    fire(all, one, counted ? 0 : dayMs + hourMs)
    expect(all.open()).toContain(id)
  })

  test.each(disableSwitches.filter((name) => !switches.includes(name)))(
    'fires while the unrelated switch %s is on',
    (name) => void fired(anEngine(config({ [name]: true }))),
  )

  test.each(switches)('ends by %s without being called resolved, and fires again without it', (name) => {
    const all = fired()
    all.configure({ [name]: true })
    expect(all.open()).not.toContain(id)
    expect(reasons(all)).toEqual(['unwatched'])
    all.configure({ [name]: false })
    for (let round = 0; round < 10; round++) all.poll(source, bad, { kind, name: source, ...one.state })
    if (!counted) expect(all.open()).toContain(id)
  })

  test('does not resolve while its source is unreachable, nor by stale data', () => {
    if (isAboutSource) return
    const all = fired()
    silence(all, stale(good))
    for (let hour = 0; hour < 72; hour++) all.pass(hourMs)
    expect(reasons(all)).not.toContain('condition')
  })

  test.each(['stopped', 'killed'])(
    'is not resolved by a restart (%s) before it has been read again',
    (how) => {
      const before = fired()
      const { alerts, memory } = before.engine.snapshot(before.moment())
      const after = anEngine(config(), how === 'stopped' ? { alerts, memory } : { alerts })
      after.tell(source, {}, { kind, name: source, health: 'unknown' })
      after.pass(3 * dayMs)
      expect(after.open()).toContain(id)
      if (isAboutSource) return
      // The source answers, but only with the data of its first answer.
      const parts = { nodes: bad.nodes, guests: bad.guests, dockerHosts: bad.dockerHosts, pmg: [], pbs: [] }
      after.tell(source, Object.fromEntries(Object.entries(parts).filter(([, list]) => list?.length)), {
        kind,
        name: source,
      })
      after.pass(20 * pollMs)
      expect(reasons(after)).not.toContain('condition')
    },
  )
})
