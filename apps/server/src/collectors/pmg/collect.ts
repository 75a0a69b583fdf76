import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { timed, unlessRefused, type Ask } from '../proxmox/test-connection.ts'
import { toSourceError } from '../source-error.ts'
import { pmgClient } from './client.ts'
import { toNodeTest } from './map.ts'

/** Whether it is there and lets us in. */
export async function greet(ask: Ask): Promise<string | undefined> {
  const { version } = await pmgClient(ask).version()
  return version
}

/** What the account can see, for the form before it is saved. */
export async function examine(ask: Ask, clock: Clock): Promise<NodeTest> {
  const pmg = pmgClient(ask)
  const { value: version, latency } = await timed(clock, pmg.version)
  const nodes = await unlessRefused(pmg.nodes())
  // The only call here that distinguishes an auditor from an account with fewer rights.
  const mayAudit = await pmg.members().then(
    () => true,
    (cause: unknown) => toSourceError(cause).code !== 'forbidden',
  )
  return toNodeTest({ version, nodes, mayAudit, latency })
}
