import { compareNames } from '@pulse/domain'
import type { BackupNamespace, PbsBackup } from '@pulse/contract'
import type { RecordContext } from '../proxmox/host-part.ts'
import { shownAt } from '../publish-source.ts'
import type { SourceError } from '../source-error.ts'

/** The limit per connection. No page could show more. */
const mostSnapshots = 200_000
/** The limit of all texts together, in characters. A snapshot usually has a few hundred. */
const mostText = 100_000_000
/** The limits per datastore and in total. */
const mostNamespaces = 1_000
const mostSpaces = 5_000
/** Changes published at once, because every change affects every subscriber. */
const mostAtOnce = 1_000

export type Snapshots = ReadonlyMap<string, PbsBackup>

/** The remaining capacity. */
export interface Room {
  backups: number
  text: number
}

interface Space {
  store: string
  path: string
  /** as last read, and the part of it that is published */
  read: Snapshots | undefined
  shown: Snapshots
  /** characters of the snapshots in `read` */
  text: number
  at: number | undefined
  dueAt: number
  failures: number
  error: string | undefined
  /** the query was refused: a right is missing */
  isDenied: boolean
}

const none: Snapshots = new Map()

/** The backups of one server, by namespace. A namespace that cannot be read keeps its earlier backups. */
export class SnapshotCache {
  readonly #spaces = new Map<string, Map<string, Space>>()
  #shown: Snapshots = none

  /** Removed namespaces with backups that are still published. */
  readonly #leaving: Space[] = []

  /** Takes over a datastore's namespaces up to the limit. Returns known ones that are not listed. */
  list(store: string, paths: readonly string[]): Space[] {
    const spaces = this.#spaces.get(store) ?? new Map<string, Space>()
    this.#spaces.set(store, spaces)
    let room = mostSpaces - [...this.#spaces.values()].reduce((sum, { size }) => sum + size, 0)
    for (const path of paths) {
      if (spaces.has(path) || spaces.size >= mostNamespaces || room-- <= 0) continue
      spaces.set(path, aSpace(store, path))
    }
    const listed = new Set(paths)
    return [...spaces.values()].filter(({ path }) => !listed.has(path))
  }

  /** Removes the namespace with its backups. */
  drop(space: Space): void {
    this.#spaces.get(space.store)?.delete(space.path)
    this.#leaving.push(space)
  }

  keepOnly(stores: readonly string[]): void {
    for (const [store, spaces] of this.#spaces) {
      if (stores.includes(store)) continue
      this.#spaces.delete(store)
      this.#leaving.push(...spaces.values())
    }
  }

  /** Due namespaces, the longest unread first. A namespace that failed comes after the others. */
  dueAt(now: number): Space[] {
    const due = this.all().filter(({ dueAt }) => dueAt <= now)
    return due.sort((a, b) => a.failures - b.failures || (a.at ?? 0) - (b.at ?? 0))
  }

  all(): Space[] {
    return [...this.#spaces.values()].flatMap((spaces) => [...spaces.values()])
  }

  of(store: string): readonly Space[] {
    return [...(this.#spaces.get(store)?.values() ?? [])]
  }

  /** The remaining capacity, without counting this namespace. */
  roomBeside(space: Space): Room {
    const others = this.all().filter((one) => one !== space)
    const backups = others.reduce((rest, { read }) => rest - (read?.size ?? 0), mostSnapshots)
    return { backups, text: others.reduce((rest, { text }) => rest - text, mostText) }
  }

  took(space: Space, read: Snapshots, text: number, at: number, dueAt: number): void {
    // A right is rarely granted for only one namespace, so all refused ones become due.
    if (space.isDenied) for (const other of this.denied()) other.dueAt = -Infinity
    Object.assign(space, { read, text, at, dueAt, failures: 0, error: undefined, isDenied: false })
  }

  missed(space: Space, { message: error, code }: Pick<SourceError, 'message' | 'code'>): void {
    space.failures++
    Object.assign(space, { error, isDenied: code === 'forbidden' })
  }

  denied(): Space[] {
    return this.all().filter(({ isDenied }) => isDenied)
  }

  /** Marks namespaces as due because they may have changed. */
  due(store?: string): void {
    for (const [name, spaces] of this.#spaces)
      if (store === undefined || name === store) for (const space of spaces.values()) space.dueAt = -Infinity
  }

  /** Publishes the changes of the latest reads, some hundred per step. */
  *reveal(): Generator<void, void, undefined> {
    for (let gone = this.#leaving.pop(); gone; gone = this.#leaving.pop()) {
      gone.read = none
      yield* this.#reveal(gone)
    }
    for (const spaces of this.#spaces.values())
      for (const space of spaces.values()) yield* this.#reveal(space)
  }

  *#reveal(space: Space): Generator<void, void, undefined> {
    const { read, shown } = space
    if (!read || read === shown) return
    let next: Map<string, PbsBackup> | undefined
    let changes = 0
    const step = () => {
      if (next) this.#shown = next
      next = undefined
      changes = 0
    }
    for (const key of shown.keys()) {
      if (read.has(key)) continue
      ;(next ??= new Map(this.#shown)).delete(key)
      if (++changes < mostAtOnce) continue
      step()
      yield
    }
    for (const [key, record] of read) {
      if (shown.get(key) === record) continue
      ;(next ??= new Map(this.#shown)).set(key, record)
      if (++changes < mostAtOnce) continue
      step()
      yield
    }
    space.shown = read
    if (changes === 0) return
    step()
    yield
  }

  get records(): Snapshots {
    return this.#shown
  }

  namespaces(store: string, context: RecordContext): BackupNamespace[] | undefined {
    const spaces = this.#spaces.get(store)
    return spaces && inOrder([...spaces.values()]).map((space) => toNamespace(space, context))
  }

  clear(): void {
    this.#spaces.clear()
    this.#leaving.length = 0
    this.#shown = none
  }
}

export type BackupSpace = Space

/** Sorts by path, the root first. The server lists the root last. */
const inOrder = (spaces: Space[]): Space[] => spaces.sort((a, b) => compareNames(a.path, b.path))

const aSpace = (store: string, path: string): Space => ({
  store,
  path,
  read: undefined,
  shown: none,
  text: 0,
  at: undefined,
  dueAt: -Infinity,
  failures: 0,
  error: undefined,
  isDenied: false,
})

function toNamespace({ path, read, error, at }: Space, context: RecordContext): BackupNamespace {
  const cut = path.lastIndexOf('/')
  return {
    path,
    ...(path !== '' && { parent: path.slice(0, Math.max(0, cut)) }),
    depth: path === '' ? 0 : path.split('/').length - 1,
    ...(read && { backups: read.size }),
    ...(error !== undefined && { error }),
    ...(error !== undefined && at !== undefined && { staleSince: shownAt(at, context) }),
  }
}
