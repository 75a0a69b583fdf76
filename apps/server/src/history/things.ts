import type { AnyRecord, FileSystem, Guest, RecordKind } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import type { Identity, ThingChange } from '../db/history/messages.ts'

/** A record that is absent for this long, while its source answers, was removed. */
const goneAfterMs = 10 * 60_000
const recordsPerStep = 500

export interface Review {
  /** of things that have a number */
  changes: ThingChange[]
  /** records without a number */
  wanted: Identity[]
}

export interface ThingRegistry {
  /** Compares the records with what is known, in steps of some hundred records. */
  review(now: number): Generator<void, Review>
  /** The review was stored, and these are the numbers of what was wanted. */
  accept(review: Review, numbers: readonly number[]): void
  /** undefined until the record has a number */
  numberOf(kind: RecordKind, id: string): number | undefined
}

interface Entry {
  number: number
  mark: string
  /** not among the records any more; since the last review, and since its source says so */
  isAbsent?: boolean
  missingSince?: number
}

/**
 * The numbers of the records that exist. A thing keeps its number while its record has the same id: its name,
 * node and address may change. A guest that was away and returns under another name is another guest, because
 * numbers of deleted guests are used again. What is gone is known to the file alone.
 */
export function createThings(tables: Tables, kinds: readonly RecordKind[]): ThingRegistry {
  const entries = new Map(kinds.map((kind) => [kind, new Map<string, Entry>()]))
  /** not stored yet, by thing */
  const changes = new Map<string, ThingChange>()

  function change(one: ThingChange) {
    const key = `${one.kind} ${one.number}`
    changes.set(key, { ...changes.get(key), ...one })
  }

  /** The id with the name of the connection in place of its id. */
  function aliasOf(id: string, { source }: { source?: string }): string {
    const state = source === undefined ? undefined : tables.sources.get(source)
    return source !== undefined && state && id.startsWith(source)
      ? `${state.kind} ${state.name}${id.slice(source.length)}`
      : id
  }

  function numberOf(kind: RecordKind, id: string): number | undefined {
    const entry = entries.get(kind)?.get(id)
    // It was away, and as long as its name is not known it may be another one.
    return entry?.isAbsent ? undefined : entry?.number
  }

  /**
   * Only guests are deleted and replaced by others under the same number, with their file systems. Undefined while it
   * is not known. PVE lists the guests of a node that is down without their names.
   */
  function markOf(kind: RecordKind, record: AnyRecord): string | undefined {
    if (kind === 'fileSystems') return numberOf('guests', (record as FileSystem).guestId)?.toString()
    if (kind !== 'guests') return ''
    const { type, name, status } = record as Guest
    return status === 'unknown' ? undefined : `${type} ${name}`
  }

  /** Whether the record is the thing that has had its id. */
  function isSame(kind: RecordKind, entry: Entry, mark: string, now: number): boolean {
    const { number, isAbsent, missingSince } = entry
    if (entry.mark !== mark && isAbsent) {
      change({ kind, number, goneAt: missingSince ?? now })
      return false
    }
    if (entry.mark !== mark) {
      entry.mark = mark
      change({ kind, number, mark })
    }
    delete entry.isAbsent
    delete entry.missingSince
    return true
  }

  /** Whether the thing without a record is gone. */
  function isGone(kind: RecordKind, id: string, entry: Entry, now: number): boolean {
    entry.isAbsent = true
    // Without a state, its connection was removed. Its things continue if that is added again.
    const state = tables.sources.get(id.split(':')[0]!)
    // While its source is away, nothing is known about what it has.
    if (state?.health === 'error' || state?.health === 'unknown') return false
    entry.missingSince ??= now
    if (state && now - entry.missingSince < goneAfterMs) return false
    change({ kind, number: entry.number, goneAt: entry.missingSince })
    return true
  }

  return {
    *review(now) {
      const wanted: Identity[] = []
      let done = 0
      for (const [kind, known] of entries) {
        const records = tables[kind] as ReadonlyMap<string, AnyRecord>
        for (const [id, entry] of known) {
          if (++done % recordsPerStep === 0) yield
          if (!records.has(id) && isGone(kind, id, entry, now)) known.delete(id)
        }
        for (const [id, record] of records) {
          if (++done % recordsPerStep === 0) yield
          const mark = markOf(kind, record)
          const entry = known.get(id)
          if (mark === undefined || (entry && isSame(kind, entry, mark, now))) continue
          known.delete(id)
          const alias = aliasOf(id, record as { source?: string })
          wanted.push({ kind, id, alias, mark })
        }
      }
      return { changes: [...changes.values()], wanted }
    },
    accept(review, numbers) {
      const stored = new Set(review.changes)
      for (const [key, one] of changes) if (stored.has(one)) changes.delete(key)
      for (const [n, { kind, id, mark }] of review.wanted.entries())
        entries.get(kind)!.set(id, { number: numbers[n]!, mark })
    },
    numberOf,
  }
}
