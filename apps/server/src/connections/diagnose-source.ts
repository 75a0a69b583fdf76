import type {
  ConnectionCalls,
  DiagnosedBackupServer,
  DiagnosedNode,
  NodeConfig,
  NodeTest,
} from '@pulse/contract'
import type { ConnectionArea } from './connections.ts'
import { AppError } from '../app-error.ts'
import type { State } from '../state/state.ts'
import { adviceOn } from './advice.ts'
import { checkPhysicalDisks, checkVmDisks } from './disk-check.ts'

/** The result of one connection test, which never throws. */
export type Tested = { test: NodeTest } | { error: string }

export async function testSource(connections: ConnectionArea, id: string): Promise<Tested> {
  try {
    return { test: await connections.testStored(id) }
  } catch (error) {
    if (error instanceof AppError) return { error: error.message }
    throw error
  }
}

export function describePve(
  connection: NodeConfig,
  tested: Tested,
  calls: ConnectionCalls | undefined,
  { tables }: State,
): DiagnosedNode {
  const own = <R extends { source: string }>(records: Iterable<R>) =>
    [...records].filter(({ source }) => source === connection.id)
  const nodes = own(tables.nodes.values())
  const test = 'test' in tested ? tested.test : undefined
  const count = test?.clusterNodeCount ?? test?.nodeCount ?? nodes.length
  const physicalDisks = checkPhysicalDisks(connection, own(tables.physicalDisks.values()))
  return {
    ...describe(connection, tested, calls, tables.sources.get(connection.id)?.lastSeen),
    type: 'pve',
    details: { node_count: count, version: test?.version ?? '' },
    ...(connection.isCluster && {
      clusterInfo: { ...(connection.clusterName && { name: connection.clusterName }), nodes: count },
    }),
    vmDiskCheck: checkVmDisks(own(tables.guests.values()), test?.warnings ?? []),
    ...(physicalDisks && { physicalDisks }),
  }
}

/** Describes a mail gateway or a backup server. */
export function describe(
  connection: NodeConfig,
  tested: Tested,
  calls: ConnectionCalls | undefined,
  lastSeen: number | undefined,
): DiagnosedBackupServer {
  const { id, name, host, hasToken, hasPassword } = connection
  const missing = 'test' in tested ? (tested.test.warnings ?? []) : []
  const version = 'test' in tested ? tested.test.version : undefined
  return {
    id,
    name,
    host,
    connected: 'test' in tested,
    ...('error' in tested && { error: tested.error }),
    ...(lastSeen !== undefined && { lastPoll: new Date(lastSeen).toISOString() }),
    authMethod: hasToken ? 'api_token' : hasPassword ? 'username_password' : 'none',
    ...('test' in tested && { rights: { missing, advice: adviceOn(missing, connection) } }),
    ...(calls && { calls: withNodeList(calls) }),
    ...(version !== undefined && { details: { version } }),
  }
}

const withNodeList = ({ name: _name, nodes, ...sums }: ConnectionCalls) => ({
  ...sums,
  nodes: Object.entries(nodes).map(([node, own]) => ({ node, ...own })),
})
