import type { AnyRecord, Guest, RecordKind } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import type { Opened, Thing } from '../db/history/messages.ts'

/** A record that is absent for this long, while its source answers, was removed. */
const goneAfterMs = 10 * 60_000
/** Of guests that are gone, so many are remembered, in case they return. Containers come and go all day. */
const goneLimit = 10_000

type Stored = Pick<Opened, 'things' | 'highest'>

export interface ThingRegistry {
  /** The number of the record in the store. A record that is new gets the next one. */
  numberOf(kind: RecordKind, id: string): number
  /** undefined for a record that was never sampled */
  find(kind: RecordKind, id: string): number | undefined
  /** Notices which things are gone. Returns those whose stored row is out of date. */
  sync(): Thing[]
  /** Everything is stored again: the thread has lost what it had not stored. */
  resend(): void
}

interface Entry extends Thing {
  /** not among the records at the last tick; and since when its source says so */
  isAbsent?: boolean
  missingSince?: number | undefined
}

const keyOf = (kind: RecordKind, id: string) => `${kind} ${id}`

/**
 * Numbers things for the store. A thing keeps its number while its record has the same id: its name, node and
 * address may change. Records of a connection that was removed and added again under the same name continue.
 * A guest that returns under another name is another guest, because numbers of deleted guests are used again.
 */
export function createThings(
  tables: Tables,
  { things, highest: stored }: Stored,
  now: () => number,
): ThingRegistry {
  const entries = new Map<string, Entry>()
  const byAlias = new Map<string, Entry>()
  const gone = new Set<Entry>()
  const highest = new Map(Object.entries(stored) as [RecordKind, number][])
  const changed = new Set<Entry>()
  for (const thing of things)
    if (thing.goneAt === undefined || thing.kind === 'guests') add({ ...thing, isAbsent: true })

  const recordOf = (kind: RecordKind, id: string) => tables[kind].get(id) as AnyRecord | undefined

  function add(entry: Entry) {
    entries.set(keyOf(entry.kind, entry.id), entry)
    byAlias.set(keyOf(entry.kind, entry.alias), entry)
    if (entry.goneAt !== undefined && entry.kind === 'guests') gone.add(entry)
  }

  function drop(entry: Entry) {
    const alias = keyOf(entry.kind, entry.alias)
    if (byAlias.get(alias) === entry) byAlias.delete(alias)
    const key = keyOf(entry.kind, entry.id)
    if (entries.get(key) === entry) entries.delete(key)
    gone.delete(entry)
  }

  /** The id with the name of the connection in place of its id. */
  function aliasOf(kind: RecordKind, id: string): string {
    const { source } = (recordOf(kind, id) ?? {}) as { source?: string }
    const state = source === undefined ? undefined : tables.sources.get(source)
    return source !== undefined && state && id.startsWith(source)
      ? `${state.kind} ${state.name}${id.slice(source.length)}`
      : id
  }

  function create(kind: RecordKind, id: string, mark: string): Entry {
    const number = (highest.get(kind) ?? -1) + 1
    highest.set(kind, number)
    const entry: Entry = { kind, number, id, alias: aliasOf(kind, id), mark }
    add(entry)
    changed.add(entry)
    return entry
  }

  /** The thing that was away, if this is it. */
  function returned(kind: RecordKind, id: string, mark: string): Entry | undefined {
    const entry = entries.get(keyOf(kind, id)) ?? byAlias.get(keyOf(kind, aliasOf(kind, id)))
    // A connection with the same name has records of its own while the other one exists.
    if (!entry || (entry.id !== id && recordOf(kind, entry.id))) return undefined
    if (entry.mark !== mark) {
      if (entry.goneAt === undefined)
        changed.add(Object.assign(entry, { goneAt: entry.missingSince ?? now() }))
      drop(entry)
      return undefined
    }
    if (entry.id !== id || entry.goneAt !== undefined) {
      drop(entry)
      Object.assign(entry, { id, goneAt: undefined })
      add(entry)
      changed.add(entry)
    }
    return entry
  }

  return {
    numberOf(kind, id) {
      const mark = markOf(kind, recordOf(kind, id))
      const known = entries.get(keyOf(kind, id))
      const entry = known && !known.isAbsent ? known : (returned(kind, id, mark) ?? create(kind, id, mark))
      entry.isAbsent = false
      entry.missingSince = undefined
      if (entry.mark !== mark) changed.add(Object.assign(entry, { mark }))
      return entry.number
    },
    find: (kind, id) => entries.get(keyOf(kind, id))?.number,
    sync() {
      const at = now()
      for (const entry of entries.values()) {
        if (entry.goneAt !== undefined || recordOf(entry.kind, entry.id)) continue
        entry.isAbsent = true
        const state = tables.sources.get(entry.id.split(':')[0]!)
        // While its source is away, nothing is known about what it has.
        if (!state || state.health === 'error' || state.health === 'unknown') continue
        entry.missingSince ??= at
        if (at - entry.missingSince < goneAfterMs) continue
        entry.goneAt = entry.missingSince
        changed.add(entry)
        if (entry.kind === 'guests') gone.add(entry)
        else drop(entry)
      }
      for (const entry of gone) {
        if (gone.size <= goneLimit) break
        drop(entry)
      }
      const news = [...changed].map(({ kind, number, id, alias, mark, goneAt }) => ({
        kind,
        number,
        id,
        alias,
        mark,
        ...(goneAt !== undefined && { goneAt }),
      }))
      changed.clear()
      return news
    },
    resend() {
      for (const entry of entries.values()) changed.add(entry)
    },
  }
}

/** Only guests are deleted and replaced by others under the same number. */
function markOf(kind: RecordKind, record: AnyRecord | undefined): string {
  if (kind !== 'guests' || !record) return ''
  const { type, name } = record as Guest
  return `${type} ${name}`
}
