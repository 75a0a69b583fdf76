import type { PvePermissions } from './schema.ts'

interface Need {
  path: string
  /** any of them will do */
  rights: readonly string[]
  /** what stays dark */
  without: string
}

const listNeeds: readonly Need[] = [
  {
    path: '/nodes',
    rights: ['Sys.Audit'],
    without: 'Sys.Audit is missing on / or /nodes: node figures and cluster members stay unknown',
  },
  { path: '/vms', rights: ['VM.Audit'], without: 'VM.Audit is missing on /vms: guests will not appear' },
  {
    path: '/storage',
    rights: ['Datastore.Audit', 'Datastore.Allocate', 'Datastore.AllocateSpace'],
    without: 'Datastore.Audit is missing on /storage: storage will not appear',
  },
]

const detailNeeds: readonly Need[] = [
  {
    path: '/vms',
    rights: ['VM.Monitor', 'VM.GuestAgent.Audit', 'VM.GuestAgent.Unrestricted'],
    without:
      'VM.GuestAgent.Audit (PVE 9) or VM.Monitor (PVE 8) is missing on /vms: ' +
      'disk usage, addresses and operating system of VMs stay unknown',
  },
  {
    path: '/storage',
    rights: ['Datastore.Allocate', 'Datastore.AllocateSpace'],
    without: 'Datastore.Allocate is missing on /storage: backup files will not be listed',
  },
]

/** PVE filters lists in silence instead of refusing them: what is missing shows here only. */
export const missingForLists = (granted: PvePermissions): string[] => missing(granted, listNeeds)
export const missingRights = (granted: PvePermissions): string[] =>
  missing(granted, [...listNeeds, ...detailNeeds])

function missing(granted: PvePermissions, needs: readonly Need[]): string[] {
  return needs
    .filter((need) => !need.rights.some((right) => isGranted(granted, need.path, right)))
    .map((n) => n.without)
}

/** A right on the root, on the tree or on a part of it; pools carry rights on their guests and storages. */
function isGranted(granted: PvePermissions, tree: string, right: string): boolean {
  return Object.entries(granted).some(
    ([path, rights]) =>
      Object.hasOwn(rights, right) &&
      (path === '/' || path === tree || path.startsWith(`${tree}/`) || path.startsWith('/pool/')),
  )
}
