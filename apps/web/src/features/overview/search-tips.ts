import type { SearchTip } from '../../parts/search/search-tips.tsx'

export const searchTips: { title: string; intro: string; tips: readonly SearchTip[]; footer: string } = {
  title: 'Search tips',
  intro: 'Type any part of a name, VMID, node or status. Separate several with commas.',
  tips: [
    { code: 'web, db', description: 'guests that match any of the words' },
    { code: 'cpu>80', description: 'CPU above 80 percent; also memory, disk, uptime in seconds' },
    { code: 'memory<=20', description: 'compare with >, <, >=, <=, = or ==' },
    { code: 'tags:prod', description: 'part of a tag; also name:, node:, vmid:, status:, type:' },
    { code: 'cpu>80, node:pve1', description: 'filters separated by commas must all hold' },
    { code: 'cpu>80 OR memory>90', description: 'either one; with AND both' },
  ],
  footer: 'Start typing anywhere to search. Escape resets, Enter remembers a search.',
}
