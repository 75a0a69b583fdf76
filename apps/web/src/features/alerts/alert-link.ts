import type { Alert } from '@pulse/contract'

type Subject = Pick<Alert, 'type' | 'resourceName'> & Partial<Pick<Alert, 'node' | 'metadata'>>

const paths = {
  overview: '/proxmox/overview',
  storage: '/proxmox/storage',
  backups: '/proxmox/backups',
  mail: '/proxmox/mail',
  docker: '/docker',
} as const

/** The kind of the resource, if such resources have pages of their own. Alerts of backups lead to the backups. */
export function thingKind(
  { type, metadata }: Subject,
  resourceType = metadata?.['resourceType'],
): 'guests' | 'nodes' | undefined {
  if (type.startsWith('backup-')) return undefined
  if (resourceType === 'Node') return 'nodes'
  return resourceType === 'VM' || resourceType === 'CT' || resourceType === 'Container' ? 'guests' : undefined
}

/** Link to the page of the alert's resource, with the search filled in; undefined if no page shows it. */
export function alertLink(
  alert: Subject,
  resourceType = alert.metadata?.['resourceType'],
): string | undefined {
  const { type, resourceName: name } = alert
  if (type.startsWith('backup-')) return at(paths.backups, name)
  switch (resourceType) {
    case 'VM':
    case 'CT':
    case 'Container':
      return at(paths.overview, name)
    case 'Node':
      return at(paths.overview, `node:${name}`)
    case 'Site':
      return at(paths.overview, `site:${name}`)
    case 'Storage':
    case 'Datastore':
    case 'Ceph':
      return at(paths.storage, resourceType === 'Ceph' ? '' : name)
    case 'Disk':
      return at(paths.storage, '', { tab: 'disks', disk: name })
    case 'PBS':
      return paths.backups
    case 'PMG':
      return paths.mail
    case 'Docker Container':
      return at(paths.docker, `name:${name}`)
    case 'Docker Host':
    case 'DockerHost':
      return at(paths.docker, `host:${name}`)
    default:
      return undefined
  }
}

function at(path: string, search: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...more, ...(search && { search }) })
  return query.size > 0 ? `${path}?${query}` : path
}
