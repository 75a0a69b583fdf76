import type { HistoryChange } from '@pulse/contract'
import { thingPath } from '../thing/thing-path.ts'

/** The kinds of records that have changes, in words. */
const labels: Readonly<Record<string, string>> = {
  guests: 'Guest',
  nodes: 'Node',
  storage: 'Storage',
  datastores: 'Datastore',
  cephClusters: 'Ceph cluster',
  physicalDisks: 'Disk',
  pbs: 'Backup server',
  pmg: 'Mail gateway',
  dockerHosts: 'Container host',
  dockerContainers: 'Container',
  sources: 'Connection',
}

/** A kind that this version does not know, or that an address made up, is shown as it is. */
export const kindLabel = (kind: string): string => (Object.hasOwn(labels, kind) ? labels[kind]! : kind)

/** The page of the thing, or the page that lists it; undefined if no page does. */
export function changeLink({
  kind,
  id,
  name,
}: Pick<HistoryChange, 'kind' | 'id' | 'name'>): string | undefined {
  const search = (text: string) => `?${new URLSearchParams({ search: text }).toString()}`
  switch (kind) {
    case 'guests':
    case 'nodes':
      return thingPath(kind, id)
    case 'storage':
    case 'datastores':
      return `/proxmox/storage${search(name)}`
    case 'physicalDisks':
      return `/proxmox/storage?${new URLSearchParams({ tab: 'disks', disk: name }).toString()}`
    case 'cephClusters':
      return '/proxmox/storage'
    case 'pbs':
      return '/proxmox/backups'
    case 'pmg':
      return '/proxmox/mail'
    case 'dockerHosts':
      return `/docker${search(`host:${name}`)}`
    case 'dockerContainers':
      return `/docker${search(`name:${name}`)}`
    default:
      return undefined
  }
}
