import type { BackTestMetric } from '@pulse/contract'
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
const gateways: Polled = {
  kind: 'pmg',
  source: { name: 'mail', kind: 'pmg' },
  record: (_, total = 0) => {
    const gateway = aMailGateway()
    const [node] = gateway.nodes!
    const { oldestAt: _oldest, ...queueStatus } = { ...node!.queueStatus!, total, deferred: 0 }
    return { ...gateway, nodes: [{ ...node!, queueStatus }] }
  },
}

/** A threshold, and what the live engine polls. */
export interface LiveCase {
  polled: Polled
  metric: BackTestMetric
  /** default: three */
  things?: number
  /** default: stops. Alerts of nodes end with an alert that is not played when their cluster is silent. */
  gaps?: readonly Gap[]
  trigger?: number
  /** the figure for a load in percent */
  sampleOf?: (load: number) => number
}
const both = ['stop', 'silence'] as const
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
  'queued mail': {
    things: 1,
    gaps: ['silence'],
    polled: gateways,
    metric: 'queueTotalWarning',
    sampleOf: (load) => load * 6.25,
  },
}
