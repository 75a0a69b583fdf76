import type { RecordKind, RecordOf } from '@pulse/contract'
import type { ChangedFields, Matters, VisitField, WireKindPatch, WirePatch } from '@pulse/domain'
import { createStoreRecords, type StoreRecords } from './store-records.ts'

type Listener = () => void

/** What selectors see: the live state by kind and internal identity (`record.id` is the wire id). */
export interface LiveReader {
  /** Another object whenever it changed. */
  get<K extends RecordKind>(kind: K, id: string): RecordOf<K> | undefined
  /** The same array until a record of the kind comes or goes. */
  ids(kind: RecordKind): readonly string[]
  /**
   * Changed in place, as are the guests in it: watch `version` or `changedSince`, never an identity. A record is brought
   * up to date when it is read from it, so who needs few of them asks for those.
   */
  records<K extends RecordKind>(kind: K): ReadonlyMap<string, RecordOf<K>>
  /** Grows with every change of the kind. */
  version(kind: RecordKind): number
  /**
   * The records that came, changed or went after that version, some perhaps twice; undefined when it is too long ago
   * to tell, or a snapshot came between: then all may have changed. With `matters` only those of which a field changed
   * that does.
   */
  changedSince(kind: RecordKind, version: number, matters?: Matters): readonly string[] | undefined
  /** Of these one field, such as `memory.used`, its newest value: a record is not brought up to date for that. */
  eachChanged(kind: RecordKind, version: number, path: string, visit: VisitField): void
}

export interface LiveStore extends LiveReader {
  /** `replaced` names the kinds of a snapshot: what it does not hold is gone. */
  apply(patch: WirePatch, replaced?: readonly RecordKind[]): void
  onRecord(kind: RecordKind, id: string, listener: Listener): () => void
  onMembers(kind: RecordKind, listener: Listener): () => void
  onKind(kind: RecordKind, listener: Listener): () => void
  /** Tells the listeners now instead of in the next frame. */
  flush(): void
}

interface KindState {
  records: StoreRecords
  ids: readonly string[] | undefined
  version: number
  /** of the last versions, oldest first */
  log: Logged[]
  /** whose records changed since the last frame: the patches themselves, thousands of ids are not put together anew */
  changed: Has[]
  membersChanged: boolean
  recordListeners: Map<string, Set<Listener>>
  memberListeners: Set<Listener>
  kindListeners: Set<Listener>
}

interface Logged {
  version: number
  /** that came whole, or went */
  whole: readonly string[]
  set: ChangedFields | undefined
}

interface Has {
  has(id: string): boolean
}

type AnyPatch = WireKindPatch<RecordOf<RecordKind>>

/** A page that nobody sees gets no frame for hours. */
const mostLists = 8

/** Whoever looks at every frame needs one of them, or two. */
const loggedVersions = 4

/** Listeners hear at most once per frame, and only about what they watch. */
export function createLiveStore(nextFrame: (run: () => void) => void): LiveStore {
  const states = new Map<RecordKind, KindState>()
  const touched = new Set<KindState>()
  let scheduled = false

  const state = (kind: RecordKind): KindState => {
    let found = states.get(kind)
    if (!found) states.set(kind, (found = emptyKindState(kind)))
    return found
  }

  const flush = () => {
    scheduled = false
    const due = new Set<Listener>()
    for (const one of touched) collectListeners(one, due)
    touched.clear()
    for (const listener of due) listener()
  }

  const applyKind = (kind: RecordKind, patch: AnyPatch, replace: boolean) => {
    const target = state(kind)
    const changed = replace ? replaceRecords(target, patch.put) : patchRecords(target, patch)
    if (!changed) return
    target.version += 1
    if (replace) target.log = []
    else note(target, patch)
    // what nobody follows asks the page for no frame
    if (hasListeners(target)) return void touched.add(target)
    touched.delete(target)
    clearChanges(target)
  }

  return {
    get: <K extends RecordKind>(kind: K, id: string) =>
      state(kind).records.keep(id) as RecordOf<K> | undefined,
    ids: (kind) => {
      const target = state(kind)
      return (target.ids ??= [...target.records.keys()])
    },
    records: <K extends RecordKind>(kind: K) =>
      state(kind).records as unknown as ReadonlyMap<string, RecordOf<K>>,
    version: (kind) => states.get(kind)?.version ?? 0,
    changedSince: (kind, version, matters) => loggedSince(state(kind), version, matters),
    eachChanged(kind, version, path, visit) {
      for (const { version: at, set } of state(kind).log) if (at > version) set?.each(path, visit)
    },
    apply(patch, replaced = []) {
      for (const kind of new Set([...replaced, ...(Object.keys(patch) as RecordKind[])])) {
        const change = patch[kind] as AnyPatch | undefined
        applyKind(kind, change ?? { put: new Map(), remove: new Set() }, replaced.includes(kind))
      }
      if (scheduled || touched.size === 0) return
      scheduled = true
      nextFrame(flush)
    },
    onRecord(kind, id, listener) {
      const { recordListeners } = state(kind)
      let set = recordListeners.get(id)
      if (!set) recordListeners.set(id, (set = new Set()))
      const own = set
      own.add(listener)
      return () => {
        own.delete(listener)
        if (own.size === 0 && recordListeners.get(id) === own) recordListeners.delete(id)
      }
    },
    onMembers: (kind, listener) => listen(state(kind).memberListeners, listener),
    onKind: (kind, listener) => listen(state(kind).kindListeners, listener),
    flush,
  }
}

