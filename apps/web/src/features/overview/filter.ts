import type { Preference } from '@pulse/contract'
import type { SearchTipsProps } from '../../parts/search/search-tips.tsx'
import { defineTableView } from '../../parts/table/use-table-view.ts'

/** View settings stored in the browser. */
export const guestTableView = defineTableView({
  sortKey: 'sortKey',
  sortDirection: 'sortDirection',
  filtersShown: 'dashboardShowFilters',
  filters: { type: 'dashboardViewMode', status: 'dashboardStatusMode' },
  layout: { grouping: 'dashboardGroupingMode' },
})

export interface GuestFilters {
  type: Preference<'dashboardViewMode'>
  status: Preference<'dashboardStatusMode'>
  grouping: Preference<'dashboardGroupingMode'>
}

export const guestToggles = {
  type: {
    label: 'Type',
    options: [
      { value: 'all', label: 'All' },
      { value: 'vm', label: 'VMs' },
      { value: 'lxc', label: 'LXCs' },
    ],
  },
  status: {
    label: 'Status',
    options: [
      { value: 'all', label: 'All' },
      { value: 'running', label: 'Running' },
      { value: 'stopped', label: 'Stopped' },
    ],
  },
  grouping: {
    label: 'Layout',
    options: [
      { value: 'grouped', label: 'Grouped' },
      { value: 'flat', label: 'List' },
    ],
  },
} as const

export const searchTips: SearchTipsProps = {
  title: 'Search tips',
  intro: 'Type any part of a name, VMID, node or status. Separate several with commas.',
  tips: [
    { code: 'web, db', description: 'guests that match any of the words' },
    { code: 'cpu>80', description: 'CPU above 80 percent; also memory, disk, uptime in seconds' },
    { code: 'memory<=20', description: 'compare with >, <, >=, <=, = or ==' },
    { code: 'tags:prod', description: 'part of a tag; also name:, node:, vmid:, status:, type:' },
    { code: 'cpu>80, node:pve1', description: 'filters separated by commas must all match' },
    { code: 'cpu>80 OR memory>90', description: 'either one; with AND both' },
  ],
  footer: 'Start typing anywhere to search. Escape resets, Enter remembers a search, ? shows all keys.',
}
