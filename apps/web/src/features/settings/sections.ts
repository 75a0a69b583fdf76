import {
  Container,
  DatabaseBackup,
  History,
  Link2,
  Mail,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  Stethoscope,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { ListedSection } from '../../parts/sections/section-frame.tsx'
import { lazySection } from '../../ui/code/lazy-part.tsx'

export interface Section extends ListedSection {
  /** also the last part of its path and the value of `?tab=` */
  id: string
  path: `/settings/${string}`
  description: string
  group: 'Proxmox' | 'Docker' | 'Administration'
  component: ComponentType
}

const nodes = () => import('./nodes/section.tsx')

/** In the order of the navigation. A new section is one entry here. */
export const sections: readonly Section[] = [
  {
    id: 'pve',
    path: '/settings/pve',
    title: 'Proxmox VE nodes',
    description: 'Clusters and single nodes whose guests, storage and disks are monitored.',
    group: 'Proxmox',
    icon: Server,
    component: lazySection('Proxmox VE nodes', async () => ({ default: (await nodes()).PveSection })),
  },
  {
    id: 'pbs',
    path: '/settings/pbs',
    title: 'Proxmox Backup Server',
    description: 'Backup servers whose datastores and jobs are monitored.',
    group: 'Proxmox',
    icon: DatabaseBackup,
    component: lazySection('Proxmox Backup Server', async () => ({ default: (await nodes()).PbsSection })),
  },
  {
    id: 'pmg',
    path: '/settings/pmg',
    title: 'Proxmox Mail Gateway',
    description: 'Mail gateways whose traffic, queues and quarantine are monitored.',
    group: 'Proxmox',
    icon: Mail,
    component: lazySection('Proxmox Mail Gateway', async () => ({ default: (await nodes()).PmgSection })),
  },
  {
    id: 'urls',
    path: '/settings/urls',
    title: 'Guest URLs',
    description: 'Custom links for guests.',
    group: 'Proxmox',
    icon: Link2,
    component: lazySection('Guest URLs', () => import('./guest-urls/section.tsx')),
  },
  {
    id: 'docker',
    path: '/settings/docker',
    title: 'Docker hosts',
    description: 'Container hosts that report through an agent.',
    group: 'Docker',
    icon: Container,
    component: lazySection('Docker hosts', () => import('./docker/section.tsx')),
  },
  {
    id: 'system',
    path: '/settings/system',
    title: 'System',
    description:
      'Discovery, appearance, access from other sites, updates, backup polling, backup and restore.',
    group: 'Administration',
    icon: SlidersHorizontal,
    component: lazySection('System', () => import('./system/section.tsx')),
  },
  {
    id: 'security',
    path: '/settings/security',
    title: 'Security',
    description: 'Sign-in, API tokens, single sign-on, users and the audit log.',
    group: 'Administration',
    icon: ShieldCheck,
    component: lazySection('Security', () => import('./security/section.tsx')),
  },
  {
    id: 'diagnostics',
    path: '/settings/diagnostics',
    title: 'Diagnostics',
    description: 'Health of Pulse and its connections, with support bundles.',
    group: 'Administration',
    icon: Stethoscope,
    component: lazySection('Diagnostics', () => import('./diagnostics/section.tsx')),
  },
  {
    id: 'updates',
    path: '/settings/updates',
    title: 'Updates',
    description: 'Installed updates and their results.',
    group: 'Administration',
    icon: History,
    component: lazySection('Updates', () => import('./updates/section.tsx')),
  },
]

/** By the path, else by `?tab=`; what is unknown or not built leads to the first section. */
export function sectionAt(path: string, tab: unknown, table: readonly Section[] = sections): Section {
  const id = path.split('/')[2]
  return (
    table.find((section) => section.id === id) ??
    table.find((section) => !id && section.id === tab) ??
    table[0]!
  )
}
