import { defaultPorts, type MonitorFlag, type SourceKind } from '@pulse/contract'

interface KindTexts {
  /** within a sentence: "a Proxmox VE node" */
  product: string
  /** heading of the list */
  list: string
  /** example account of this product */
  user: string
  tokenId: string
  hostExample: string
  empty: string
  flags: readonly FlagText[]
}

export interface FlagText {
  flag: MonitorFlag
  label: string
  /** short name for cards */
  badge: string
  hint?: string
}

const example = (kind: SourceKind) => `https://${kind}.example.org:${defaultPorts[kind]}`

export const kindTexts: Record<SourceKind, KindTexts> = {
  pve: {
    product: 'Proxmox VE node',
    list: 'Nodes',
    user: 'pulse-monitor@pam',
    tokenId: 'pulse-monitor@pam!pulse-token',
    hostExample: example('pve'),
    empty: 'Add one node of each cluster; Pulse finds the others.',
    flags: [
      { flag: 'monitorVMs', label: 'Virtual machines', badge: 'VMs' },
      { flag: 'monitorContainers', label: 'Containers', badge: 'Containers' },
      { flag: 'monitorStorage', label: 'Storage', badge: 'Storage' },
      { flag: 'monitorBackups', label: 'Backups and snapshots', badge: 'Backups' },
      {
        flag: 'monitorPhysicalDisks',
        label: 'Physical disks',
        badge: 'Physical disks',
        hint: 'Reads SMART data every 5 minutes, which wakes sleeping disks.',
      },
    ],
  },
  pbs: {
    product: 'Proxmox Backup Server',
    list: 'Backup servers',
    user: 'pulse-monitor@pbs',
    tokenId: 'pulse-monitor@pbs!pulse-token',
    hostExample: example('pbs'),
    empty: 'Add a backup server to see its datastores, jobs and backups.',
    flags: [
      { flag: 'monitorDatastores', label: 'Datastores', badge: 'Datastores' },
      { flag: 'monitorSyncJobs', label: 'Sync jobs', badge: 'Sync jobs' },
      { flag: 'monitorVerifyJobs', label: 'Verify jobs', badge: 'Verify jobs' },
      { flag: 'monitorPruneJobs', label: 'Prune jobs', badge: 'Prune jobs' },
      {
        flag: 'monitorGarbageJobs',
        label: 'Garbage collection',
        badge: 'Garbage collection',
      },
    ],
  },
  pmg: {
    product: 'Proxmox Mail Gateway',
    list: 'Mail gateways',
    user: 'pulse-monitor@pmg',
    tokenId: 'pulse-monitor@pmg!pulse-token',
    hostExample: example('pmg'),
    empty: 'Add a mail gateway to see its mail flow, queues and quarantine.',
    flags: [
      {
        flag: 'monitorMailStats',
        label: 'Mail statistics',
        badge: 'Mail statistics',
      },
      { flag: 'monitorQueues', label: 'Mail queues', badge: 'Queues' },
      { flag: 'monitorQuarantine', label: 'Quarantine', badge: 'Quarantine' },
      {
        flag: 'monitorDomainStats',
        label: 'Statistics by domain',
        badge: 'Domain statistics',
      },
    ],
  },
}
