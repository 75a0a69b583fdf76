import type { Clock } from '@pulse/domain'
import type { AuditRow } from '../db/schema.ts'

/** What happens again within that time is counted, not written down again. */
export const countWithinMs = 10 * 60_000
/** Different records of one kind that one caller can make within that time; what is beyond is counted together. */
export const mostOfCaller = { authenticated: 300, stranger: 5 }
/** Reasons for which one thing was refused to one caller, each a record of its own; a text may differ at every try. */
const mostReasons = 20
const MAX_CALLERS = 1_000
/** An import looks here which account or token has ended, and when: each is written down. */
const neverCounted: ReadonlySet<string> = new Set([
  'user_removed',
  'token_revoked',
  'tokens_replaced',
  'credentials_rotated',
])

export type AuditFacts = Omit<AuditRow, 'id' | 'at' | 'times' | 'last_at'>

/** A record that may still be counted up. */
export interface Counted {
  facts: AuditFacts
  /** as it lies in the store; undefined until it is there */
  id: string | undefined
  times: number
  lastAt: number
  /** it could not be stored: the next one is written again */
  isLost: boolean
}

interface Group {
  since: number
  records: Map<string, Counted>
  /** records of failures, by actor and target */
  reasons: Map<string, number>
  more: Counted | undefined
}

/** Finds the recent record that is equal to a new one. Bounded, whatever callers do. */
export function createAuditCounts(clock: Clock) {
  /** by kind and caller, the oldest first */
  const groups = new Map<string, Group>()

  function groupOf(facts: AuditFacts): Group {
    const now = clock.monotonic()
    for (const [key, { since }] of groups) {
      if (now - since < countWithinMs && groups.size < MAX_CALLERS) break
      groups.delete(key)
    }
    const key = JSON.stringify([facts.event, facts.success, facts.caller, placeOf(facts)])
    const known = groups.get(key)
    if (known && now - known.since < countWithinMs) return known
    groups.delete(key)
    const group: Group = { since: now, records: new Map(), reasons: new Map(), more: undefined }
    groups.set(key, group)
    return group
  }

  return {
    /** The record that stands for these facts, and whether it is a new one. */
    take(facts: AuditFacts, at: number): { record: Counted; isNew: boolean } {
      if (facts.success === 1 && neverCounted.has(facts.event))
        return { record: first(facts, at), isNew: true }
      const group = groupOf(facts)
      const isStranger = facts.method === 'none' && facts.success === 0
      const what = JSON.stringify([facts.actor, facts.target])
      const sameAs = (details: string | null) => `${what} ${isStranger ? '' : details}`
      const reasons = group.reasons.get(what) ?? 0
      if (facts.success === 0 && reasons >= mostReasons && !group.records.has(sameAs(facts.details)))
        facts = { ...facts, details: 'various reasons' }
      const same = sameAs(facts.details)
      const known = group.records.get(same)
      if (known && !known.isLost) return { record: again(known, at), isNew: false }
      const record = first(facts, at)
      if (group.records.size < mostOfCaller[isStranger ? 'stranger' : 'authenticated']) {
        group.records.set(same, record)
        if (facts.success === 0 && !known) group.reasons.set(what, reasons + 1)
        return { record, isNew: true }
      }
      if (group.more && !group.more.isLost) return { record: again(group.more, at), isNew: false }
      const various = isStranger ? { actor: 'various names' } : { target: 'various' }
      group.more = { ...record, facts: { ...facts, ...various, details: null } }
      return { record: group.more, isNew: true }
    },
  }
}

const first = (facts: AuditFacts, at: number): Counted => ({
  facts,
  id: undefined,
  times: 1,
  lastAt: at,
  isLost: false,
})

/** Users are counted by name and address, because stolen credentials are used from elsewhere; strangers by address. */
const placeOf = ({ actor_id, address }: AuditFacts) => (actor_id === null ? null : address)

function again(record: Counted, at: number): Counted {
  record.times += 1
  record.lastAt = at
  return record
}
