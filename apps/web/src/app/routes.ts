import type { RecordKind } from '@pulse/contract'
import { withoutTail } from '@pulse/domain'
import type { ComponentType } from 'react'
import type { LiveReader } from '../live/store.ts'

export type Area = 'proxmox' | 'docker' | 'alerts' | 'settings'

export interface Page {
  path: `/${string}`
  area: Area
  /** as navigation and the window title show it */
  label: string
  /** the page also answers below its path */
  nested?: boolean
  /** navigation lists it only while this holds, or while it is open; it answers all the same */
  listedWhile?: {
    kinds: readonly RecordKind[]
    holds: (live: LiveReader) => boolean
    /** remembers it for the next visit */
    seen?: 'mailSeen'
  }
  /** for administrators only: why, as in `to see this`. Navigation hides it from other users */
  adminTo?: string
  load: () => Promise<ComponentType>
}

/** Every page that exists, in the order navigation shows them. A new page is one line here. */
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
    load: () => import('../features/alerts/page.tsx').then((page) => page.AlertsPage),
  },
  {
    path: '/settings',
    area: 'settings',
    label: 'Settings',
    nested: true,
    load: () => import('../features/settings/page.tsx').then((page) => page.SettingsPage),
  },
]

export const homePath = '/proxmox/overview'

/** Short and older addresses. A target that is not built goes home. */
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

/** Where an address leads: itself when a page answers there, else its redirect, else home. */
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
