import { displayName } from '../../lib/display-name.ts'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { compareValues } from '../../ui/table/sort.ts'
import { type MachineState, machineState, machineStates } from './status.ts'

export interface NodeRef {
  instance: string
  node: string
}

/** The key of a node in guests, storage and disks. Neither part contains the separator. */
export function nodeKey({ instance, node }: NodeRef): string {
  let keys = keysByInstance.get(instance)
  if (!keys) keysByInstance.set(instance, (keys = new Map()))
  let key = keys.get(node)
  if (key === undefined) keys.set(node, (key = `${instance}\0${node}`))
  return key
}

/** Caches the keys, because every update asks for the same few keys thousands of times. */
const keysByInstance = new Map<string, Map<string, string>>()

/** A node without its figures. */
export interface IndexedNode {
  /** the identity in the store */
  id: string
  name: string
  state: MachineState
}

export type NodeIndex = ReadonlyMap<string, IndexedNode>

/**
 * Nodes by key. The map keeps its identity while only figures change, so that callers do not read every guest
 * again.
 */
export const indexNodes = perVersion(['nodes'], readNodes, sameIndex)

function readNodes(live: LiveReader): NodeIndex {
  return new Map(
    [...live.records('nodes')].map(([id, node]) => [
      nodeKey(node),
      { id, name: displayName(node), state: machineState(node) },
    ]),
  )
}

function sameIndex(a: NodeIndex, b: NodeIndex): boolean {
  if (a.size !== b.size) return false
  for (const [key, { id, name, state }] of a) {
    const other = b.get(key)
    if (other?.id !== id || other.name !== name || other.state !== state) return false
  }
  return true
}

/** The order of the summary: online first, then by name. A node without a record comes last. */
export function orderNodeKeys(keys: readonly string[], nodes: NodeIndex): readonly string[] {
  const rank = (key: string) => {
    const known = nodes.get(key)
    return {
      order: known ? (machineStates[known.state].hasFigures ? 0 : 1) : 2,
      name: known ? known.name : key,
      key,
    }
  }
  return keys
    .map(rank)
    .toSorted((a, b) => a.order - b.order || compareValues(a.name, b.name) || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key)
}

/** A node without a record counts as online. */
export const nodeState = (index: NodeIndex, key: string): MachineState => index.get(key)?.state ?? 'online'
