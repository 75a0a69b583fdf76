import { type BackupNamespace, type Datastore, latestMs } from '@pulse/contract'
import { isEqual, usageOf } from '@pulse/domain'
import type { RecordContext } from '../proxmox/host-part.ts'
import { shownAt } from '../publish-source.ts'
import type { PbsUsage } from './schema.ts'

/** The reason for missing figures. */
export interface Trouble {
  status: 'error' | 'unmounted' | 'maintenance' | 'denied'
  error: string
}

interface Known {
  figures?: Pick<Datastore, 'total' | 'used' | 'free' | 'usage'>
  /** when the figures were current */
  at?: number
  trouble: Trouble | undefined
  deduplicationFactor?: number
  fullAt: number | undefined
}

/** More than any real server has. */
export const mostDatastores = 500

export const RIGHT = 'Datastore.Audit'
export const denied = (store: string): Trouble => ({
  status: 'denied',
  error: `${RIGHT} is missing on /datastore/${store}`,
})

/** The datastores of one server. A datastore that fails keeps its last figures. */
export class DatastoreCache {
  readonly #known = new Map<string, Known>()
  #published: ReadonlyMap<string, Datastore> = new Map()

  /** Takes over the server's list up to the limit, and returns known datastores that are not listed. */
  report(rows: readonly PbsUsage[], at: number): string[] {
    for (const row of rows) {
      if (!this.#known.has(row.store) && this.#known.size >= mostDatastores) continue
      const known = this.#of(row.store)
      known.trouble = troubleOf(row)
      if (known.trouble) continue
      known.figures = figuresOf(row)
      known.at = at
      const fullAt = row['estimated-full-date'] ?? 0
      const fullMs = fullAt * 1000
      known.fullAt = fullMs > 0 && fullMs <= latestMs && Number.isInteger(fullMs) ? fullMs : undefined
      const status = row['gc-status']
      if (status) this.collected(row.store, status)
    }
    const listed = new Set(rows.map(({ store }) => store))
    return [...this.#known.keys()].filter((store) => !listed.has(store))
  }

  trouble(store: string, trouble: Trouble): void {
    this.#of(store).trouble = trouble
  }

  troubleOf(store: string): Trouble | undefined {
    return this.#known.get(store)?.trouble
  }

  drop(store: string): void {
    this.#known.delete(store)
  }

  /** Takes over the result of the last garbage collection. */
  collected(
    store: string,
    status: { 'index-data-bytes'?: number | undefined; 'disk-bytes'?: number | undefined },
  ) {
    const known = this.#known.get(store)
    const { 'index-data-bytes': index = 0, 'disk-bytes': disk = 0 } = status
    if (!known || (index === 0 && disk === 0)) return
    known.deduplicationFactor = disk > 0 ? index / disk : 1
  }

  names(): string[] {
    return [...this.#known.keys()]
  }

  readable(): string[] {
    return [...this.#known].filter(([, { trouble }]) => !trouble).map(([store]) => store)
  }

  /** Datastores to query for contents. A namespace may be visible even if its datastore is not. */
  browsable(): string[] {
    const isOpen = ({ trouble }: Known) => !trouble || trouble.status === 'denied'
    return [...this.#known].filter(([, known]) => isOpen(known)).map(([store]) => store)
  }

  clear(): void {
    this.#known.clear()
  }

  records(context: RecordContext, namespacesOf: (store: string) => BackupNamespace[] | undefined) {
    const next = new Map<string, Datastore>()
    for (const [name, known] of this.#known) {
      const record = toDatastore(name, known, namespacesOf(name), context)
      const key = `${context.source}:${name}`
      const before = this.#published.get(key)
      next.set(key, before && isEqual(before, record) ? before : record)
    }
    const isSame =
      next.size === this.#published.size && [...next].every(([key, one]) => this.#published.get(key) === one)
    if (!isSame) this.#published = next
    return this.#published
  }

  #of(store: string): Known {
    let known = this.#known.get(store)
    if (!known) this.#known.set(store, (known = { trouble: undefined, fullAt: undefined }))
    return known
  }
}

function troubleOf(row: PbsUsage): Trouble | undefined {
  const { store, error, total, used, avail } = row
  if (error !== undefined && error !== '')
    return { status: /maintenance/i.test(error) ? 'maintenance' : 'error', error }
  if (row['mount-status'] === 'notmounted')
    return { status: 'unmounted', error: 'The datastore is not mounted.' }
  return total === undefined && used === undefined && avail === undefined ? denied(store) : undefined
}

function figuresOf({ total, used = 0, avail = 0 }: PbsUsage): NonNullable<Known['figures']> {
  const whole = Math.max(0, total ?? used + avail)
  // Space reserved by the file system is neither used nor free.
  return { ...usageOf(Math.max(0, used), whole), free: Math.max(0, avail) }
}

function toDatastore(
  name: string,
  { figures, at, trouble, deduplicationFactor, fullAt }: Known,
  namespaces: BackupNamespace[] | undefined,
  context: RecordContext,
): Datastore {
  const staleSince = trouble && at !== undefined ? shownAt(at, context) : undefined
  return {
    server: `pbs-${context.name}`,
    name,
    ...figures,
    status: trouble?.status ?? 'available',
    ...(trouble && { error: trouble.error }),
    ...(namespaces && { namespaces }),
    ...(deduplicationFactor !== undefined && { deduplicationFactor }),
    ...(fullAt !== undefined && { fullAt }),
    source: context.source,
    ...(staleSince !== undefined && { staleSince }),
  }
}
