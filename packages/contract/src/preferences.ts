import * as z from 'zod/mini'

/** Values kept in the browser. Anything that is not one of the known values falls back to the default. */
const direction = z.enum(['asc', 'desc'])
const bool = z.enum(['true', 'false'])

export const preferences = {
  /** chosen in this browser */
  darkMode: { schema: bool, initial: undefined },
  /** what the server last said, for a browser in which nobody chose */
  followedTheme: { schema: z.enum(['light', 'dark']), initial: undefined },
  dashboardViewMode: { schema: z.enum(['all', 'vm', 'lxc']), initial: 'all' },
  dashboardStatusMode: { schema: z.enum(['all', 'running', 'stopped']), initial: 'all' },
  dashboardGroupingMode: { schema: z.enum(['grouped', 'flat']), initial: 'grouped' },
  dashboardShowFilters: { schema: bool, initial: 'false' },
  /** how high the rows of tables are */
  rowDensity: { schema: z.enum(['comfortable', 'dense']), initial: 'comfortable' },
  /** whether a long table of nodes shows those that are well */
  nodesUnfolded: { schema: bool, initial: 'false' },
  sortKey: {
    schema: z.enum([
      'name',
      'type',
      'vmid',
      'uptime',
      'cpu',
      'memory',
      'disk',
      'diskRead',
      'diskWrite',
      'networkIn',
      'networkOut',
    ]),
    initial: 'vmid',
  },
  sortDirection: { schema: direction, initial: 'asc' },
  storageViewMode: { schema: z.enum(['node', 'storage']), initial: 'node' },
  storageSortKey: {
    schema: z.enum(['name', 'node', 'type', 'status', 'usage', 'free', 'total']),
    initial: 'name',
  },
  storageSortDirection: { schema: direction, initial: 'asc' },
  backupsSortKey: {
    schema: z.enum([
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
    ]),
    initial: 'backupTime',
  },
  backupsSortDirection: { schema: direction, initial: 'desc' },
  backupsUseRelativeTime: { schema: bool, initial: 'false' },
} as const

export type PreferenceKey = keyof typeof preferences
export type Preference<K extends PreferenceKey> = z.infer<(typeof preferences)[K]['schema']>

/** Search terms of a page, newest first. */
export const SearchHistory = z.array(z.string())
export const searchHistoryLimit = 10

/** Which platforms ever had data in this browser. */
export const PlatformsSeen = z.object({
  proxmox: z.optional(z.boolean()),
  docker: z.optional(z.boolean()),
})
export type PlatformsSeen = z.infer<typeof PlatformsSeen>
