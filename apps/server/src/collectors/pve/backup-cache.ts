import { kinds, type PveBackup } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { atOnce } from '@pulse/domain'
import { SourceError } from '../source-error.ts'
import type { Owner } from './backup-records.ts'
import { shownAt } from '../publish-source.ts'
import type { MapContext } from './map.ts'

/** One list that was read: of a storage, of a guest, or of the runs of a node. */
interface List {
  /** as they were read */
  records: ReadonlyMap<string, PveBackup>
  /** as published: with the connection's current name, and marked when they are old */
  shown: ReadonlyMap<string, PveBackup>
  shownAs: { instance: string; staleSince: number | undefined }
  /** the node of the list; while it is offline, the list counts as old */
  node: string | undefined
  /** the time of reading, and the end of freshness; monotonic */
  at: number
  freshUntil: number
  /** A later read has failed. */
  failed: boolean
}

/** The limit per connection. No page could show more. */
const mostRecords = 200_000
/** Records compared before yielding to the event loop. */
const perStep = 500
/** New records published together. The next ones follow a second later. */
const newAtOnce = 2_000
const keyOf = kinds.pveBackups.key
const none: ReadonlyMap<string, PveBackup> = new Map()

/**
 * The backups, snapshots and runs of one connection, by list. A list that cannot be read again is kept with
 * its time. A list is removed with its storage, guest or node.
 */
export class BackupCache {
  readonly #lists = new Map<string, List>()
  /** records of all lists */
  #count = 0
  #published = none
  #isChanged = false
  readonly #connection: { id: string; name: string }

  constructor(connection: { id: string; name: string }) {
    this.#connection = connection
  }

  /** The owner of the records. After a rename they are published under the new name. */
  get owner(): Owner {
    return { source: this.#connection.id, instance: this.#connection.name }
  }

  /** Takes over a complete list. Unchanged records keep their identity. */
  learn(name: string, read: Iterable<PveBackup>, at: number, freshForMs: number, node?: string): void {
    atOnce(this.learning(name, read, at, freshForMs, node))
  }

  /** The same in steps. */
  *learning(
    name: string,
    read: Iterable<PveBackup>,
    at: number,
    freshForMs: number,
    node?: string,
  ): Generator<void, void, undefined> {
    const known = this.#lists.get(name)
    const records = new Map<string, PveBackup>()
    const room = mostRecords - this.#count + (known?.records.size ?? 0)
    let isSame = known !== undefined
    for (const record of read) {
      if (records.size >= room)
        throw new SourceError('too_large', `${name}: it holds more backups than Pulse can show`)
      if (records.size % perStep === perStep - 1) yield
      const key = keyOf(record)
      const before = known?.records.get(key)
      const keeps = before !== undefined && isEqual(before, record)
      if (!keeps) isSame = false
      records.set(key, keeps ? before : record)
    }
    if (known && isSame && records.size === known.records.size) {
      const freshUntil = Math.max(known.freshUntil, at + freshForMs)
      Object.assign(known, { at, freshUntil, failed: false, node })
      return
    }
    this.#count += records.size - (this.#lists.get(name)?.records.size ?? 0)
    this.#lists.set(name, {
      records: records.size > 0 ? records : none,
      shown: none,
      shownAs: { instance: '', staleSince: undefined },
      node,
      at,
      freshUntil: Math.max(known?.freshUntil ?? 0, at + freshForMs),
      failed: false,
    })
    this.#isChanged ||= records.size + (known?.records.size ?? 0) > 0
  }

  /** The list could not be read. Its records stay and count as old. */
  fail(name: string): void {
    const list = this.#lists.get(name)
    if (list) list.failed = true
  }

  /** The storages of these lists were removed or are no longer monitored. */
  drop(isGone: (name: string) => boolean): void {
    for (const [name, { records }] of this.#lists) {
      if (!isGone(name)) continue
      this.#lists.delete(name)
      this.#count -= records.size
      this.#isChanged = true
    }
  }

  records(context: MapContext, now: number): ReadonlyMap<string, PveBackup> {
    let isChanged = this.#isChanged
    for (const list of this.#lists.values()) isChanged = show(list, context, now) || isChanged
    if (!isChanged) return this.#published
    this.#isChanged = false
    const all = new Map<string, PveBackup>()
    let added = 0
    for (const list of this.#lists.values()) {
      for (const [key, record] of list.shown) {
        // A file that exists on two nodes under one name belongs to the first.
        if (all.has(key)) continue
        const isNew = !this.#published.has(key)
        if (isNew && added === newAtOnce) this.#isChanged = true
        else all.set(key, record)
        if (isNew && !this.#isChanged) added++
      }
    }
    return (this.#published = all)
  }

  /** More new records are waiting to be published. */
  get hasMore(): boolean {
    return this.#isChanged
  }
}

/** Returns whether any published record has changed. */
function show(list: List, context: MapContext, now: number): boolean {
  const isOld =
    list.failed || now > list.freshUntil || (list.node !== undefined && context.lost?.has(list.node))
  const staleSince = isOld ? list.at : undefined
  const { instance } = context
  const isFirst = list.shown === none && list.records.size > 0
  if (!isFirst && list.shownAs.instance === instance && list.shownAs.staleSince === staleSince) return false
  list.shownAs = { instance, staleSince }
  const mark = staleSince === undefined ? undefined : { staleSince: shownAt(staleSince, context) }
  list.shown = shownOf(list.records, instance, mark)
  return list.shown.size > 0
}

/** Returns the same map while no record needs a change. */
function shownOf(
  records: ReadonlyMap<string, PveBackup>,
  instance: string,
  mark: { staleSince: number } | undefined,
): ReadonlyMap<string, PveBackup> {
  const others = new Map<string, PveBackup>()
  for (const [key, record] of records) {
    const one = renamed(record, instance, mark)
    if (one !== record) others.set(key, one)
  }
  if (others.size === 0) return records
  if (others.size === records.size) return others
  return new Map([...records].map(([key, record]) => [key, others.get(key) ?? record]))
}

/** The wire ids begin with the connection's name, which may have changed since. */
function renamed(record: PveBackup, instance: string, mark: { staleSince: number } | undefined): PveBackup {
  if (record.list === 'backupTasks') {
    const id = `${instance}-${record.upid}`
    return record.id === id && !mark ? record : { ...record, id, ...mark }
  }
  if (record.instance === instance && !mark) return record
  return { ...record, id: instance + record.id.slice(record.instance.length), instance, ...mark }
}
