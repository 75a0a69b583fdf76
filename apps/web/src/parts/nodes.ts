import type { Node } from '@pulse/contract'
import type { LiveReader } from '../live/store.ts'
import { isNodeOnline, isNodeSilent } from './status.ts'

export interface NodePlace {
  instance: string
  node: string
}

/** Guests, storage and disks name their node this way; the separator occurs in neither part. */
export const placeKey = ({ instance, node }: NodePlace): string => `${instance}\0${node}`

export interface IndexedNode {
  /** the identity in the store */
  id: string
  node: Node
  online: boolean
  /** its source does not answer; never while it is online */
  silent: boolean
}

export type NodeIndex = ReadonlyMap<string, IndexedNode>

const indexes = new WeakMap<LiveReader, { version: number; index: NodeIndex }>()

/** Nodes by place; made once per change of the nodes, however many selectors ask. */
export function indexNodes(live: LiveReader): NodeIndex {
  const version = live.version('nodes')
  const held = indexes.get(live)
  if (held?.version === version) return held.index
  const index = new Map<string, IndexedNode>()
  for (const [id, node] of live.records('nodes')) {
    index.set(placeKey(node), { id, node, online: isNodeOnline(node), silent: isNodeSilent(node) })
  }
  indexes.set(live, { version, index })
  return index
}

/** A node we know nothing about is not called offline. */
export const isOffline = (index: NodeIndex, place: string): boolean => index.get(place)?.online === false

export type NodeState = 'online' | 'stale' | 'silent' | 'offline' | 'down'

/**
 * `down`: its cluster says that it is off, which is more than that it does not answer (`silent`).
 * `stale`: its figures are old, though its source answers.
 */
export function nodeState(index: NodeIndex, place: string): NodeState {
  const known = index.get(place)
  if (!known) return 'online'
  if (known.online) return known.node.staleSince === undefined ? 'online' : 'stale'
  if (known.silent) return 'silent'
  return known.node.status === 'online' ? 'offline' : 'down'
}
