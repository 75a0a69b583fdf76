import { lackingOf, missingOf, type Need } from '../proxmox/rights.ts'
import type { Permissions } from '../proxmox/schema.ts'

const listNeeds: readonly Need[] = [
  {
    path: '/nodes',
    rights: ['Sys.Audit'],
    called: 'Sys.Audit',
    dark: 'node figures stay unknown',
  },
  { path: '/vms', rights: ['VM.Audit'], called: 'VM.Audit', dark: 'guests will not appear' },
  {
    path: '/storage',
    rights: ['Datastore.Audit', 'Datastore.Allocate', 'Datastore.AllocateSpace'],
    called: 'Datastore.Audit',
    dark: 'storage will not appear',
  },
]

const detailNeeds: readonly Need[] = [
  {
    path: '/',
    alone: true,
    rights: ['Sys.Audit'],
    called: 'Sys.Audit',
    dark: 'cluster members stay unknown',
  },
  {
    path: '/vms',
    rights: ['VM.Monitor', 'VM.GuestAgent.Audit', 'VM.GuestAgent.Unrestricted'],
    called: 'VM.GuestAgent.Audit (PVE 9) or VM.Monitor (PVE 8)',
    dark: 'disk usage, addresses and operating system of VMs stay unknown',
  },
  {
    path: '/storage',
    rights: ['Datastore.Allocate', 'Datastore.AllocateSpace'],
    called: 'Datastore.Allocate',
    dark: 'backup files will not be listed',
  },
]

/** PVE filters lists in silence instead of refusing them: what is missing shows here only. */
export const missingForLists = (granted: Permissions): string[] => missingOf(granted, listNeeds)
export const missingRights = (granted: Permissions): string[] =>
  lackingOf(granted, [...listNeeds, ...detailNeeds])
