import { guestRates } from './entities/sampled-fields.ts'

/**
 * Values kept in the browser. They have no schemas, because they are read before anything is drawn. Unknown
 * values fall back to the default.
 */
const direction = ['asc', 'desc'] as const
const bool = ['true', 'false'] as const

export const preferences = {
  /** chosen in this browser */
  darkMode: { values: bool, initial: undefined },
  /** the server's last value, for a browser without its own choice */
  followedTheme: { values: ['light', 'dark'], initial: undefined },
  dashboardViewMode: { values: ['all', 'vm', 'lxc'], initial: 'all' },
  dashboardStatusMode: { values: ['all', 'running', 'stopped'], initial: 'all' },
  dashboardGroupingMode: { values: ['grouped', 'flat'], initial: 'grouped' },
  dashboardShowFilters: { values: bool, initial: 'false' },
  /** whether data was present when this browser last looked: the page reserves its space from the start */
  alertsSeen: { values: bool, initial: 'false' },
  mailSeen: { values: bool, initial: 'false' },
  /** row height of tables */
  rowDensity: { values: ['comfortable', 'dense'], initial: 'comfortable' },
  /** whether tables show the last hour behind their figures */
  trends: { values: bool, initial: 'false' },
  /** whether a long table of nodes also shows the healthy ones */
  nodesUnfolded: { values: bool, initial: 'false' },
  sortKey: {
    values: ['name', 'type', 'vmid', 'uptime', 'cpu', 'memory', 'disk', ...guestRates] as const,
    initial: 'vmid',
  },
  sortDirection: { values: direction, initial: 'asc' },
  storageViewMode: { values: ['node', 'storage'], initial: 'node' },
  storageSortKey: {
    values: ['name', 'node', 'type', 'status', 'usage', 'free', 'total', 'fullIn'],
    initial: 'name',
  },
  storageSortDirection: { values: direction, initial: 'asc' },
  backupsSortKey: {
    values: [
      'backupTime',
      'name',
      'node',
      'vmid',
      'backupType',
      'size',
      'storage',
      'verified',
      'type',
      'owner',
    ],
    initial: 'backupTime',
  },
  backupsSortDirection: { values: direction, initial: 'desc' },
  backupsUseRelativeTime: { values: bool, initial: 'false' },
  dockerGroupingMode: { values: ['grouped', 'flat', 'project'], initial: 'grouped' },
  dockerSortKey: { values: ['name', 'status', 'cpu', 'memory', 'restarts'], initial: 'name' },
  dockerSortDirection: { values: direction, initial: 'asc' },
  alertsGrouping: { values: ['none', 'cause', 'node'], initial: 'none' },
  alertHistoryPeriod: { values: ['24h', '7d', '30d', 'all'], initial: '7d' },
  alertHistoryLevel: { values: ['all', 'critical', 'warning'], initial: 'all' },
} as const

export type PreferenceKey = keyof typeof preferences
export type Preference<K extends PreferenceKey> = (typeof preferences)[K]['values'][number]

/** Search terms of a page, newest first. */
export type SearchHistory = readonly string[]
export const searchHistoryLimit = 10

/** Platforms that have ever had data in this browser. */
export interface PlatformsSeen {
  proxmox?: boolean
  docker?: boolean
}
