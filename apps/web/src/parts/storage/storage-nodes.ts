import type { Storage } from '@pulse/contract'
import { nodeKey } from '../nodes/nodes.ts'

/** The keys of the nodes that can use a storage. */
export const nodeKeysOf = ({ instance, node, nodes, shared }: Storage): readonly string[] =>
  shared ? (nodes ?? []).map((one) => nodeKey({ instance, node: one })) : [nodeKey({ instance, node })]
