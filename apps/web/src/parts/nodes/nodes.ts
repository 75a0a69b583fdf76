import { displayName } from '../../lib/display-name.ts'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { compareValues } from '../../ui/table/sort.ts'
import { type MachineState, machineState, machineStates } from './status.ts'

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

/** What the pages show of a node beside its figures. */
export interface IndexedNode {
  /** the identity in the store */
  id: string
  name: string
  state: MachineState
}

export type NodeIndex = ReadonlyMap<string, IndexedNode>

/** Nodes by place. A node's figures do not change the map, so callers need not read every guest again. */
export const indexNodes = perVersion(['nodes'], readNodes, sameIndex)

function readNodes(live: LiveReader): NodeIndex {
  return new Map(
    [...live.records('nodes')].map(([id, node]) => [
      placeKey(node),
      { id, name: displayName(node), state: machineState(node) },
    ]),
  )
}

function sameIndex(a: NodeIndex, b: NodeIndex): boolean {
  if (a.size !== b.size) return false
  for (const [place, { id, name, state }] of a) {
    const other = b.get(place)
    if (other?.id !== id || other.name !== name || other.state !== state) return false
  }
  return true
}

/** Nodes come as in the summary: online first, then by name. One without a record of its own comes last. */
export function orderPlaces(places: readonly string[], nodes: NodeIndex): readonly string[] {
  const rank = (place: string) => {
    const known = nodes.get(place)
    return {
      order: known ? (machineStates[known.state].hasFigures ? 0 : 1) : 2,
      name: known ? known.name : place,
      place,
    }
  }
  return places
    .map(rank)
    .toSorted((a, b) => a.order - b.order || compareValues(a.name, b.name) || (a.place < b.place ? -1 : 1))
    .map(({ place }) => place)
}

/** A node without a record counts as online. */
export const nodeState = (index: NodeIndex, place: string): MachineState =>
  index.get(place)?.state ?? 'online'
