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
  /** The complete picture that a source has of a kind now; undefined when it says nothing new. */
  replace(source: string, kind: RecordKind, after: Records<AnyRecord>): KindPatch<AnyRecord> | undefined
  /** What the source has said something about. */
  kindsOf(source: string): RecordKind[]
  forget(source: string): void
}

const none: Records<AnyRecord> = new Map()

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

  /** What holds of a contested record now; undefined when nobody claims it any more. */
  function settle(kind: RecordKind, id: string): AnyRecord | undefined {
    const claims = claimsOf(kind, id)
    if (claims.length < 2) contested.get(kind)!.delete(id)
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
    replace(source, kind, after) {
      let mine = said.get(source)
      if (!mine) said.set(source, (mine = new Map()))
      const before = mine.get(kind) ?? none
      if (before === after) return undefined
      mine.set(kind, after)
      const put = new Map<string, AnyRecord>()
      const remove = new Set<string>()
      for (const [id, record] of after) {
        const own = before.get(id)
        if (own === record) continue
        const old = known(kind, id)
        if (old !== undefined && own === undefined) contest(kind, id)
        const next = contested.get(kind)?.has(id) ? settle(kind, id)! : record
        if (old === undefined || !isEqual(old, next)) put.set(id, next)
      }
      for (const id of before.keys()) {
        if (after.has(id)) continue
        const next = contested.get(kind)?.has(id) ? settle(kind, id) : undefined
        if (next === undefined) remove.add(id)
        else if (!isEqual(known(kind, id), next)) put.set(id, next)
      }
      return put.size > 0 || remove.size > 0 ? { put, remove } : undefined
    },
    kindsOf: (source) => [...(said.get(source)?.keys() ?? [])],
    forget: (source) => void said.delete(source),
  }
}

/** The first that is not stale, or the first of all. */
export const freshest: Join = (claims) => (claims.find(({ record }) => !isStale(record)) ?? claims[0]!).record

const isStale = (record: AnyRecord) => 'staleSince' in record && record.staleSince !== undefined
