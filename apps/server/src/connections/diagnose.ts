import type { Diagnostics, NodeConfig } from '@pulse/contract'
import { type Clock, counting } from '@pulse/domain'
import type { State } from '../state/state.ts'
import type { ConnectionArea } from './connections.ts'
import { describe, describePve, type Tested, testSource } from './diagnose-source.ts'
import { describeMemory } from './memory.ts'

/** A run may take 30 s. The rest is for assembling the answer. */
const testsMs = 25_000
const testsAtOnce = 8

const tooLate: Tested = { error: 'not tested: the run took too long' }

export interface DiagnosedConnections {
  connections: ConnectionArea
  state: State
  clock: Clock
}

type Block = Pick<
  Diagnostics,
  'nodes' | 'pbs' | 'errors' | 'notes' | 'memorySources' | 'nodeSnapshots' | 'guestSnapshots'
>

/** Tests every connection again. */
export async function diagnoseConnections({
  connections,
  state,
  clock,
}: DiagnosedConnections): Promise<Block> {
  const tested = await testAll(connections, clock)
  const list = connections.list()
  const calls = connections.calls()
  const outcome = (id: string) => tested.get(id) ?? tooLate
  const short = (connection: NodeConfig) =>
    describe(
      connection,
      outcome(connection.id),
      calls[connection.id],
      state.tables.sources.get(connection.id)?.lastSeen,
    )
  const late = list.filter(({ id }) => !tested.has(id)).length
  return {
    errors:
      late > 0
        ? [
            `${counting(late, 'connection was', 'connections were')} not tested, because the run took too long.`,
          ]
        : [],
    nodes: list.flatMap((connection) => {
      if (connection.type === 'pbs') return []
      if (connection.type === 'pmg') return [{ ...shortGateway(short(connection)), type: 'pmg' as const }]
      return [describePve(connection, outcome(connection.id), calls[connection.id], state)]
    }),
    pbs: list.filter(({ type }) => type === 'pbs').map(short),
    ...describeMemory(connections.running().flatMap((running) => running.memory?.() ?? [])),
    notes: list.length === 0 ? ['Nothing is monitored yet: add a node.'] : [],
  }
}

async function testAll(connections: ConnectionArea, clock: Clock): Promise<Map<string, Tested>> {
  const tested = new Map<string, Tested>()
  const waiting = [...connections.list()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      tested.set(next.id, await testSource(connections, next.id))
    }
  }
  await new Promise<void>((resolve, reject) => {
    const cancel = clock.after(testsMs, () => {
      waiting.length = 0
      resolve()
    })
    Promise.all(Array.from({ length: testsAtOnce }, worker))
      .then(() => resolve(), reject)
      .finally(cancel)
  })
  return tested
}

const shortGateway = ({ details, ...rest }: ReturnType<typeof describe>) => ({
  ...rest,
  ...(details && { details: { node_count: 1, version: details.version } }),
})