/** Guests are by far the most. Of other kinds selectors may keep whole records and compare them. */
const changesInPlace = (kind: RecordKind) => kind === 'guests'

const emptyKindState = (kind: RecordKind): KindState => ({
  records: createStoreRecords(changesInPlace(kind)),
  ids: undefined,
  version: 0,
  log: [],
  changed: [],
  membersChanged: false,
  recordListeners: new Map(),
  memberListeners: new Set(),
  kindListeners: new Set(),
})

function note({ log, version }: KindState, { put, remove, set }: AnyPatch): void {
  // not the patch, which holds the records themselves
  log.push({ version, whole: [...put.keys(), ...remove], set })
  if (log.length > loggedVersions) log.shift()
}

function loggedSince(
  { log, version: now }: KindState,
  version: number,
  matters?: Matters,
): readonly string[] | undefined {
  if (version === now) return []
  if (version > now || log[0] === undefined || log[0].version > version + 1) return undefined
  return log
    .filter((one) => one.version > version)
    .flatMap(({ whole, set }) => (set ? [...whole, ...set.ids(matters)] : whole))
}

function listen(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function patchRecords(state: KindState, { put, remove, set }: AnyPatch): boolean {
  const { records } = state
  let members = false
  if (set) records.follow(set.records)
  for (const id of remove) if (!put.has(id) && records.delete(id)) members = true
  for (const [id, record] of put) {
    if (!records.has(id)) members = true
    records.put(id, record)
  }
  if (members) invalidateIds(state)
  if (!members && put.size === 0 && !set) return false
  for (const ids of [put, remove]) if (ids.size > 0) noteChanged(state, ids)
  if (set) noteChanged(state, set)
  return true
}

/** A snapshot decides the order too; when members and order are as before, `ids` keeps its identity. */
function replaceRecords(state: KindState, next: ReadonlyMap<string, RecordOf<RecordKind>>): boolean {
  const { records } = state
  if (next.size === 0 && records.size === 0) return false
  const before = [...records.keys()]
  noteChanged(state, new Set(before))
  noteChanged(state, next)
  records.clear()
  records.follow(undefined)
  for (const [id, record] of next) records.put(id, record)
  let at = 0
  const same = before.length === next.size && [...next.keys()].every((id) => id === before[at++])
  if (!same) invalidateIds(state)
  return true
}

function noteChanged(state: KindState, ids: Has): void {
  const { changed, recordListeners } = state
  if (changed.length >= mostLists) {
    // what they say to those who listen
    state.changed = [
      new Set([...recordListeners.keys()].filter((id) => changed.some((some) => some.has(id)))),
    ]
  }
  state.changed.push(ids)
}

function invalidateIds(state: KindState): void {
  state.ids = undefined
  state.membersChanged = true
}

const hasListeners = ({ recordListeners, memberListeners, kindListeners }: KindState): boolean =>
  recordListeners.size + memberListeners.size + kindListeners.size > 0

function collectListeners(state: KindState, due: Set<Listener>): void {
  // those that somebody listens to are those in sight: far fewer than have changed
  for (const [id, listeners] of state.recordListeners) {
    if (state.changed.some((ids) => ids.has(id))) for (const one of listeners) due.add(one)
  }
  if (state.membersChanged) for (const one of state.memberListeners) due.add(one)
  for (const one of state.kindListeners) due.add(one)
  clearChanges(state)
}

/** Whoever listens from now on has read what is there. */
function clearChanges(state: KindState): void {
  state.changed = []
  state.membersChanged = false
}
