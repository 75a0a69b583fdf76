import type { RecordKind, RecordOf } from '@pulse/contract'
import type { KindPatch, StatePatch } from '@pulse/domain'

type Listener = () => void

/** What selectors see: the live state by kind and internal identity (`record.id` is the wire id). */
export interface LiveReader {
  /** Another object whenever it changed. */
  get<K extends RecordKind>(kind: K, id: string): RecordOf<K> | undefined
  /** The same array until a record of the kind comes or goes. */
  ids(kind: RecordKind): readonly string[]
  /** Changed in place, as are the guests in it: watch `version` or `changedSince`, never an identity. */
  records<K extends RecordKind>(kind: K): ReadonlyMap<string, RecordOf<K>>
  /** Grows with every change of the kind. */
  version(kind: RecordKind): number
  /**
   * The records that came, changed or went after that version, some perhaps twice; undefined when it is too long ago
   * to tell, or a snapshot came between: then all may have changed.
   */
  changedSince(kind: RecordKind, version: number): readonly string[] | undefined
}

export interface LiveStore extends LiveReader {
  /** `replaced` names the kinds of a snapshot: what it does not hold is gone. */
  apply(patch: StatePatch, replaced?: readonly RecordKind[]): void
  onRecord(kind: RecordKind, id: string, listener: Listener): () => void
  /** Somebody listens to the record, or has read it since the last frame and may be about to listen. */
  isHeld(kind: RecordKind, id: string): boolean
  onMembers(kind: RecordKind, listener: Listener): () => void
  onKind(kind: RecordKind, listener: Listener): () => void
  /** Tells the listeners now instead of in the next frame. */
  flush(): void
}

interface Shelf {
  records: Map<string, RecordOf<RecordKind>>
  ids: readonly string[] | undefined
  version: number
  /** of the last versions, oldest first */
  log: { version: number; ids(): readonly string[] }[]
  /** by `get`, since the last frame came in */
  read: Set<string>
  /** whose records changed since the last frame: the patches themselves, thousands of ids are not put together anew */
  changed: Ids[]
  membersChanged: boolean
  recordListeners: Map<string, Set<Listener>>
  memberListeners: Set<Listener>
  kindListeners: Set<Listener>
}

type Ids = Pick<ReadonlySet<string>, 'has' | 'keys'>

/** A page that nobody sees gets no frame for hours. */
const mostLists = 8

/** Whoever looks at every frame needs one of them, or two. */
const loggedVersions = 4

/** Listeners hear at most once per frame, and only about what they watch. */
export function createLiveStore(nextFrame: (run: () => void) => void = requestFrame): LiveStore {
  const shelves = new Map<RecordKind, Shelf>()
  const touched = new Set<Shelf>()
  let scheduled = false

  const shelf = (kind: RecordKind): Shelf => {
    let found = shelves.get(kind)
    if (!found) shelves.set(kind, (found = emptyShelf()))
    return found
  }

  const flush = () => {
    scheduled = false
    const due = new Set<Listener>()
    for (const one of touched) collectListeners(one, due)
    touched.clear()
    for (const listener of due) listener()
  }

  const applyKind = (kind: RecordKind, patch: KindPatch<RecordOf<RecordKind>>, replace: boolean) => {
    const target = shelf(kind)
    const changed = replace ? replaceRecords(target, patch.put) : patchRecords(target, patch)
    if (!changed) return
    target.version += 1
    target.read.clear()
    if (replace) target.log = []
    else note(target, patch)
    // what nobody follows asks the page for no frame
    if (hasListeners(target)) return void touched.add(target)
    touched.delete(target)
    settle(target)
  }

  return {
    get: <K extends RecordKind>(kind: K, id: string) => {
      const target = shelf(kind)
      target.read.add(id)
      return target.records.get(id) as RecordOf<K> | undefined
    },
    isHeld(kind, id) {
      const target = shelf(kind)
      return target.recordListeners.has(id) || target.read.has(id)
    },
    ids: (kind) => {
      const target = shelf(kind)
      return (target.ids ??= [...target.records.keys()])
    },
    records: <K extends RecordKind>(kind: K) => shelf(kind).records as unknown as Map<string, RecordOf<K>>,
    version: (kind) => shelves.get(kind)?.version ?? 0,
    changedSince: (kind, version) => loggedSince(shelf(kind), version),
    apply(patch, replaced = []) {
      for (const kind of new Set([...replaced, ...(Object.keys(patch) as RecordKind[])])) {
        const change = patch[kind] as KindPatch<RecordOf<RecordKind>> | undefined
        applyKind(kind, change ?? { put: new Map(), remove: new Set() }, replaced.includes(kind))
      }
      if (scheduled || touched.size === 0) return
      scheduled = true
      nextFrame(flush)
    },
    onRecord(kind, id, listener) {
      const { recordListeners } = shelf(kind)
      let set = recordListeners.get(id)
      if (!set) recordListeners.set(id, (set = new Set()))
      const own = set
      own.add(listener)
      return () => {
        own.delete(listener)
        if (own.size === 0 && recordListeners.get(id) === own) recordListeners.delete(id)
      }
    },
    onMembers: (kind, listener) => listen(shelf(kind).memberListeners, listener),
    onKind: (kind, listener) => listen(shelf(kind).kindListeners, listener),
    flush,
  }
}

