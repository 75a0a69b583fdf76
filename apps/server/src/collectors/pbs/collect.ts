import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { timed, unlessRefused, type Ask } from '../proxmox/test-connection.ts'
import { type SourceErrorCode, toSourceError } from '../source-error.ts'
import { Permissions, readList, readOne, Version } from '../proxmox/schema.ts'
import { PbsDatastore, PbsNode } from './schema.ts'
import { fullVersion, toNodeTest } from './map.ts'

/** What stands for the version of a server that keeps it to itself. */
const UNKNOWN_VERSION = 'connected'

/** A second question would be answered no better. */
const notAskedTwice: readonly SourceErrorCode[] = ['unauthorized', 'timeout', 'rate_limited']

/** Whether it is there and lets us in. Its list of datastores stands in for a version that it does not tell. */
export async function greet(ask: Ask): Promise<string | undefined> {
  const pbs = pbsClient(ask)
  try {
    return fullVersion(await pbs.version())
  } catch (cause) {
    const { isPathFault, code } = toSourceError(cause)
    if (isPathFault || notAskedTwice.includes(code)) throw cause
    await pbs.datastores().catch(() => {
      throw cause
    })
    return UNKNOWN_VERSION
  }
}

/** What the account can see, for the form before it is saved. */
export async function examine(ask: Ask, clock: Clock): Promise<NodeTest> {
  const pbs = pbsClient(ask)
  const { value: version, latency } = await timed(clock, pbs.version)
  const [nodes, datastores, granted] = await Promise.all([
    unlessRefused(pbs.nodes()),
    unlessRefused(pbs.datastores()),
    pbs.permissions().catch(() => undefined), // tells only why something is missing
  ])
  return toNodeTest({ version, nodes, datastores, granted, latency })
}

/** The questions that PBS is asked, and their answers as far as they are understood. */
const pbsClient = (ask: Ask) => ({
  version: async () => readOne(Version, await ask('/version'), '/version'),
  nodes: async () => readList(PbsNode, await ask('/nodes'), '/nodes'),
  datastores: async () => readList(PbsDatastore, await ask('/admin/datastore'), '/admin/datastore'),
  permissions: async () => readOne(Permissions, await ask('/access/permissions'), '/access/permissions'),
})
