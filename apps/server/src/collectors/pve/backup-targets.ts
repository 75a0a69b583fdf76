import { compareNames } from '@pulse/domain'
import type { PveStorageEntry } from './schema.ts'

/** A storage that may hold backups: one per cluster if it is shared, otherwise one per node. */
export interface Target {
  storage: string
  type: string
  /** the node of a storage that is not shared */
  node: string | undefined
  /** the nodes that can be queried, and whether the storage is usable there now */
  nodes: Map<string, boolean>
  /** the times of the last attempt and the last success; monotonic */
  triedAt: number
  readAt: number
  /** nodes that failed to answer since the last success */
  avoid: Set<string>
}

export const nameOf = ({ storage, node }: Target): string =>
  node === undefined ? `storage ${storage}` : `storage ${storage} on ${node}`

/** Decides which node is queried for the backups of which storage, and when. */
export class BackupTargets {
  readonly #targets = new Map<string, Target>()

  /**
   * Takes over the cluster's listing. Storages of offline nodes stay, because nothing new is known about
   * them. The same applies to missing storages, which no node can list.
   */
  list(
    entries: readonly PveStorageEntry[],
    isOnline: (node: string) => boolean | undefined,
    isMissing: (storage: string) => boolean = () => false,
  ): Target[] {
    const seen = new Map<string, Map<string, boolean>>()
    for (const entry of entries) {
      if (!(entry.content ?? '').split(',').includes('backup')) continue
      const { storage, plugintype: type = '', node } = entry
      const isShared = (entry.shared ?? false) || type === 'pbs'
      const known: Target = {
        storage,
        type,
        node: isShared ? undefined : node,
        nodes: new Map(),
        triedAt: -Infinity,
        readAt: -Infinity,
        avoid: new Set(),
      }
      const name = nameOf(known)
      if (!this.#targets.has(name)) this.#targets.set(name, known)
      const nodes = seen.get(name) ?? new Map<string, boolean>()
      if (isOnline(node)) nodes.set(node, entry.status === 'available')
      seen.set(name, nodes)
    }
    const gone: Target[] = []
    for (const [name, target] of this.#targets) {
      const nodes = seen.get(name)
      if (nodes) target.nodes = nodes
      else if (isMissing(target.storage)) target.nodes = new Map()
      else if (target.node === undefined || isOnline(target.node) !== false) {
        gone.push(target)
        this.#targets.delete(name)
      } else target.nodes = nodes ?? new Map()
    }
    return gone
  }

  /** The next target for this node, and its time. */
  next(node: string, dueAt: (target: Target) => number): { target: Target; at: number } | undefined {
    let next: { target: Target; at: number } | undefined
    for (const target of this.#targets.values()) {
      if (askedOf(target) !== node) continue
      const at = dueAt(target)
      if (!next || at < next.at) next = { target, at }
    }
    return next
  }

  /** The number of lists queried from that node. */
  count(node: string): number {
    return [...this.#targets.values()].filter((target) => askedOf(target) === node).length
  }

  has(target: Target): boolean {
    return this.#targets.get(nameOf(target)) === target
  }

  all(): Iterable<Target> {
    return this.#targets.values()
  }

  clear(): void {
    this.#targets.clear()
  }
}

/** Always the same one of the nodes that can use the storage, until it fails to answer. */
function askedOf({ storage, nodes, avoid }: Target): string | undefined {
  const all = [...nodes.keys()].sort(compareNames)
  const able = all.filter((node) => nodes.get(node))
  const fit = able.filter((node) => !avoid.has(node))
  const candidates = fit.length > 0 ? fit : able.length > 0 ? able : all
  return candidates[spread(storage) % candidates.length]
}

/** Distributes the queries for several storages over the nodes. */
const spread = (storage: string): number =>
  [...storage].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
