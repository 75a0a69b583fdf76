import type * as guests from '../rest/guests.ts'
import type * as listings from '../rest/listings.ts'
import type * as status from '../rest/status.ts'
import type { Reference } from './about.ts'
import { anAlert, callBudget, calls, connectionId, now, nowMs } from './samples.ts'

const memory = { total: 4_294_967_296, used: 1_610_612_736, free: 2_684_354_560, usage: 37.5 }
const disk = { total: 34_359_738_368, used: 12_884_901_888, free: 21_474_836_480, usage: 37.5 }
const noBackups = { backupTasks: [], storageBackups: [], guestSnapshots: [] }
const performance = {
  apiCallDuration: { 'pve1:resources': 0.021 },
  lastPollDuration: 0.034,
  pollingStartTime: now,
  totalApiCalls: 9120,
  failedApiCalls: 2,
  cacheHits: 310,
  cacheMisses: 24,
}
const stats = {
  startTime: '2026-09-20T06:00:00Z',
  pollingCycles: 11_600,
  webSocketClients: 2,
  version: '1.2.3',
  uptime: 116_000,
}
const aStorage = {
  id: 'pve1-pve1-local-zfs',
  instance: 'pve1',
  node: 'pve1',
  storage: 'local-zfs',
  name: 'local-zfs',
  type: 'zfspool',
  content: 'images,rootdir',
  status: 'available',
  shared: false,
  enabled: true,
  active: true,
  total: 1_000_000_000_000,
  used: 400_000_000_000,
  avail: 600_000_000_000,
  free: 600_000_000_000,
  usage: 40,
}
const link = { id: 'pve1-100', customUrl: 'https://web-01.example.com' }
const params = { guestId: link.id }

export const state = {
  getHealth: {
    summary: 'Tell whether Pulse itself is well',
    reply: { status: 'healthy', timestamp: nowMs / 1000, uptime: 116_000 },
  },
  getVersion: {
    summary: 'Tell which version runs, and how it was installed',
    reply: {
      version: '1.2.3',
      build: 'release',
      goVersion: '',
      runtime: 'node 26.10.0',
      channel: 'stable',
      isDocker: false,
      isSourceBuild: false,
      isDevelopment: false,
      deploymentType: 'systemd',
      updateAvailable: false,
      containerized: false,
    },
  },
  getState: {
    summary: 'Read everything that is watched, as it is now',
    reply: {
      nodes: [],
      vms: [
        {
          id: 'pve1-100',
          vmid: 100,
          name: 'web-01',
          node: 'pve1',
          instance: 'pve1',
          type: 'qemu',
          status: 'running',
          cpu: 0.874,
          cpus: 4,
          memory,
          mem: memory.used,
          maxmem: memory.total,
          disk,
          maxdisk: disk.total,
          ipAddresses: ['192.0.2.100'],
          networkIn: 18_240,
          networkOut: 96_100,
          diskRead: 0,
          diskWrite: 40_960,
          uptime: 86_400,
          template: false,
          tags: 'web,production',
          lastSeen: nowMs,
        },
      ],
      containers: [],
      dockerHosts: [],
      storage: [aStorage],
      cephClusters: [],
      physicalDisks: [],
      pbs: [],
      pmg: [],
      pbsBackups: [],
      pmgBackups: [],
      backups: { pve: noBackups, pbs: [], pmg: [] },
      pveBackups: noBackups,
      activeAlerts: [anAlert],
      recentlyResolved: [],
      metrics: [],
      performance,
      connectionHealth: { pve1: true },
      stats,
      lastUpdate: nowMs,
    },
  },
  getPerformance: {
    summary: 'Tell what watching costs, the hosts and this server',
    reply: {
      ...performance,
      connections: { [connectionId]: { name: 'pve1', ...calls, nodes: { pve1: calls }, ...callBudget } },
      process: { rssBytes: 96_468_992, cpuSeconds: 412.6, loopLongestBlockMs: 12, loopP99Ms: 3 },
    },
  },
  getStats: { summary: 'Tell how long Pulse runs and who listens', reply: stats },
} satisfies Reference<typeof status>

const allBackups = {
  backups: { pve: noBackups, pbs: [], pmg: [] },
  pveBackups: noBackups,
  pbsBackups: [],
  pmgBackups: [],
  ...noBackups,
}

export const lists = {
  getBackups: { summary: 'Read the backups of all sources', reply: allBackups },
  getUnifiedBackups: { summary: 'Read the backups of all sources, under another address', reply: allBackups },
  getPveBackups: { summary: 'Read the backup files on Proxmox VE storages', reply: { backups: [] } },
  getPbsBackups: { summary: 'Read the backup servers with their datastores', reply: { instances: [] } },
  getSnapshots: { summary: 'Read the snapshots of guests', reply: { snapshots: [] } },
  getStorage: {
    summary: 'Read one storage',
    params: { id: aStorage.id },
    reply: { data: aStorage, timestamp: nowMs / 1000 },
    errors: ['storage_not_found'],
  },
} satisfies Reference<typeof listings>

export const links = {
  getGuestsMetadata: { summary: 'List the links of guests', reply: { [link.id]: link } },
  getGuestMetadata: { summary: 'Read the link of a guest', params, reply: link },
  putGuestMetadata: {
    summary: 'Set the link of a guest',
    params,
    body: { customUrl: link.customUrl },
    reply: link,
    errors: ['conflict', 'locked_by_environment'],
  },
  deleteGuestMetadata: {
    summary: 'Remove the link of a guest',
    params,
    errors: ['conflict', 'locked_by_environment'],
  },
} satisfies Reference<typeof guests>
