import type { AnyRecord, RecordKind } from '@pulse/contract'
import { isEqual, type KindPatch, type Records } from './patch.ts'

/** One source's word on a record. */
export interface Claim {
  source: string
  record: AnyRecord
}

/** What several sources say about one record, in the order of their ids, as one. */
export type Join = (claims: readonly Claim[]) => AnyRecord

export interface Claims {
  /**
   * The complete picture that a source has of a kind now: what changes with it, at most so many records at a time. The
   * next picture of that source has to wait until this one has been taken in.
   */
  replace(
    source: string,
    kind: RecordKind,
    after: Records<AnyRecord>,
    mostAtOnce: number,
  ): Generator<KindPatch<AnyRecord>, void>
  /** What the source has said something about. */
  kindsOf(source: string): RecordKind[]
  forget(source: string): void
}

const none: Records<AnyRecord> = new Map()
const emptyChange = (): KindPatch<AnyRecord> => ({ put: new Map(), remove: new Set() })

/**
 * Who says what. A record belongs to everybody who claims it, and goes with the last of them. While several do, the
 * fresh word counts before the stale one, and among equals that of the source whose id comes first, so that two who
 * differ do not make it flicker; `joins` says it for kinds where all of them count.
 */
export function createClaims(
  known: (kind: RecordKind, id: string) => AnyRecord | undefined,
  joins: Partial<Record<RecordKind, Join>>,
  onFault: (error: unknown) => void,
): Claims {
  const said = new Map<string, Map<RecordKind, Records<AnyRecord>>>()
  /** ids that several sources claim */
  const contested = new Map<RecordKind, Set<string>>()

  function claimsOf(kind: RecordKind, id: string): Claim[] {
    const claims: Claim[] = []
    for (const [source, kinds] of said) {
      const record = kinds.get(kind)?.get(id)
      if (record) claims.push({ source, record })
    }
    return claims.sort((a, b) => (a.source < b.source ? -1 : 1))
  }

  function contest(kind: RecordKind, id: string) {
    const ids = contested.get(kind)
    if (ids) ids.add(id)
    else contested.set(kind, new Set([id]))
  }

  /** What holds of a contested record now; undefined when no source claims it. */
  function resolve(kind: RecordKind, id: string): AnyRecord | undefined {
    const claims = claimsOf(kind, id)
    if (claims.length < 2) contested.get(kind)?.delete(id)
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

  return {
    *replace(source, kind, after, mostAtOnce) {
      let mine = said.get(source)
      if (!mine) said.set(source, (mine = new Map()))
      const before = mine.get(kind) ?? none
      if (before === after) return
      mine.set(kind, after)
      let change = emptyChange()
      const isFull = () => change.put.size + change.remove.size >= mostAtOnce
      for (const [id, record] of after) {
        const own = before.get(id)
        if (own === record) continue
        const old = known(kind, id)
        if (old !== undefined && own === undefined) contest(kind, id)
        const next = contested.get(kind)?.has(id) ? resolve(kind, id)! : record
        if (old !== undefined && isEqual(old, next)) continue
        change.put.set(id, next)
        if (!isFull()) continue
        yield change
        change = emptyChange()
      }
      for (const id of before.keys()) {
        if (after.has(id)) continue
        // Another source may have claimed it since this picture was begun.
        const next = resolve(kind, id)
        if (next === undefined) change.remove.add(id)
        else if (!isEqual(known(kind, id), next)) change.put.set(id, next)
        if (!isFull()) continue
        yield change
        change = emptyChange()
      }
      if (change.put.size + change.remove.size > 0) yield change
    },
    kindsOf: (source) => [...(said.get(source)?.keys() ?? [])],
    forget: (source) => void said.delete(source),
  }
}

/** The first that is not stale, or the first of all. */
export const freshest: Join = (claims) => (claims.find(({ record }) => !isStale(record)) ?? claims[0]!).record

const isStale = (record: AnyRecord) => 'staleSince' in record && record.staleSince !== undefined
