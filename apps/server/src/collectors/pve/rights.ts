import { missingOf, type Need } from '../proxmox/rights.ts'
import type { Permissions } from '../proxmox/schema.ts'

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
export const missingForLists = (granted: Permissions): string[] => missingOf(granted, listNeeds)
export const missingRights = (granted: Permissions): string[] =>
  missingOf(granted, [...listNeeds, ...detailNeeds])
