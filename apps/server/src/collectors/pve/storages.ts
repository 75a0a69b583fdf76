import type { Storage } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { freshMs, nextOf } from './age.ts'
import type { MapContext } from './map.ts'
import type { PveNodeStorage, PveStorageConfig, PveStorageEntry } from './schema.ts'
import type { StorageVisibility } from './visibility.ts'
import { expiryOf, toStorage, type StorageView } from './storage.ts'
import { addPools, type NodePools } from './storage-pools.ts'
import type { PoolFacts } from './zfs.ts'

const graceMs = 60_000
const allVisible = { isHidden: () => false, isMissing: () => false }

/** The storages of one connection, as each node reports them. */
export class StorageCache {
  readonly #views = new Map<string, Map<string, StorageView & { missingSince?: number | undefined }>>()
  readonly #pools = new Map<string, NodePools>()
  #config: ReadonlyMap<string, PveStorageConfig> | undefined
  #published: ReadonlyMap<string, Storage> = new Map()
  #context: MapContext | undefined
  #dirty = true
  #nextExpiry = Infinity
  readonly #visibility: Pick<StorageVisibility, 'isHidden' | 'isMissing'>

  constructor(visibility: Pick<StorageVisibility, 'isHidden' | 'isMissing'> = allVisible) {
    this.#visibility = visibility
  }

  get size(): number {
    return this.#views.size
  }

  /** Takes over the listing of all nodes. Storages of lost nodes stay until the node is forgotten. */
  list(
    entries: readonly PveStorageEntry[],
    at: number,
    isOnline: (node: string) => boolean,
    freshForMs: number = freshMs.listing,
  ): void {
    this.#dirty = true
    const seen = new Set<string>()
    for (const entry of entries) {
      seen.add(`${entry.node} ${entry.storage}`)
      const view = this.#view(entry.storage, entry.node)
      // A dead node's entries have no figures.
      if (isOnline(entry.node) || !view.listed) view.listed = { entry, at, freshUntil: at + freshForMs }
    }
    this.#each((storage, view) => {
      const isListed = seen.has(`${view.node} ${storage}`)
      // The listing never has a disabled storage, so that only the node's next answer or the configuration says that it is gone.
      const mayBeDisabled = view.reported?.row.enabled === false && (this.#config?.has(storage) ?? true)
      const isReported =
        view.reported !== undefined && (at - view.reported.at <= 2 * graceMs || mayBeDisabled)
      if (!isListed && !this.#visibility.isMissing(storage)) view.listed = undefined
      view.missingSince =
        isListed || isReported || !isOnline(view.node) ? undefined : (view.missingSince ?? at)
      return (
        view.missingSince === undefined ||
        at - view.missingSince < graceMs ||
        (this.#visibility.isMissing(storage) && isKnown(view))
      )
    })
  }

  /** Takes over a node's own, complete list. */
  report(node: string, rows: readonly PveNodeStorage[], at: number): void {
    this.#dirty = true
    for (const row of rows) this.#view(row.storage, node).reported = { row, at }
    const names = new Set(rows.map((row) => row.storage))
    this.#each((storage, view) => {
      const isGone = view.node === node && !names.has(storage) && !this.#visibility.isMissing(storage)
      if (isGone) view.reported = undefined
      return view.reported !== undefined || view.listed !== undefined
    })
  }

  /** Takes over the ZFS pools of a node. */
  learnPools(node: string, pools: readonly PoolFacts[], freshForMs: number): void {
    this.#dirty = true
    const at = Math.max(-Infinity, ...pools.map((pool) => pool.at))
    this.#pools.set(node, { pools, freshUntil: at + freshForMs, failed: false })
  }

  failPools(node: string): void {
    const known = this.#pools.get(node)
    if (!known || known.failed) return
    this.#dirty = true
    known.failed = true
  }

  forgetPools(node: string): void {
    this.#dirty = this.#pools.delete(node) || this.#dirty
  }

  configure(config: readonly PveStorageConfig[]): void {
    this.#dirty = true
    // The configuration also omits storages that the account may no longer see.
    const hidden = [...(this.#config ?? [])].filter(([storage]) => this.#visibility.isMissing(storage))
    this.#config = new Map([...hidden, ...config.map((entry) => [entry.storage, entry] as const)])
  }

  /** Whether the last configuration lacks a known storage. */
  get lacksConfig(): boolean {
    return [...this.#views.keys()].some((storage) => !this.#config?.has(storage))
  }

  /** Drops all data when the part is switched off. */
  clear(): void {
    this.#dirty = true
    this.#views.clear()
    this.#pools.clear()
    this.#config = undefined
  }

  /** Marks the views of offline nodes, and drops those of removed nodes. */
  settle(nodes: ReadonlyMap<string, { online: boolean; seenAt: number | undefined }>): void {
    this.#each((storage, view) => {
      const isHidden = isKnown(view) && this.#visibility.isHidden(storage)
      if (isHidden !== (view.hidden ?? false)) this.#dirty = true
      view.hidden = isHidden
      const node = nodes.get(view.node)
      const gone = node !== undefined && !node.online
      const goneSince = gone ? node.seenAt : undefined
      if (gone !== (view.gone ?? false) || goneSince !== view.goneSince || !node) this.#dirty = true
      view.gone = gone
      view.goneSince = goneSince
      return node !== undefined
    })
  }

  records(context: MapContext, now = -Infinity): ReadonlyMap<string, Storage> {
    if (!this.#dirty && now <= this.#nextExpiry && isEqual(context, this.#context)) return this.#published
    this.#dirty = false
    this.#nextExpiry = this.#expiry(now)
    this.#context = context
    const views = new Map([...this.#views].map(([storage, byNode]) => [storage, [...byNode.values()]]))
    const next = toStorage(views, this.#config, context, now)
    addPools(next, this.#pools, this.#config, context, now)
    let changed = next.size !== this.#published.size
    for (const [key, record] of next) {
      const known = this.#published.get(key)
      if (known && isEqual(known, record)) next.set(key, known)
      else changed = true
    }
    if (changed) this.#published = next
    return this.#published
  }

  /** The earliest time when a view becomes stale. */
  #expiry(now: number): number {
    let next = Infinity
    this.#each((_storage, view) => {
      next = Math.min(next, expiryOf(view, now))
      return true
    })
    for (const { freshUntil } of this.#pools.values()) next = Math.min(next, nextOf(now, freshUntil))
    return next
  }

  #view(storage: string, node: string): StorageView {
    const byNode = this.#views.get(storage) ?? new Map<string, StorageView>()
    this.#views.set(storage, byNode)
    const view = byNode.get(node) ?? { node }
    byNode.set(node, view)
    return view
  }

  #each(keep: (storage: string, view: StorageView & { missingSince?: number | undefined }) => boolean): void {
    for (const [storage, byNode] of this.#views) {
      for (const [node, view] of byNode) if (!keep(storage, view)) byNode.delete(node)
      if (byNode.size === 0) this.#views.delete(storage)
    }
  }
}

/** Whether the view has data that could stay. */
const isKnown = ({ listed, reported }: StorageView): boolean => (listed ?? reported) !== undefined
