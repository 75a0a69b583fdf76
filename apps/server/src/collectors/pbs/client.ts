import { Permissions, readList, readOne, Version } from '../proxmox/schema.ts'
import type { Ask } from '../proxmox/test-connection.ts'
import { PbsDatastore, PbsNode } from './schema.ts'

/** The questions that PBS is asked, and their answers as far as they are understood. */
export const pbsClient = (ask: Ask) => ({
  version: async () => readOne(Version, await ask('/version'), '/version'),
  nodes: async () => readList(PbsNode, await ask('/nodes'), '/nodes'),
  datastores: async () => readList(PbsDatastore, await ask('/admin/datastore'), '/admin/datastore'),
  permissions: async () => readOne(Permissions, await ask('/access/permissions'), '/access/permissions'),
})
