import { alertDefaults } from '../alert-defaults.ts'
import type * as guests from '../rest/guests.ts'
import type * as changeCalls from '../rest/history-past.ts'
import type * as backTestCalls from '../rest/history-back-test.ts'
import type * as pastCalls from '../rest/history.ts'
import type * as pastStorage from '../rest/history-storage.ts'
import type * as trendCalls from '../rest/history-trends.ts'
import type * as listings from '../rest/listings.ts'
import type * as scheduler from '../rest/scheduler.ts'
import type * as status from '../rest/status.ts'
import type { Reference } from './about.ts'

const link = { id: 'pve1-100', customUrl: 'https://web-01.example.com' }
const params = { guestId: link.id }

export const state = {
  getHealth: { summary: 'Get the health of Pulse' },
  getReadiness: { summary: 'Ask whether this process should get calls' },
  getVersion: { summary: 'Get the version and the deployment type' },
  getState: { summary: 'Get the complete live state' },
  getPerformance: { summary: 'Get the cost of monitoring, for hosts and for this server' },
  getStats: { summary: 'Get uptime and connected clients' },
} satisfies Reference<typeof status>

export const polling = {
  getSchedulerHealth: { summary: 'Get the state of polling: what is due, what fails, and what is stale' },
} satisfies Reference<typeof scheduler>

export const lists = {
  getBackups: { summary: 'Read the backups of all sources' },
  getUnifiedBackups: { summary: 'Read the backups of all sources, under another address' },
  getPveBackups: { summary: 'Read the backup files on Proxmox VE storages' },
  getPbsBackups: { summary: 'Read the backup servers with their datastores' },
  getSnapshots: { summary: 'Read the snapshots of guests' },
  getStorage: {
    summary: 'Read one storage',
    params: { id: 'pve1-pve1-local-zfs' },
    errors: ['storage_not_found'],
  },
} satisfies Reference<typeof listings>

export const links = {
  getGuestsMetadata: { summary: 'List the links of guests' },
  getGuestMetadata: { summary: 'Read the link of a guest', params },
  putGuestMetadata: {
    summary: 'Set the link of a guest',
    params,
    body: { customUrl: link.customUrl },
    errors: ['conflict', 'locked_by_environment'],
  },
  deleteGuestMetadata: {
    summary: 'Remove the link of a guest',
    params,
    errors: ['conflict', 'locked_by_environment'],
  },
} satisfies Reference<typeof guests>

const hour = { from: 1_789_996_400_000, to: 1_790_000_000_000 }

/** The file of the history cannot be opened. */
const errors = ['history_unavailable'] as const

export const keeping = {
  getHistoryStorage: { summary: 'Get the size of the metric history on disk', errors },
  deleteHistory: { summary: 'Delete the metric history', errors },
} satisfies Reference<typeof pastStorage>

export const past = {
  getCharts: { summary: 'Read the charts of all guests, nodes and storages', query: { range: '1h' }, errors },
  getStorageCharts: { summary: 'Read the charts of all storages', query: { range: '60' }, errors },
  getHistorySeries: {
    summary: 'Read the past of some figures',
    query: { kind: 'guests', ids: 'pve-5f0c2b6e9a41:100', fields: 'cpu,memory', ...hour, points: 100 },
    errors,
  },
} satisfies Reference<typeof pastCalls>

export const changes = {
  getHistoryState: { summary: 'Read all records of a moment', query: { at: hour.to }, errors },
  getHistoryChanges: { summary: 'Read what changed', query: { ...hour, limit: 100 }, errors },
} satisfies Reference<typeof changeCalls>

export const trends = {
  getHistoryTrends: {
    summary: 'Read the last hour of some figures of all things of a kind',
    query: { kind: 'guests', fields: 'cpu,memory' },
    errors,
  },
} satisfies Reference<typeof trendCalls>

export const played = {
  postHistoryBackTest: {
    summary: 'Count the alerts that a configuration would have raised',
    body: { kind: 'guests', metric: 'cpu', config: alertDefaults },
    errors: ['conflict', ...errors],
  },
} satisfies Reference<typeof backTestCalls>
