import { readList, readOne, Version } from '../proxmox/schema.ts'
import type { Ask } from '../proxmox/test-connection.ts'
import { PmgMember, PmgNode } from './schema.ts'

/** The questions that PMG is asked, and their answers as far as they are understood. */
export const pmgClient = (ask: Ask) => ({
  version: async () => readOne(Version, await ask('/version'), '/version'),
  nodes: async () => readList(PmgNode, await ask('/nodes'), '/nodes'),
  /** Of a cluster; a single gateway has none. Asks every one of them, and needs the role Auditor. */
  members: async () => readList(PmgMember, await ask('/config/cluster/status'), '/config/cluster/status'),
})
