import type { Node } from '@pulse/contract'
import { displayName } from '../../lib/display-name.ts'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { compareValues } from '../../ui/table/sort.ts'
import { isNodeOnline, isNodeSilent } from './status.ts'

export interface NodePlace {
  instance: string
  node: string
}

/** Guests, storage and disks name their node this way; the separator occurs in neither part. */
export function placeKey({ instance, node }: NodePlace): string {
  let places = placesOf.get(instance)
  if (!places) placesOf.set(instance, (places = new Map()))
  let place = places.get(node)
  if (place === undefined) places.set(node, (place = `${instance}\0${node}`))
  return place
}

/** Every guest of every update asks for one of few places: the same text again, not another one that says the same. */
const placesOf = new Map<string, Map<string, string>>()

/** What is said of a node beside its figures. */
export interface IndexedNode {
  /** the identity in the store */
  id: string
  name: string
  online: boolean
  /** its source does not answer; never while it is online */
  silent: boolean
  state: NodeState
}

export type NodeIndex = ReadonlyMap<string, IndexedNode>

/** Nodes by place. A node's figures do not change the map, so callers need not read every guest again. */
export const indexNodes = perVersion(['nodes'], readNodes, sameIndex)

function readNodes(live: LiveReader): NodeIndex {
  return new Map([...live.records('nodes')].map(([id, node]) => [placeKey(node), describe(id, node)]))
}

function describe(id: string, node: Node): IndexedNode {
  const online = isNodeOnline(node)
  const silent = isNodeSilent(node)
  return { id, name: displayName(node), online, silent, state: stateOf(node, online, silent) }
}

function sameIndex(a: NodeIndex, b: NodeIndex): boolean {
  if (a.size !== b.size) return false
  for (const [place, { id, name, online, silent, state }] of a) {
    const other = b.get(place)
    if (other?.id !== id || other.name !== name || other.state !== state) return false
    if (other.online !== online || other.silent !== silent) return false
  }
  return true
}

/** Nodes come as in the summary: online first, then by name. One without a record of its own comes last. */
export function orderPlaces(places: readonly string[], nodes: NodeIndex): readonly string[] {
  const rank = (place: string) => {
    const known = nodes.get(place)
    return {
      order: known ? (known.online || known.silent ? 0 : 1) : 2,
      name: known ? known.name : place,
      place,
    }
  }
  return places
    .map(rank)
    .toSorted((a, b) => a.order - b.order || compareValues(a.name, b.name) || (a.place < b.place ? -1 : 1))
    .map(({ place }) => place)
}

/** A node we know nothing about is not called offline. */
export const isOffline = (index: NodeIndex, place: string): boolean => index.get(place)?.online === false

export type NodeState = 'online' | 'stale' | 'silent' | 'offline' | 'down'

/**
 * `down`: its cluster says that it is off, which is more than that it does not answer (`silent`).
 * `stale`: its figures are old, though its source answers.
 */
function stateOf(node: Node, online: boolean, silent: boolean): NodeState {
  if (online) return node.staleSince === undefined ? 'online' : 'stale'
  if (silent) return 'silent'
  return node.status === 'online' ? 'offline' : 'down'
}

export const nodeState = (index: NodeIndex, place: string): NodeState => index.get(place)?.state ?? 'online'
