import type { Storage } from '@pulse/contract'
import { perVersion, sameSet } from '../../live/per-version.ts'
import { indexNodes, nodeKey } from '../../parts/nodes/nodes.ts'
import type { NodeNames } from './storage-search.ts'

/** Group key of shared storages: no node has an empty name. */
export const sharedPlace = (instance: string): string => nodeKey({ instance, node: '' })
export const isSharedPlace = (place: string): boolean => place.endsWith('\0')

/** The nodes that can use a storage, as places. */
export const placesOf = ({ instance, node, nodes, shared }: Storage): readonly string[] =>
  shared ? (nodes ?? []).map((one) => nodeKey({ instance, node: one })) : [nodeKey({ instance, node })]

/** Group of a storage. A storage that only one node can use belongs to that node, even if shared. */
export function groupOf(pool: Storage): string {
  const places = placesOf(pool)
  return places.length === 1 ? places[0]! : sharedPlace(pool.instance)
}

export const nodeOfPlace = (place: string): string => place.slice(place.indexOf('\0') + 1)
export const instanceOfPlace = (place: string): string => place.slice(0, place.indexOf('\0'))

/** `pve1`, or `3 nodes`. */
export function whereText({ node, nodes, shared }: Storage): string {
  if (!shared) return node
  return nodes?.length === 1 ? nodes[0]! : `${nodes?.length ?? 0} nodes`
}

/** Lower-case names of all nodes; same identity while unchanged. */
export const nodeNames = perVersion(
  ['nodes'],
  (live): NodeNames => new Set([...indexNodes(live).keys()].map((place) => nodeOfPlace(place).toLowerCase())),
  sameSet,
)
