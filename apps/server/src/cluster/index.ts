import { randomUUID } from 'node:crypto'
import { createSignal } from '../signal.ts'
import { openBus } from './nats/bus.ts'
import type { Cluster, ClusterEdges } from './cluster.ts'
import { joinOver } from './joined.ts'

const trouble = 'nats'

/** Rejects if no NATS server answers. */
export async function joinCluster(edges: ClusterEdges): Promise<Cluster> {
  const { config, clock, troubles, report } = edges
  const { nats, roles } = config
  const id = randomUUID()
  const onFault = (error: unknown) => report('cluster', error)
  const back = createSignal()
  const bus = await openBus(nats, {
    name: `pulse ${roles.join()} ${id}`,
    clock,
    onLost: (why) =>
      troubles.begin(
        trouble,
        `NATS does not answer (${why}). This process goes on with what it has; figures from other processes are stale until it is back.`,
      ),
    onBack() {
      troubles.end(trouble, 'NATS did not answer for a while. It is back.')
      back.emit()
    },
  })
  try {
    return await joinOver(bus, { ...edges, id, onFault, onBack: back.on })
  } catch (error) {
    // the next attempt has a connection of its own
    await bus.close()
    throw error
  }
}