const requestFrame = (run: () => void) => void requestAnimationFrame(run)

const emptyShelf = (): Shelf => ({
  records: new Map(),
  ids: undefined,
  version: 0,
  log: [],
  read: new Set(),
  changed: [],
  membersChanged: false,
  recordListeners: new Map(),
  memberListeners: new Set(),
  kindListeners: new Set(),
})

function note({ log, version }: Shelf, { put, remove }: KindPatch<RecordOf<RecordKind>>): void {
  let ids: readonly string[] | undefined
  log.push({ version, ids: () => (ids ??= [...put.keys(), ...remove]) })
  if (log.length > loggedVersions) log.shift()
}

function loggedSince({ log, version: now }: Shelf, version: number): readonly string[] | undefined {
  if (version === now) return []
  if (version > now || log[0] === undefined || log[0].version > version + 1) return undefined
  const later = log.filter((one) => one.version > version)
  return later.length === 1 ? later[0]!.ids() : later.flatMap(({ ids }) => ids())
}

function listen(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function patchRecords(shelf: Shelf, { put, remove }: KindPatch<RecordOf<RecordKind>>): boolean {
  const { records } = shelf
  let members = false
  for (const id of remove) if (!put.has(id) && records.delete(id)) members = true
  for (const [id, record] of put) {
    const before = records.get(id)
    // most change in place
    if (before === record) continue
    if (before === undefined) members = true
    records.set(id, record)
  }
  if (members) forgetMembers(shelf)
  if (!members && put.size === 0) return false
  noteChanged(shelf, put)
  if (remove.size > 0) noteChanged(shelf, remove)
  return true
}

/** A snapshot decides the order too; when members and order are as before, `ids` keeps its identity. */
function replaceRecords(shelf: Shelf, next: ReadonlyMap<string, RecordOf<RecordKind>>): boolean {
  if (next.size === 0 && shelf.records.size === 0) return false
  const before = [...shelf.records.keys()]
  noteChanged(shelf, new Set(before))
  noteChanged(shelf, next)
  shelf.records.clear()
  for (const [id, record] of next) shelf.records.set(id, record)
  let at = 0
  const same = before.length === next.size && [...next.keys()].every((id) => id === before[at++])
  if (!same) forgetMembers(shelf)
  return true
}

function noteChanged(shelf: Shelf, ids: Ids): void {
  if (shelf.changed.length >= mostLists) {
    shelf.changed = [new Set(shelf.changed.flatMap((some) => [...some.keys()]))]
  }
  shelf.changed.push(ids)
}

function forgetMembers(shelf: Shelf): void {
  shelf.ids = undefined
  shelf.membersChanged = true
}

const hasListeners = ({ recordListeners, memberListeners, kindListeners }: Shelf): boolean =>
  recordListeners.size + memberListeners.size + kindListeners.size > 0

function collectListeners(shelf: Shelf, due: Set<Listener>): void {
  // those that somebody listens to are those in sight: far fewer than have changed
  for (const [id, listeners] of shelf.recordListeners) {
    if (shelf.changed.some((ids) => ids.has(id))) for (const one of listeners) due.add(one)
  }
  if (shelf.membersChanged) for (const one of shelf.memberListeners) due.add(one)
  for (const one of shelf.kindListeners) due.add(one)
  settle(shelf)
}

/** Whoever listens from now on has read what is there. */
function settle(shelf: Shelf): void {
  shelf.changed = []
  shelf.membersChanged = false
}
