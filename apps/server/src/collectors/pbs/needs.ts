import type { Need } from '../proxmox/rights.ts'

/** What the account must be allowed to see. */
export const needs: readonly Need[] = [
  {
    path: '/datastore',
    rights: ['Datastore.Audit', 'Datastore.Modify'],
    called: 'Datastore.Audit',
    dark: 'datastores and backups will not appear',
  },
  {
    path: '/system',
    rights: ['Sys.Audit', 'Sys.Modify'],
    called: 'Sys.Audit',
    dark: 'processor, memory and tasks stay unknown',
  },
]
