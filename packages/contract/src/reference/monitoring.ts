import type * as guests from '../rest/guests.ts'
import type * as listings from '../rest/listings.ts'
import type * as status from '../rest/status.ts'
import type { Reference } from './about.ts'

const link = { id: 'pve1-100', customUrl: 'https://web-01.example.com' }
const params = { guestId: link.id }

export const state = {
  getHealth: { summary: 'Get the health of Pulse' },
  getVersion: { summary: 'Get the version and the deployment type' },
  getState: { summary: 'Get the complete live state' },
  getPerformance: { summary: 'Get the cost of monitoring, for hosts and for this server' },
  getStats: { summary: 'Get uptime and connected clients' },
} satisfies Reference<typeof status>

export const lists = {
  getBackups: { summary: 'Read the backups of all sources' },
  getUnifiedBackups: { summary: 'Read the backups of all sources, under another address' },
  getPveBackups: { summary: 'Read the backup files on Proxmox VE storages' },
  getPbsBackups: { summary: 'Read the backup servers with their datastores' },
  getSnapshots: { summary: 'Read the snapshots of guests' },
  getStorage: {
    summary: 'Read one storage',
    params: { id: 'pve1-pve1-local-zfs' },
    errors: ['storage_not_found'],
  },
} satisfies Reference<typeof listings>

export const links = {
  getGuestsMetadata: { summary: 'List the links of guests' },
  getGuestMetadata: { summary: 'Read the link of a guest', params },
  putGuestMetadata: {
    summary: 'Set the link of a guest',
    params,
    body: { customUrl: link.customUrl },
    errors: ['conflict', 'locked_by_environment'],
  },
  deleteGuestMetadata: {
    summary: 'Remove the link of a guest',
    params,
    errors: ['conflict', 'locked_by_environment'],
  },
} satisfies Reference<typeof guests>
