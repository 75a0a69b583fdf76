import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { timed, type Ask } from '../proxmox/test-connection.ts'
import type { Cycle } from '../proxmox/watch-host.ts'
import { pbsClient } from './client.ts'
import { fullVersion, toNodeTest } from './map.ts'

/** Whether it is there and lets us in. */
export const collect: Cycle = async (get) => {
  const pbs = pbsClient(get)
  const version = await pbs.version()
  await pbs.nodes()
  return { records: {}, version: fullVersion(version) }
}

/** What the account can see, for somebody who is about to save it. */
export async function examine(ask: Ask, clock: Clock): Promise<NodeTest> {
  const pbs = pbsClient(ask)
  const version = await pbs.version()
  const { value: nodes, latency } = await timed(clock, pbs.nodes)
  const [datastores, granted] = await Promise.all([
    pbs.datastores(),
    pbs.permissions().catch(() => undefined), // tells only why something is missing
  ])
  return toNodeTest({ version, nodes, datastores, granted, latency })
}
