import type { Preference } from '@pulse/contract'
import type { SearchTipsProps } from '../../parts/search/search-tips.tsx'
import { defineTableView } from '../../parts/table/use-table-view.ts'

/** View settings stored in the browser. */
export const containerTableView = defineTableView({
  sortKey: 'dockerSortKey',
  sortDirection: 'dockerSortDirection',
  filters: {},
  layout: { grouping: 'dockerGroupingMode' },
})

export type ContainerGrouping = Preference<'dockerGroupingMode'>

export const containerToggles = {
  grouping: {
    label: 'Group',
    options: [
      { value: 'grouped', label: 'Grouped' },
      { value: 'project', label: 'By Project' },
      { value: 'flat', label: 'Flat' },
    ],
  },
} as const

export const containerSearchTips: SearchTipsProps = {
  title: 'Search tips',
  intro:
    'Type any part of a name, image, id, state, status, label or host. Separate several with spaces or commas: all must match.',
  tips: [
    { code: 'web nginx', description: 'containers that match both words' },
    { code: 'host:dock1', description: 'part of a host name' },
    { code: 'name:web', description: 'part of a container name' },
    { code: 'image:nginx:1.29', description: 'part of an image' },
    { code: 'state:exited', description: 'a state or health, as in state:unhealthy' },
    { code: 'id:3f2a', description: 'part of an id' },
    { code: 'label:tier=front', description: 'part of a label, its key or its value' },
  ],
  footer: 'Start typing anywhere to search. Escape resets, Enter remembers a search, ? shows all keys.',
}
