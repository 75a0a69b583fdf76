import type { LiveReader } from '../../live/store.ts'
import { indexNodes, type NodeIndex } from '../../parts/nodes/nodes.ts'
import { nodeOfPlace } from './places.ts'
import type { NodeNames } from './storage-search.ts'

const held = new WeakMap<NodeIndex, NodeNames>()

/** Of all nodes, in lower case; the same set while the nodes are the same. */
export function nodeNames(live: LiveReader): NodeNames {
  const index = indexNodes(live)
  let names = held.get(index)
  if (!names)
    held.set(index, (names = new Set([...index.keys()].map((one) => nodeOfPlace(one).toLowerCase()))))
  return names
}
