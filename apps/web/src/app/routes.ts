import type { RecordKind } from '@pulse/contract'
import { withoutTail } from '@pulse/domain'
import type { ComponentType } from 'react'
import type { LiveReader } from '../live/store.ts'

export type Area = 'proxmox' | 'docker' | 'alerts' | 'settings'

export interface Page {
  path: `/${string}`
  area: Area
  /** in navigation and window title */
  label: string
  /** also handles the paths below its own */
  nested?: boolean
  /** about one thing that the address names: navigation omits it, and it titles the window itself */
  isOfOneThing?: true
  /** navigation lists the page only while this is true or the page is open; its address always works */
  listedWhile?: {
    kinds: readonly RecordKind[]
    holds: (live: LiveReader) => boolean
    /** stores the value for the next visit */
    seen?: 'mailSeen'
  }
  /** paths below which the page always shows now */
  ofNow?: readonly `/${string}`[]
  /** for administrators only, with the reason, as in `to see this`. Navigation hides it from other users */
  adminTo?: string
  load: () => Promise<ComponentType>
}

/** All pages, in the order of the navigation. A new page is one entry here. */
export const pages: readonly Page[] = [
  {
    path: '/proxmox/overview',
    area: 'proxmox',
    label: 'Overview',
    load: () => import('../features/overview/page.tsx').then((page) => page.OverviewPage),
  },
  {
    path: '/proxmox/storage',
    area: 'proxmox',
    label: 'Storage',
    load: () => import('../features/storage/page.tsx').then((page) => page.StoragePage),
  },
  {
    path: '/proxmox/mail',
    area: 'proxmox',
    label: 'Mail Gateway',
    listedWhile: {
      seen: 'mailSeen',
      kinds: ['pmg', 'sources'],
      holds: (live) =>
        live.records('pmg').size > 0 ||
        [...live.records('sources').values()].some(({ kind }) => kind === 'pmg'),
    },
    load: () => import('../features/mail/page.tsx').then((page) => page.MailPage),
  },
  {
    path: '/proxmox/backups',
    area: 'proxmox',
    label: 'Backups',
    load: () => import('../features/backups/page.tsx').then((page) => page.BackupsPage),
  },
  {
    path: '/proxmox/changes',
    area: 'proxmox',
    label: 'Changes',
    load: () => import('../features/changes/page.tsx').then((page) => page.ChangesPage),
  },
  {
    path: '/proxmox/guest',
    area: 'proxmox',
    label: 'Guest',
    nested: true,
    isOfOneThing: true,
    load: () => import('../features/thing/page.tsx').then((page) => page.GuestPage),
  },
  {
    path: '/proxmox/node',
    area: 'proxmox',
    label: 'Node',
    nested: true,
    isOfOneThing: true,
    load: () => import('../features/thing/page.tsx').then((page) => page.NodePage),
  },
  {
    path: '/docker',
    area: 'docker',
    label: 'Docker',
    load: () => import('../features/docker/page.tsx').then((page) => page.DockerPage),
  },
  {
    path: '/alerts',
    area: 'alerts',
    label: 'Alerts',
    nested: true,
    ofNow: ['/alerts/thresholds', '/alerts/custom-rules', '/alerts/destinations', '/alerts/schedule'],
    load: () => import('../features/alerts/page.tsx').then((page) => page.AlertsPage),
  },
  {
    path: '/settings',
    area: 'settings',
    label: 'Settings',
    nested: true,
    ofNow: ['/settings'],
    load: () => import('../features/settings/page.tsx').then((page) => page.SettingsPage),
  },
]

export const homePath = '/proxmox/overview'

/** Short and legacy addresses. A target without a page redirects to the home page. */
export const redirects: Readonly<Record<string, string>> = {
  '/': homePath,
  '/proxmox': homePath,
  '/storage': '/proxmox/storage',
  '/backups': '/proxmox/backups',
}

const redirectLimit = 100

export function pageAt(path: string, table: readonly Page[] = pages): Page | undefined {
  const bare = trimSlash(path)
  return table.find((page) => page.path === bare || (page.nested && bare.startsWith(`${page.path}/`)))
}

/** Whether the page of a path, after redirects, can show the past. */
export function hasPast(path: string, table: readonly Page[] = pages): boolean {
  const at = resolvePath(path, table)
  return !pageAt(at, table)?.ofNow?.some((one) => at === one || at.startsWith(`${one}/`))
}

/** Resolves an address to itself if a page handles it, else to its redirect, else to the home page. */
export function resolvePath(path: string, table: readonly Page[] = pages): string {
  let at = trimSlash(path)
  for (let step = 0; step < redirectLimit; step++) {
    if (pageAt(at, table)) return at
    const next = redirects[at]
    if (next === undefined) break
    at = next
  }
  return homePath
}

const trimSlash = (path: string) => withoutTail(path, '/') || '/'
