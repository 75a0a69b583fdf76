import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { readList, readOne, Version } from '../proxmox/schema.ts'
import { timed, unlessRefused, type Ask } from '../proxmox/test-connection.ts'
import { toSourceError } from '../source-error.ts'
import { PmgMember, PmgNode } from './schema.ts'

const MEMBERS = '/config/cluster/status'
const auditorMissing = 'the account lacks the role Auditor: queues, nodes and statistics stay unknown'

const askVersion = async (ask: Ask) => readOne(Version, await ask('/version'), '/version')
const askNodes = async (ask: Ask) => readList(PmgNode, await ask('/nodes'), '/nodes')
/** A cluster's members; none for a single gateway. The gateway queries each one. Needs the role Auditor. */
const askMembers = async (ask: Ask) => readList(PmgMember, await ask(MEMBERS), MEMBERS)

/** Checks that the gateway answers and accepts the account. */
export async function greet(ask: Ask): Promise<string | undefined> {
  const { version } = await askVersion(ask)
  return version
}

/** The data visible to the account, for the form before it is saved. */
export async function examine(ask: Ask, clock: Clock): Promise<NodeTest> {
  const { value, latency } = await timed(clock, () => askVersion(ask))
  const { version, release } = value
  const nodes = await unlessRefused(askNodes(ask))
  // The only call here that distinguishes an auditor from an account with fewer rights.
  const mayAudit = await askMembers(ask).then(
    () => true,
    (cause: unknown) => toSourceError(cause).code !== 'forbidden',
  )
  return {
    status: 'success',
    message: mayAudit ? 'Connection successful' : 'Connection successful, but some rights are missing',
    isCluster: false,
    ...(nodes && { nodeCount: nodes.length }),
    ...(version !== undefined && { version }),
    ...(release !== undefined && { release }),
    latency,
    ...(!mayAudit && { warnings: [auditorMissing] }),
  }
}
