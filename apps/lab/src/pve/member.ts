import type { Node } from '../estate/estate.ts'
import type { Rights } from '../access/access.ts'
import type { Call, PveWorld } from './route.ts'

/** Every user may see names; figures need Sys.Audit on the node. */
export function nodeFigures(world: PveWorld, node: Node, rights: Rights) {
  const identity = {
    id: `node/${node.name}`,
    type: 'node',
    node: node.name,
    status: node.online ? 'online' : 'offline',
    level: '',
  }
  if (!rights.has(`/nodes/${node.name}`, 'Sys.Audit')) return identity
  const { hardware } = node
  const limits = { maxcpu: hardware.threads, maxmem: hardware.memBytes, maxdisk: hardware.rootBytes }
  if (!node.online) return { ...identity, ...limits }
  const { cpu, memBytes, diskBytes, uptimeSeconds } = world.readings.node(node)
  return { ...identity, ...limits, cpu, mem: memBytes, disk: diskBytes, uptime: uptimeSeconds }
}

/** The member named in the path; `localhost` is the queried member. */
export function memberOf({ cluster, local, params }: Pick<Call, 'cluster' | 'local' | 'params'>): Node {
  return cluster.nodes.find(({ name }) => name === params.node) ?? local
}
