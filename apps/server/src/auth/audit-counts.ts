import type { Clock } from '@pulse/domain'
import type { AuditRow } from '../db/schema.ts'

/** Repetitions within this time are counted instead of recorded again. */
export const countWithinMs = 10 * 60_000
/** Different records of one kind per caller within that time; further ones are counted together. */
export const mostOfCaller = { authenticated: 300, stranger: 5 }
/**
 * Reasons recorded separately when a caller is refused the same thing; the text may differ at every attempt.
 */
const mostReasons = 20
const MAX_CALLERS = 1_000
/**
 * An import reads from the audit log which accounts and tokens have ended, and when. So each event is
 * recorded.
 */
const neverCounted: ReadonlySet<string> = new Set([
  'user_removed',
  'token_revoked',
  'tokens_replaced',
  'credentials_rotated',
])

export type AuditFacts = Omit<AuditRow, 'id' | 'at' | 'times' | 'last_at'>

/** A record that may still be incremented. */
export interface Counted {
  facts: AuditFacts
  /** id of the stored record; undefined until it is stored */
  id: string | undefined
  times: number
  lastAt: number
  /** the record could not be stored, so the next one is stored again */
  isLost: boolean
}

interface Group {
  since: number
  records: Map<string, Counted>
  /** number of failure records, by actor and target */
  reasons: Map<string, number>
  more: Counted | undefined
}

/** Finds the recent record that equals a new one. Its size is bounded, whatever callers do. */
export function createAuditCounts(clock: Clock) {
  /** by kind and caller, oldest first */
  const groups = new Map<string, Group>()

  function groupOf(facts: AuditFacts): Group {
    const now = clock.monotonic()
    for (const [key, { since }] of groups) {
      if (now - since < countWithinMs && groups.size < MAX_CALLERS) break
      groups.delete(key)
    }
    const key = JSON.stringify([facts.event, facts.success, facts.caller, addressOf(facts)])
    const known = groups.get(key)
    if (known && now - known.since < countWithinMs) return known
    groups.delete(key)
    const group: Group = { since: now, records: new Map(), reasons: new Map(), more: undefined }
    groups.set(key, group)
    return group
  }

  return {
    /** The record for these facts, and whether it is new. */
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

/**
 * Users are counted by name and address, because stolen credentials are used from other addresses; strangers
 * by address.
 */
const addressOf = ({ actor_id, address }: AuditFacts) => (actor_id === null ? null : address)

function again(record: Counted, at: number): Counted {
  record.times += 1
  record.lastAt = at
  return record
}
