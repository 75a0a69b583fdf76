import type { BackTestMetric, MailGateway, QueueStatus } from '@pulse/contract'
import {
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  aNode,
  aPbsServer,
  aStorage,
} from '@pulse/testkit'
import { T0 } from '../alerts/fixtures.ts'
import type { Gap, Polled } from './fixtures-live.ts'
import { absent } from './series.ts'

const GiB = 1024 ** 3
const usage = (percent: number) => ({ total: 100, used: percent, free: 100 - percent, usage: percent })

const guests = (change: (sample: number) => object): Polled => ({
  kind: 'guests',
  source: { name: 'main', kind: 'pve' },
  record: (n, sample) =>
    aGuest({
      vmid: 100 + n,
      name: `guest ${n}`,
      ...(sample === undefined ? { status: 'stopped', cpu: 0 } : change(sample)),
    }),
})
const mounts = ['/', '/srv'] as const
/** Each has two file systems. `idle`: while there are no figures of them */
const guestsWithFileSystems = (idle: object): Polled => ({
  kind: 'guests',
  source: { name: 'main', kind: 'pve' },
  parts: mounts.length,
  record: (n, first, _, samples) =>
    aGuest({
      vmid: 100 + n,
      name: `guest ${n}`,
      ...(first === undefined
        ? idle
        : { disks: samples.map((one, part) => ({ ...usage(one!), mountpoint: mounts[part]! })) }),
    }),
})
const nodes = (change: (sample: number) => object): Polled => ({
  kind: 'nodes',
  source: { name: 'main', kind: 'pve' },
  record: (n, sample) =>
    aNode({
      node: `pve${n}`,
      // its cluster answers
      ...(sample === undefined
        ? { status: 'offline', connectionHealth: 'healthy', staleSince: T0 }
        : change(sample)),
    }),
})
const containers = (change: (sample: number) => object): Polled => ({
  kind: 'dockerContainers',
  source: { name: 'dock1', kind: 'docker' },
  others: { dockerHosts: [aDockerHost()] },
  record: (n, sample) =>
    aDockerContainer({ name: `c${n}`, ...(sample === undefined ? { state: 'exited' } : change(sample)) }),
})
/** `status`: while there are no figures of it */
const storages = (status: 'inactive' | 'unknown'): Polled => ({
  kind: 'storage',
  source: { name: 'main', kind: 'pve' },
  others: { nodes: [aNode()] },
  record: (n, sample) =>
    aStorage({ name: `s${n}`, ...(sample === undefined ? { status, staleSince: T0 } : usage(sample)) }),
})
const datastores = (status: 'error' | 'maintenance' | 'denied'): Polled => ({
  kind: 'datastores',
  source: { name: 'pbs', kind: 'pbs' },
  others: { pbs: [aPbsServer({ source: 'pbs' })] },
  record: (n, sample) => ({
    source: 'pbs',
    server: 'pbs-main',
    name: `d${n}`,
    ...(sample === undefined ? { status, staleSince: T0 } : { status: 'available', ...usage(sample) }),
  }),
})
const backupServers: Polled = {
  kind: 'pbs',
  source: { name: 'pbs', kind: 'pbs' },
  record: (_, memory) => aPbsServer({ source: 'pbs', ...(memory !== undefined && { memory }) }),
}
const gateways = (
  change: (sample: number, at: number, parts: readonly (number | undefined)[]) => Partial<MailGateway>,
): Polled => ({
  kind: 'pmg',
  source: { name: 'mail', kind: 'pmg' },
  record: (_, sample = 0, at, parts) => ({ ...aMailGateway(), ...change(sample, at, parts) }),
})
const [mailNode] = aMailGateway().nodes!
const queues = (status: Partial<QueueStatus>): Partial<MailGateway> => {
  const { oldestAt: _, ...empty } = mailNode!.queueStatus!
  return { nodes: [{ ...mailNode!, queueStatus: { ...empty, total: 0, deferred: 0, ...status } }] }
}
const oneGateway = { things: 1, gaps: ['silence'] } as const

