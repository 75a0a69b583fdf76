import type { AnyRecord, RecordKind } from '@pulse/contract'
import { type Mark, marked } from './marks.ts'
import { isEqual, type KindPatch } from './patch.ts'

/** A source's version of a record. */
export interface Claim {
  source: string
  record: AnyRecord
}

/** Merges several sources' versions of a record. The versions are in the order of the source ids. */
export type Join = (claims: readonly Claim[]) => AnyRecord

export type Changes = Partial<Record<RecordKind, KindPatch<AnyRecord>>>

export interface Claims {
  /** number of sources */
  readonly size: number
  put(source: string, kind: RecordKind, records: Iterable<readonly [string, AnyRecord]>): void
  remove(source: string, kind: RecordKind, ids: Iterable<string>): void
  /** Marks all records of the source, or removes the mark. */
  mark(source: string, mark: Mark | undefined): void
  /** The source's records of a kind, by id. */
  of(source: string, kind: RecordKind): ReadonlyMap<string, AnyRecord>
  isEmpty(source: string): boolean
  kindsOf(source: string): RecordKind[]
  /** Its claims were removed, and the removal was shown. */
  forget(source: string): void
  /** The source's pending changes, at most that many records at a time. */
  take(source: string, most: number): { changes: Changes; isLast: boolean }
}

type ByKind<T> = Map<RecordKind, Map<string, T>>

interface Source {
  records: ByKind<AnyRecord>
  /** ids with a pending change; true: newly claimed */
  pending: ByKind<boolean>
  mark: Mark | undefined
  /** iterates over all records after a change of the mark */
  remarked: Iterator<readonly [RecordKind, string], void> | undefined
}

/**
 * Tracks which source claims which record. A record exists while any source claims it. If several do, a fresh
 * version takes precedence over a stale one. Among equals the source with the first id wins, so that
 * different versions do not alternate. Kinds in `joins` merge all versions. Versions of foreign sources count
 * only among themselves.
 */
export function createClaims(
  known: (kind: RecordKind, id: string) => AnyRecord | undefined,
  joins: Partial<Record<RecordKind, Join>>,
  onFault: (error: unknown) => void,
  isForeign: (source: string) => boolean = () => false,
): Claims {
  const sources = new Map<string, Source>()
  /** ids that several sources claim */
  const contested = new Map<RecordKind, Set<string>>()

  const sourceOf = (source: string): Source =>
    getOrPut(sources, source, () => ({
      records: new Map(),
      pending: new Map(),
      mark: undefined,
      remarked: undefined,
    }))

  const shownBy = ({ mark }: Source, kind: RecordKind, record: AnyRecord) =>
    mark ? marked(kind, record, mark) : record

  function claimsOf(kind: RecordKind, id: string): Claim[] {
    const claims: Claim[] = []
    for (const [source, one] of sources) {
      const record = one.records.get(kind)?.get(id)
      if (record) claims.push({ source, record: shownBy(one, kind, record) })
    }
    return claims.sort((a, b) => (a.source < b.source ? -1 : 1))
  }

  /** The effective version of a record with several claims. Undefined if no source claims it. */
  function resolve(kind: RecordKind, id: string): AnyRecord | undefined {
    const all = claimsOf(kind, id)
    if (all.length < 2) contested.get(kind)?.delete(id)
    const trusted = all.filter(({ source }) => !isForeign(source))
    const claims = trusted.length > 0 ? trusted : all
    return claims.length < 2 ? claims[0]?.record : join(kind, claims)
  }

  function join(kind: RecordKind, claims: readonly Claim[]): AnyRecord {
    try {
      return (joins[kind] ?? freshest)(claims)
    } catch (error) {
      onFault(error)
      return freshest(claims)
    }
  }

  function addChange(changes: Changes, one: Source, kind: RecordKind, id: string, isNew: boolean) {
    const old = known(kind, id)
    if (isNew && old !== undefined) getOrPut(contested, kind, () => new Set()).add(id)
    const own = one.records.get(kind)?.get(id)
    const next = own && !contested.get(kind)?.has(id) ? shownBy(one, kind, own) : resolve(kind, id)
    if (next === undefined ? old === undefined : old !== undefined && isEqual(old, next)) return
    const change = (changes[kind] ??= { put: new Map(), remove: new Set() })
    if (next) change.put.set(id, next)
    else change.remove.add(id)
  }

  return {
    get size() {
      return sources.size
    },
    put(source, kind, records) {
      const one = sourceOf(source)
      const own = getOrPut(one.records, kind, () => new Map())
      const pending = getOrPut(one.pending, kind, () => new Map())
      for (const [id, record] of records) {
        const before = own.get(id)
        if (before === record) continue
        own.set(id, record)
        pending.set(id, before === undefined || pending.get(id) === true)
      }
    },
    remove(source, kind, ids) {
      const one = sourceOf(source)
      for (const id of ids)
        if (one.records.get(kind)?.delete(id)) getOrPut(one.pending, kind, () => new Map()).set(id, false)
    },
    mark(source, mark) {
      const one = sourceOf(source)
      if (isEqual(one.mark, mark)) return
      one.mark = mark
      one.remarked = entriesOf(one.records)
    },
    of: (source, kind) => sources.get(source)?.records.get(kind) ?? new Map<string, never>(),
    isEmpty: (source) => ![...(sources.get(source)?.records.values() ?? [])].some(({ size }) => size > 0),
    kindsOf: (source) => [...(sources.get(source)?.records.keys() ?? [])],
    forget: (source) => void sources.delete(source),
    take(source, most) {
      const changes: Changes = {}
      const one = sources.get(source)
      if (!one) return { changes, isLast: true }
      let visited = 0
      for (const [kind, pending] of one.pending) {
        for (const [id, isNew] of pending) {
          if (visited++ >= most) return { changes, isLast: false }
          pending.delete(id)
          addChange(changes, one, kind, id, isNew)
        }
        one.pending.delete(kind)
      }
      while (one.remarked) {
        if (visited++ >= most) return { changes, isLast: false }
        const { value } = one.remarked.next()
        if (value) addChange(changes, one, ...value, false)
        else one.remarked = undefined
      }
      return { changes, isLast: true }
    },
  }
}

/** The first fresh version, or else the first of all. */
export const freshest: Join = (claims) => (claims.find(({ record }) => !isStale(record)) ?? claims[0]!).record

const isStale = (record: AnyRecord) => 'staleSince' in record && record.staleSince !== undefined

function* entriesOf(records: ByKind<AnyRecord>): Generator<readonly [RecordKind, string], void> {
  for (const [kind, own] of records) for (const id of own.keys()) yield [kind, id]
}

function getOrPut<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const value = make()
  map.set(key, value)
  return value
}
