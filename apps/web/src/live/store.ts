import type { RecordKind, RecordOf } from '@pulse/contract'
import type { ChangedFields, FieldFilter, VisitField, WireKindPatch, WirePatch } from '@pulse/domain'
import { createStoreRecords, type StoreRecords } from './store-records.ts'

type Listener = () => void

/** The live state for selectors, by kind and store id (`record.id` is the wire id). */
export interface LiveReader {
  /** A changed record is a new object. */
  get<K extends RecordKind>(kind: K, id: string): RecordOf<K> | undefined
  /** The same array until a record of the kind is added or removed. */
  ids(kind: RecordKind): readonly string[]
  /**
   * The map and its guests change in place. Compare `version` or call `changedSince`; never compare
   * identities. Reading a record applies its pending changes, so read only the records you need.
   */
  records<K extends RecordKind>(kind: K): ReadonlyMap<string, RecordOf<K>>
  /** Increases with every change of the kind. */
  version(kind: RecordKind): number
  /**
   * Ids of the records added, changed or removed after that version, possibly with duplicates. `isRelevant`
   * limits them to changes in relevant fields. Undefined after a snapshot, or if the log does not reach back
   * far enough: then all records may have changed.
   */
  changedSince(kind: RecordKind, version: number, isRelevant?: FieldFilter): readonly string[] | undefined
  /**
   * Visits the newest value of one field, such as `memory.used`, of these records. Applies no other changes.
   */
  eachChanged(kind: RecordKind, version: number, path: string, visit: VisitField): void
}

export interface LiveStore extends LiveReader {
  /** `replaced`: the kinds of a snapshot. Records that it lacks are removed. */
  apply(patch: WirePatch, replaced?: readonly RecordKind[]): void
  onRecord(kind: RecordKind, id: string, listener: Listener): () => void
  onMembers(kind: RecordKind, listener: Listener): () => void
  onKind(kind: RecordKind, listener: Listener): () => void
  /** Notifies listeners now instead of in the next frame. */
  flush(): void
}

interface KindState {
  records: StoreRecords
  ids: readonly string[] | undefined
  version: number
  /** the last versions, oldest first */
  log: LogEntry[]
  /** ids changed since the last frame; the patches themselves, because copying thousands of ids is slow */
  changed: IdSet[]
  membersChanged: boolean
  recordListeners: Map<string, Set<Listener>>
  memberListeners: Set<Listener>
  kindListeners: Set<Listener>
}

interface LogEntry {
  version: number
  /** ids of records that were added, replaced or removed */
  replaced: readonly string[]
  set: ChangedFields | undefined
}

interface IdSet {
  has(id: string): boolean
}

type AnyPatch = WireKindPatch<RecordOf<RecordKind>>

/** A hidden page gets no frame for hours. Above this number, patches are merged. */
const maxPendingPatches = 8

/** A selector that runs in every frame needs one or two entries. */
const maxLogEntries = 4

/** Notifies listeners at most once per frame, and only about the records that they watch. */
export function createLiveStore(nextFrame: (run: () => void) => void): LiveStore {
  const states = new Map<RecordKind, KindState>()
  const touched = new Set<KindState>()
  let scheduled = false

  const stateOf = (kind: RecordKind): KindState => {
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
    const target = stateOf(kind)
    const changed = replace ? replaceRecords(target, patch.put) : patchRecords(target, patch)
    if (!changed) return
    target.version += 1
    if (replace) target.log = []
    else appendLog(target, patch)
    // without listeners no frame is requested
    if (hasListeners(target)) return void touched.add(target)
    touched.delete(target)
    clearChanges(target)
  }

  return {
    get: <K extends RecordKind>(kind: K, id: string) =>
      stateOf(kind).records.getSnapshot(id) as RecordOf<K> | undefined,
    ids: (kind) => {
      const target = stateOf(kind)
      return (target.ids ??= [...target.records.keys()])
    },
    records: <K extends RecordKind>(kind: K) =>
      stateOf(kind).records as unknown as ReadonlyMap<string, RecordOf<K>>,
    version: (kind) => states.get(kind)?.version ?? 0,
    changedSince: (kind, version, isRelevant) => readLog(stateOf(kind), version, isRelevant),
    eachChanged(kind, version, path, visit) {
      for (const { version: at, set } of stateOf(kind).log) if (at > version) set?.each(path, visit)
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
      const { recordListeners } = stateOf(kind)
      let set = recordListeners.get(id)
      if (!set) recordListeners.set(id, (set = new Set()))
      const own = set
      own.add(listener)
      return () => {
        own.delete(listener)
        if (own.size === 0 && recordListeners.get(id) === own) recordListeners.delete(id)
      }
    },
    onMembers: (kind, listener) => listen(stateOf(kind).memberListeners, listener),
    onKind: (kind, listener) => listen(stateOf(kind).kindListeners, listener),
    flush,
  }
}

/** Guests are the most numerous kind. Selectors may keep and compare the records of all other kinds. */
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

function appendLog({ log, version }: KindState, { put, remove, set }: AnyPatch): void {
  // ids only: the patch holds the records
  log.push({ version, replaced: [...put.keys(), ...remove], set })
  if (log.length > maxLogEntries) log.shift()
}

function readLog(
  { log, version: now }: KindState,
  version: number,
  isRelevant?: FieldFilter,
): readonly string[] | undefined {
  if (version === now) return []
  if (version > now || log[0] === undefined || log[0].version > version + 1) return undefined
  return log
    .filter((one) => one.version > version)
    .flatMap(({ replaced, set }) => (set ? [...replaced, ...set.ids(isRelevant)] : replaced))
}

function listen(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function patchRecords(state: KindState, { put, remove, set }: AnyPatch): boolean {
  const { records } = state
  let members = false
  if (set) records.setSource(set.records)
  for (const id of remove) if (!put.has(id) && records.delete(id)) members = true
  for (const [id, record] of put) {
    if (!records.has(id)) members = true
    records.put(id, record)
  }
  if (members) invalidateIds(state)
  if (!members && put.size === 0 && !set) return false
  for (const ids of [put, remove]) if (ids.size > 0) addChanged(state, ids)
  if (set) addChanged(state, set)
  return true
}

/** A snapshot also sets the order. `ids` keeps its identity if members and order are unchanged. */
function replaceRecords(state: KindState, next: ReadonlyMap<string, RecordOf<RecordKind>>): boolean {
  const { records } = state
  if (next.size === 0 && records.size === 0) return false
  const before = [...records.keys()]
  addChanged(state, new Set(before))
  addChanged(state, next)
  records.clear()
  records.setSource(undefined)
  for (const [id, record] of next) records.put(id, record)
  let at = 0
  const same = before.length === next.size && [...next.keys()].every((id) => id === before[at++])
  if (!same) invalidateIds(state)
  return true
}

function addChanged(state: KindState, ids: IdSet): void {
  const { changed, recordListeners } = state
  if (changed.length >= maxPendingPatches) {
    // merged, because only ids with listeners matter
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
  // iterates the listeners, because rows in view are far fewer than changed records
  for (const [id, listeners] of state.recordListeners) {
    if (state.changed.some((ids) => ids.has(id))) for (const one of listeners) due.add(one)
  }
  if (state.membersChanged) for (const one of state.memberListeners) due.add(one)
  for (const one of state.kindListeners) due.add(one)
  clearChanges(state)
}

/** A new listener has already read the current state. */
function clearChanges(state: KindState): void {
  state.changed = []
  state.membersChanged = false
}
