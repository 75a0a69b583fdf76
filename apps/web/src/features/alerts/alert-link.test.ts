import { expect, test } from 'vitest'
import { alertLink } from './alert-link.ts'

test.each([
  ['VM', 'cpu', 'web 1', '/proxmox/overview?search=web+1'],
  ['CT', 'cpu', 'web', '/proxmox/overview?search=web'],
  ['Container', 'powered-off', 'wiki', '/proxmox/overview?search=wiki'],
  ['VM', 'backup-age', 'web', '/proxmox/backups?search=web'],
  ['Node', 'memory', 'pve1', '/proxmox/overview?search=node%3Apve1'],
  ['Site', 'site-unreachable', 'St Gallen', '/proxmox/overview?search=site%3ASt+Gallen'],
  ['Storage', 'zfs-pool-state', 'tank', '/proxmox/storage?search=tank'],
  ['Datastore', 'usage', 'main', '/proxmox/storage?search=main'],
  ['Ceph', 'ceph-health', 'prod', '/proxmox/storage'],
  ['Disk', 'disk-health', '/dev/nvme0n1', '/proxmox/storage?tab=disks&disk=%2Fdev%2Fnvme0n1'],
  ['PBS', 'pbs-job-failed', 'pbs1', '/proxmox/backups'],
  ['PMG', 'queue-depth', 'pmg1', '/proxmox/mail'],
  ['Docker Container', 'cpu', 'shop', '/docker?search=name%3Ashop'],
  ['DockerHost', 'docker-host-offline', 'dock1', '/docker?search=host%3Adock1'],
  ['Unknown', 'cpu', 'web', undefined],
  [undefined, 'cpu', 'web', undefined],
])('of a %s, %s of %s is found at %s', (resourceType, type, resourceName, link) => {
  expect(alertLink({ type, resourceName, metadata: { resourceType } })).toBe(link)
})
