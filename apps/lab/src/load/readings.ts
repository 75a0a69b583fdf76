import type { Cluster, Guest, Node, Storage } from '../estate/estate.ts'
import { readGuest } from './guest-reading.ts'
import type { GuestReading } from '../estate/reading.ts'
import { readNode } from './node-reading.ts'
import type { NodeReading } from '../estate/reading.ts'
import { readStorage } from './storage-reading.ts'
import type { StorageReading } from './storage-reading.ts'

/** The latest figures. Computed on demand and cached until the next refresh. */
export interface Readings {
  atMs(): number
  guest(guest: Guest): GuestReading
  node(node: Node): NodeReading
  storage(storage: Storage, node: Node): StorageReading
  /** Cached until the cluster changes. */
  guestsOn(node: Node): readonly Guest[]
}

export function createReadings(now: () => number, loadPeriodMs: number): Readings {
  const atMs = () => (loadPeriodMs === 0 ? now() : Math.floor(now() / loadPeriodMs) * loadPeriodMs)
  const guestsOf = groupByNode()

  const guest = (subject: Guest): GuestReading => {
    const moment = atMs()
    if (subject.reading?.atMs !== moment) subject.reading = readGuest(subject, moment)
    return subject.reading
  }
  return {
    atMs,
    guest,
    node(node) {
      const moment = atMs()
      if (node.reading?.atMs !== moment || node.reading.revision !== node.cluster.revision) {
        node.reading = readNode(node, guestsOf(node), guest, moment)
      }
      return node.reading
    },
    storage: (storage, node) => readStorage(storage, node, atMs()),
    guestsOn: guestsOf,
  }
}

/** Caches the nodes of guests until the cluster changes. */
function groupByNode(): (node: Node) => readonly Guest[] {
  const known = new WeakMap<Cluster, { revision: number; byNode: Map<Node, Guest[]> }>()
  return (node) => {
    const { cluster } = node
    let entry = known.get(cluster)
    if (entry?.revision !== cluster.revision) {
      entry = { revision: cluster.revision, byNode: Map.groupBy(cluster.guests.values(), (one) => one.node) }
      known.set(cluster, entry)
    }
    return entry.byNode.get(node) ?? []
  }
}