/** A threshold, and what the live engine polls. */
export interface LiveCase {
  polled: Polled
  metric: BackTestMetric
  /** default: three */
  things?: number
  /** default: stops. Alerts of nodes end with an alert that is not played when their cluster is silent. */
  gaps?: readonly Gap[]
  trigger?: number
  /** What the history has while a thing is stopped; default: it depends on the record. */
  stoppedAs?: number
  /** the figure for a load in percent */
  sampleOf?: (load: number) => number
}
export const both = ['stop', 'silence'] as const
/** Counts the loads of one thing that are beyond a limit. */
function counter() {
  let count = 0
  return (load: number) => (load >= 82 ? ++count : count)
}
export const asIs = (load: number) => load
export const liveCases: Record<string, LiveCase> = {
  'CPU of guests': {
    gaps: both,
    polled: guests((cpu) => ({ cpu })),
    metric: 'cpu',
    sampleOf: (load) => load / 100,
  },
  'memory of guests': {
    gaps: both,
    polled: guests((one) => ({ memory: usage(one) })),
    metric: 'memory',
    trigger: 85,
  },
  'disk of guests': {
    gaps: both,
    polled: guests((one) => ({ disk: usage(one) })),
    metric: 'disk',
    trigger: 90,
  },
  'file systems of guests': {
    gaps: both,
    things: 4,
    polled: guestsWithFileSystems({ status: 'stopped', cpu: 0 }),
    metric: 'disk',
    trigger: 90,
  },
  'file systems of guests whose agent stops': {
    gaps: both,
    things: 4,
    polled: guestsWithFileSystems({}),
    stoppedAs: absent.silent,
    metric: 'disk',
    trigger: 90,
  },
  'CPU of nodes': { polled: nodes((cpu) => ({ cpu })), metric: 'cpu', sampleOf: (load) => load / 100 },
  'memory of nodes': { polled: nodes((one) => ({ memory: usage(one) })), metric: 'memory', trigger: 85 },
  'temperature of nodes': {
    polled: nodes((cpuPackage) => ({ temperature: { available: true, cpuPackage } })),
    metric: 'temperature',
  },
  'usage of storages': { gaps: both, polled: storages('inactive'), metric: 'usage', trigger: 85 },
  'usage of storages of a node that is down': {
    polled: storages('unknown'),
    metric: 'usage',
    trigger: 85,
  },
  'usage of datastores': { polled: datastores('error'), metric: 'usage', trigger: 85 },
  'usage of datastores in maintenance': { polled: datastores('maintenance'), metric: 'usage', trigger: 85 },
  'usage of datastores without a permission': { polled: datastores('denied'), metric: 'usage', trigger: 85 },
  'memory of backup servers': {
    things: 1,
    gaps: ['silence'],
    polled: backupServers,
    metric: 'memory',
    trigger: 85,
  },
  'CPU of containers': { gaps: both, polled: containers((cpuPercent) => ({ cpuPercent })), metric: 'cpu' },
  'memory of containers': {
    polled: containers((one) => ({ memoryPercent: one })),
    metric: 'memory',
    trigger: 85,
  },
  'memory limit of containers': {
    gaps: both,
    polled: containers((memoryUsageBytes) => ({ memoryUsageBytes, memoryLimitBytes: 2 * GiB })),
    metric: 'memoryWarnPct',
    trigger: 90,
    sampleOf: (load) => (load / 100) * 2 * GiB,
  },
  'restarts of containers': {
    things: 1,
    gaps: ['silence'],
    polled: containers((restartCount) => ({ state: 'restarting', restartCount })),
    metric: 'restartWindow',
    sampleOf: counter(),
  },
  'queued mail': {
    ...oneGateway,
    polled: gateways((total) => queues({ total })),
    metric: 'queueTotalWarning',
    sampleOf: (load) => load * 6.25,
  },
  'deferred mail': {
    ...oneGateway,
    polled: gateways((deferred) => queues({ deferred })),
    metric: 'deferredQueueCritical',
    sampleOf: (load) => load * 2.5,
  },
  'held mail': {
    ...oneGateway,
    polled: gateways((hold) => queues({ hold })),
    metric: 'holdQueueWarn',
    sampleOf: (load) => load * 1.25,
  },
  'age of the oldest mail': {
    ...oneGateway,
    polled: gateways((ageS, at) => queues({ oldestAt: at - ageS * 1_000 })),
    metric: 'oldestMessageWarnMins',
    // it waits for a while, is delivered, and another one is the oldest
    sampleOf: (load) => Math.round(load * 22.5),
  },
  'spam in the quarantine': {
    ...oneGateway,
    polled: gateways((spam) => ({
      nodes: [],
      quarantine: { spam: Math.round(spam), virus: 0, attachment: 0 },
    })),
    metric: 'quarantineSpamWarn',
    sampleOf: (load) => load * 25,
  },
  'spam and viruses in the quarantine, which grow': {
    things: 2,
    gaps: ['silence'],
    polled: {
      ...gateways((spam, _, [, virus = 0]) => ({
        nodes: [],
        quarantine: { spam: Math.round(spam), virus: Math.round(virus), attachment: 0 },
      })),
      parts: 2,
    },
    metric: 'quarantineGrowthWarnPct',
    sampleOf: (load) => (load >= 80 ? 900 : 300),
  },
  'viruses in the quarantine, which grow': {
    ...oneGateway,
    polled: gateways((virus) => ({
      nodes: [],
      quarantine: { spam: 0, virus: Math.round(virus), attachment: 0 },
    })),
    metric: 'quarantineVirusCritical',
    sampleOf: (load) => (load >= 80 ? 900 : 300),
  },
}
