import type { Storage } from '@pulse/contract'
import { perVersion, sameSet } from '../../live/per-version.ts'
import { indexNodes, nodeKey } from '../../parts/nodes/nodes.ts'
import { nodeKeysOf } from '../../parts/storage/storage-nodes.ts'
import type { NodeNames } from './storage-search.ts'

/** Group key of shared storages: no node has an empty name. */
export const sharedGroup = (instance: string): string => nodeKey({ instance, node: '' })
export const isSharedGroup = (key: string): boolean => key.endsWith('\0')

/** Group of a storage. A storage that only one node can use belongs to that node, even if shared. */
export function groupOf(pool: Storage): string {
  const keys = nodeKeysOf(pool)
  return keys.length === 1 ? keys[0]! : sharedGroup(pool.instance)
}

export const nodeOfKey = (key: string): string => key.slice(key.indexOf('\0') + 1)
export const instanceOfKey = (key: string): string => key.slice(0, key.indexOf('\0'))

/** `pve1`, or `3 nodes`. */
export function whereText({ node, nodes, shared }: Storage): string {
  if (!shared) return node
  return nodes?.length === 1 ? nodes[0]! : `${nodes?.length ?? 0} nodes`
}

/** Lower-case names of all nodes; same identity while unchanged. */
export const nodeNames = perVersion(
  ['nodes'],
  (live): NodeNames => new Set([...indexNodes(live).keys()].map((key) => nodeOfKey(key).toLowerCase())),
  sameSet,
)
