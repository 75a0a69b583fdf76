import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { timed, unlessRefused, type Ask } from '../proxmox/test-connection.ts'
import { type SourceErrorCode, toSourceError } from '../source-error.ts'
import { Permissions, readList, readOne, Version } from '../proxmox/schema.ts'
import { PbsDatastore, PbsNode } from './schema.ts'
import { fullVersion, toNodeTest } from './map.ts'

/** The displayed version of a server that does not reveal it. */
const UNKNOWN_VERSION = 'connected'

/** A second question would fail the same way. */
const notAskedTwice: readonly SourceErrorCode[] = ['unauthorized', 'timeout', 'rate_limited']

/** Checks server and account. Without a version, an answer with the list of datastores is enough. */
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

/** The data visible to the account, for the form before it is saved. */
export async function examine(ask: Ask, clock: Clock): Promise<NodeTest> {
  const pbs = pbsClient(ask)
  const { value: version, latency } = await timed(clock, pbs.version)
  const [nodes, datastores, granted] = await Promise.all([
    unlessRefused(pbs.nodes()),
    unlessRefused(pbs.datastores()),
    pbs.permissions().catch(() => undefined), // only explains why something is missing
  ])
  return toNodeTest({ version, nodes, datastores, granted, latency })
}

/** The queries of PBS with their parsed answers. */
const pbsClient = (ask: Ask) => ({
  version: async () => readOne(Version, await ask('/version'), '/version'),
  nodes: async () => readList(PbsNode, await ask('/nodes'), '/nodes'),
  datastores: async () => readList(PbsDatastore, await ask('/admin/datastore'), '/admin/datastore'),
  permissions: async () => readOne(Permissions, await ask('/access/permissions'), '/access/permissions'),
})
