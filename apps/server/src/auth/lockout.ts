import { lockoutMinutes, maxLoginAttempts } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { SignInAttemptRow } from '../db/schema.ts'
import type { SignInAttemptStore } from '../db/sign-in-attempts.ts'
import { accountKey } from './account-key.ts'
import { clientKey } from './caller.ts'

const LOCK_MS = lockoutMinutes * 60_000
/** A client that signed in to the account this lately is not slowed down by what others try. */
const KNOWN_MS = 30 * 24 * 3_600_000
/** Failures of one account from everywhere within the window, after which its attempts take turns. */
const SLOW_AFTER = 10
const SLOW_MS = 2_000
const MAX_WAITING = 20
const MAX_PAIRS = 10_000

export type Attempt<T> =
  | { outcome: 'passed'; value: T }
  | { outcome: 'failed'; failures: number; lockedUntil: number | undefined }
  | { outcome: 'locked'; until: number }
  /** too many wait for their turn already */
  | { outcome: 'busy' }

export interface Lockout {
  start(): Promise<void>
  /**
   * Every way of showing a password goes through here. Attempts of one account from one client take turns, so
   * that a hundred at once are five. `verify` answers undefined for a wrong password; a failure is counted
   * durably before anybody is told.
   */
  attempt<T>(account: string, client: string, verify: () => Promise<T | undefined>): Promise<Attempt<T>>
  /** By account name or address; the number of counters that were cleared. */
  reset(identifier: string): Promise<number>
}

/**
 * Failures are counted by account and true client together: a neighbour who guesses locks out himself, not the
 * owner. The account as a whole only slows down. Counters end with the window, and they survive a restart.
 */
export function createLockout(store: SignInAttemptStore, clock: Clock): Lockout {
  const pairs = new Map<string, SignInAttemptRow>()
  const lines = new Map<string, { tail: Promise<void>; count: number }>()
  /** Verifications that run, by account: many clients at once must not get in before their failures count. */
  const underWay = new Map<string, number>()
  const keyOf = (account: string, client: string) => JSON.stringify([account, client])

  function current(account: string, client: string): SignInAttemptRow {
    const fresh = {
      account,
      client,
      failures: 0,
      last_failure_at: null,
      locked_until: null,
      last_success_at: null,
    }
    const row = pairs.get(keyOf(account, client))
    if (!row) return fresh
    return isCounting(row, clock.now()) ? row : { ...fresh, last_success_at: row.last_success_at }
  }

  async function put(row: SignInAttemptRow) {
    pairs.set(keyOf(row.account, row.client), row)
    await store.put(row)
    if (pairs.size > MAX_PAIRS) await prune()
  }

  /** What no longer counts goes first, then the oldest; guesses never push out who has signed in. */
  async function prune() {
    const now = clock.now()
    const lastOf = (row: SignInAttemptRow) => Math.max(row.last_failure_at ?? 0, row.last_success_at ?? 0)
    const worth = (row: SignInAttemptRow) => (isKnown(row, now) ? 2 : isCounting(row, now) ? 1 : 0)
    const rows = [...pairs.values()].toSorted((a, b) => worth(a) - worth(b) || lastOf(a) - lastOf(b))
    const surplus = rows.slice(0, rows.length - Math.floor(MAX_PAIRS * 0.9))
    for (const { account, client } of surplus) pairs.delete(keyOf(account, client))
    await store.remove(surplus)
  }

  function isSlow(account: string, client: string): boolean {
    const now = clock.now()
    const own = pairs.get(keyOf(account, client))
    if (own && isKnown(own, now)) return false
    let failures = underWay.get(account) ?? 0
    for (const row of pairs.values()) {
      if (row.account === account && isCounting(row, now)) failures += row.failures
    }
    return failures >= SLOW_AFTER
  }

  async function countedAsUnderWay<T>(account: string, job: () => Promise<T>): Promise<T> {
    underWay.set(account, (underWay.get(account) ?? 0) + 1)
    try {
      return await job()
    } finally {
      const others = underWay.get(account)! - 1
      if (others === 0) underWay.delete(account)
      else underWay.set(account, others)
    }
  }

  async function failed(account: string, client: string) {
    const now = clock.now()
    const row = current(account, client)
    const failures = row.failures + 1
    const lockedUntil = failures >= maxLoginAttempts ? now + LOCK_MS : undefined
    await put({ ...row, failures, last_failure_at: now, locked_until: lockedUntil ?? null })
    return { outcome: 'failed' as const, failures, lockedUntil }
  }

  async function succeeded(account: string, client: string) {
    const row = current(account, client)
    const now = clock.now()
    if (row.failures === 0 && row.last_success_at !== null && now - row.last_success_at < 3_600_000) return
    await put({ ...row, failures: 0, last_failure_at: null, locked_until: null, last_success_at: now })
  }

  /** Runs jobs of one line after another; undefined when the line is too long. */
  async function inLine<T>(line: string, job: () => Promise<T>): Promise<T | undefined> {
    const { tail, count } = lines.get(line) ?? { tail: Promise.resolve(), count: 0 }
    if (count >= MAX_WAITING) return undefined
    const result = tail.then(job)
    const entry = { tail: result.then(leave, leave), count: count + 1 }
    function leave() {
      const now = lines.get(line)!
      if (now.count === 1) lines.delete(line)
      else lines.set(line, { ...now, count: now.count - 1 })
    }
    lines.set(line, entry)
    return result
  }

  const pause = () => new Promise<true>((resolve) => void clock.after(SLOW_MS, () => resolve(true)))

  return {
    async start() {
      for (const row of await store.all()) pairs.set(keyOf(row.account, row.client), row)
    },
    async attempt(name, address, verify) {
      const account = accountKey(name)
      const client = clientKey(address)
      const result = await inLine(keyOf(account, client), async () => {
        const until = current(account, client).locked_until
        if (until !== null) return { outcome: 'locked' as const, until }
        if (isSlow(account, client) && !(await inLine(`every client of ${account}`, pause)))
          return { outcome: 'busy' as const }
        return countedAsUnderWay(account, async () => {
          const value = await verify()
          if (value === undefined) return failed(account, client)
          await succeeded(account, client)
          return { outcome: 'passed' as const, value }
        })
      })
      return result ?? { outcome: 'busy' }
    },
    async reset(identifier) {
      const rows = [...pairs.values()].filter(
        (row) =>
          row.failures > 0 &&
          (row.account === accountKey(identifier) || row.client === clientKey(identifier)),
      )
      for (const { account, client } of rows) pairs.delete(keyOf(account, client))
      await store.remove(rows)
      return rows.length
    },
  }
}

const isKnown = ({ last_success_at }: SignInAttemptRow, now: number) =>
  last_success_at !== null && Math.abs(now - last_success_at) < KNOWN_MS

/** A window ends 15 minutes after its last failure, a lock when it says; a clock set back must not make either last. */
function isCounting({ last_failure_at, locked_until }: SignInAttemptRow, now: number): boolean {
  if (last_failure_at === null || last_failure_at - now > LOCK_MS) return false
  return locked_until === null ? now - last_failure_at < LOCK_MS : now < locked_until
}
