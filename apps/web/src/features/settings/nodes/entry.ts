import { DatabaseBackup, Mail, Server } from 'lucide-react'
import { lazySection } from '../../../ui/code/lazy-part.tsx'
import type { Section } from '../section.ts'

const nodes = () => import('./section.tsx')

export const pve: Section = {
  id: 'pve',
  path: '/settings/pve',
  title: 'Proxmox VE nodes',
  description: 'Clusters and single nodes whose guests, storage and disks are monitored.',
  group: 'Proxmox',
  icon: Server,
  component: lazySection('Proxmox VE nodes', async () => ({ default: (await nodes()).PveSection })),
}

export const pbs: Section = {
  id: 'pbs',
  path: '/settings/pbs',
  title: 'Proxmox Backup Server',
  description: 'Backup servers whose datastores and jobs are monitored.',
  group: 'Proxmox',
  icon: DatabaseBackup,
  component: lazySection('Proxmox Backup Server', async () => ({ default: (await nodes()).PbsSection })),
}

export const pmg: Section = {
  id: 'pmg',
  path: '/settings/pmg',
  title: 'Proxmox Mail Gateway',
  description: 'Mail gateways whose traffic, queues and quarantine are monitored.',
  group: 'Proxmox',
  icon: Mail,
  component: lazySection('Proxmox Mail Gateway', async () => ({ default: (await nodes()).PmgSection })),
}
