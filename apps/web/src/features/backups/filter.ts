import type { SearchTipsProps } from '../../parts/search/search-tips.tsx'
import { defineTableView } from '../../parts/table/use-table-view.ts'

/** View settings stored in the browser. */
export const backupTableView = defineTableView({
  sortKey: 'backupsSortKey',
  sortDirection: 'backupsSortDirection',
  filters: {},
  layout: {},
})

export type BackupFilters = {
  source: 'all' | 'snapshot' | 'local' | 'remote'
  type: 'all' | 'vm' | 'lxc' | 'host'
  grouping: 'date' | 'guest'
}

export const noFilters: BackupFilters = { source: 'all', type: 'all', grouping: 'date' }

const known: { readonly [N in keyof BackupFilters]: readonly BackupFilters[N][] } = {
  source: ['all', 'snapshot', 'local', 'remote'],
  type: ['all', 'vm', 'lxc', 'host'],
  grouping: ['date', 'guest'],
}

/** Filters from the address; unknown values become the defaults. */
export function filtersIn(params: URLSearchParams): BackupFilters {
  const valueOf = <N extends keyof BackupFilters>(name: N): BackupFilters[N] =>
    known[name].find((value) => value === params.get(name)) ?? noFilters[name]
  return { source: valueOf('source'), type: valueOf('type'), grouping: valueOf('grouping') }
}

const types = [
  { value: 'all', label: 'All Types' },
  { value: 'vm', label: 'VM' },
  { value: 'lxc', label: 'LXC' },
] as const

const toggles = {
  source: {
    label: 'Source',
    options: [
      { value: 'all', label: 'All' },
      { value: 'snapshot', label: 'Snapshots' },
      { value: 'local', label: 'PVE' },
      { value: 'remote', label: 'PBS' },
    ],
  },
  type: { label: 'Guest type', options: types },
  grouping: {
    label: 'Group',
    options: [
      { value: 'date', label: 'By Date' },
      { value: 'guest', label: 'By Guest' },
    ],
  },
} as const

const withHosts = {
  ...toggles,
  type: { ...toggles.type, options: [...types, { value: 'host', label: 'PMG-host' }] },
} as const

export const backupToggles = (hasHosts: boolean) => (hasHosts ? withHosts : toggles)

export const searchTips: SearchTipsProps = {
  title: 'Search tips',
  intro: 'Type any part of a VMID, name, node, backup name, description, storage, datastore or namespace.',
  tips: [
    { code: 'web, db', description: 'backups that match any of the words' },
    {
      code: 'node:pve1',
      description: 'also name:, vmid:, storage:, datastore:, namespace:, owner:, status:',
    },
    { code: 'size>50', description: 'larger than 50 GB; compare with >, <, >=, <=, = or ==' },
    { code: 'node:pve1, type:vm', description: 'filters separated by commas must all match' },
    { code: 'name:web OR size>50', description: 'either one; with AND both' },
    {
      code: 'pbs:vault:main:prod',
      description: 'exactly this server, datastore and namespace; nothing after the last colon is the root',
    },
  ],
  footer: 'Start typing anywhere to search. Escape resets, Enter remembers a search, ? shows all keys.',
}
