import type { Preference } from '@pulse/contract'
import type { SearchTipsProps } from '../../parts/search/search-tips.tsx'
import { defineTableView } from '../../parts/table/use-table-view.ts'

/** View settings of the pools, stored in the browser. */
export const poolTableView = defineTableView({
  sortKey: 'storageSortKey',
  sortDirection: 'storageSortDirection',
  filters: {},
  layout: { grouping: 'storageViewMode' },
})

export type PoolGrouping = Preference<'storageViewMode'>

export const poolToggles = {
  grouping: {
    label: 'Group',
    options: [
      { value: 'node', label: 'By Node' },
      { value: 'storage', label: 'By Storage' },
    ],
  },
} as const

export const diskSearchTips: SearchTipsProps = {
  title: 'Search tips',
  intro: 'Type any part of a model, device, serial number or node. All words must match.',
  tips: [{ code: 'node:pve1', description: 'disks of this node' }],
}

export const poolSearchTips: SearchTipsProps = {
  title: 'Search tips',
  intro: 'Type any part of a name, node, type, content or status. All words must match.',
  tips: [
    { code: 'zfs backup', description: 'storages that match both words' },
    { code: 'node:pve1', description: 'storages that this node can use' },
  ],
  footer: 'Start typing anywhere to search. Escape resets, Enter remembers a search, ? shows all keys.',
}
