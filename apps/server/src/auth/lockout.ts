import { lockoutMinutes, maxLoginAttempts } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { unlessDiskRefuses } from '../database-error.ts'
import type { SignInAttemptRow } from '../db/schema.ts'
import type { SignInAttemptStore } from '../db/sign-in-attempts.ts'
import { accountKey } from './account-key.ts'
import { clientKey } from './caller.ts'
import { type BoundedQueue, createBoundedQueue } from '../timing/concurrency.ts'

const LOCK_MS = lockoutMinutes * 60_000
/** Guesses of other clients do not slow down a client that signed in to the account within this time. */
const KNOWN_MS = 30 * 24 * 3_600_000
/** Failures of one account from all clients within the window, above which its attempts are serialized. */
const SLOW_AFTER = 10
const SLOW_MS = 2_000
const MAX_WAITING = 20
const MAX_PAIRS = 10_000
/** Another success within this time is not stored again. */
const FRESH_MS = 3_600_000

/**
 * A counter and its end on the monotonic clock: 15 minutes after the last failure, or the end of the lock.
 */
interface Pair {
  row: SignInAttemptRow
  endsAt: number | undefined
}

export type Attempt<T> =
  | { outcome: 'passed'; value: T }
  | { outcome: 'failed'; failures: number; lockedUntil: number | undefined }
  | { outcome: 'locked'; until: number }
  /** the queue of attempts is full */
  | { outcome: 'busy' }

export interface Lockout {
  start(): Promise<void>
  /**
   * Every password check runs through here. Attempts of one client on one account are serialized, so that a
   * hundred concurrent attempts are only five checks. `verify` resolves to undefined for a wrong password. A
   * failure is stored before the caller gets an answer.
   */
  attempt<T>(
    account: string,
    client: string,
    verify: () => Promise<T | undefined>,
    /**
     * false for a program: its frequent sign-ins would keep resetting the count of guesses from its address
     */
    forgives?: boolean,
  ): Promise<Attempt<T>>
  /** The wall-clock time when the lock ends; undefined when there is none. */
  lockedUntil(account: string, client: string): number | undefined
  /** Takes an account name or an address; returns the number of cleared counters. */
  reset(identifier: string): Promise<number>
}

/**
 * Failures are counted per account and true client. A guesser locks out his own address, not the account's
 * owner; the account as a whole only slows down. Counters end with the window and survive a restart.
 */
export function createLockout(store: SignInAttemptStore, clock: Clock): Lockout {
  const pairs = new Map<string, Pair>()
  const lines = new Map<string, BoundedQueue>()
  /**
   * Running verifications by account: many concurrent clients must not get in before their failures count.
   */
  const underWay = new Map<string, number>()
  const keyOf = (account: string, client: string) => JSON.stringify([account, client])

  function current(account: string, client: string): Pair {
    const pair = pairs.get(keyOf(account, client))
    if (pair && isCounting(pair, clock.monotonic())) return pair
    const last_success_at = pair?.row.last_success_at ?? null
    const row = { account, client, failures: 0, last_failure_at: null, locked_until: null, last_success_at }
    return { row, endsAt: undefined }
  }

  async function put(pair: Pair) {
    const { row } = pair
    pairs.set(keyOf(row.account, row.client), pair)
    await store.put(row).catch(unlessDiskRefuses)
    const surplus = prune()
    await store.remove(surplus).catch(unlessDiskRefuses)
  }

  /**
   * Removes counters that have ended, and the oldest ones above the bound. Guesses never displace a client
   * that has signed in.
   */
  function prune(): SignInAttemptRow[] {
    const [now, monotonic] = [clock.now(), clock.monotonic()]
    const lastOf = ({ row }: Pair) => Math.max(row.last_failure_at ?? 0, row.last_success_at ?? 0)
    const worth = (pair: Pair) => (isKnown(pair.row, now) ? 2 : isCounting(pair, monotonic) ? 1 : 0)
    const all = [...pairs.values()]
    let surplus = all.filter((pair) => worth(pair) === 0)
    if (all.length - surplus.length > MAX_PAIRS) {
      const sorted = all.toSorted((a, b) => worth(a) - worth(b) || lastOf(a) - lastOf(b))
      surplus = sorted.slice(0, sorted.length - Math.floor(MAX_PAIRS * 0.9))
    }
    for (const { row } of surplus) pairs.delete(keyOf(row.account, row.client))
    return surplus.map(({ row }) => row)
  }

  function isSlow(account: string, client: string): boolean {
    const own = pairs.get(keyOf(account, client))
    if (own && isKnown(own.row, clock.now())) return false
    const monotonic = clock.monotonic()
    let failures = underWay.get(account) ?? 0
    for (const pair of pairs.values()) {
      if (pair.row.account === account && isCounting(pair, monotonic)) failures += pair.row.failures
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
    const { row } = current(account, client)
    const failures = row.failures + 1
    const now = clock.now()
    const lockedUntil = failures >= maxLoginAttempts ? now + LOCK_MS : undefined
    await put({
      row: { ...row, failures, last_failure_at: now, locked_until: lockedUntil ?? null },
      endsAt: clock.monotonic() + LOCK_MS,
    })
    return { outcome: 'failed' as const, failures, lockedUntil }
  }

  async function succeeded(account: string, client: string, forgives: boolean) {
    const pair = current(account, client)
    const { row } = pair
    const now = clock.now()
    const isFresh = row.last_success_at !== null && Math.abs(now - row.last_success_at) < FRESH_MS
    if (row.failures > 0 && !forgives)
      return isFresh ? undefined : put({ ...pair, row: { ...row, last_success_at: now } })
    if (row.failures === 0 && isFresh) return
    const clean = { failures: 0, last_failure_at: null, locked_until: null, last_success_at: now }
    await put({ row: { ...row, ...clean }, endsAt: undefined })
  }

  function lockedUntil(account: string, client: string): number | undefined {
    const { row, endsAt } = current(account, client)
    if (row.locked_until === null || endsAt === undefined) return undefined
    return clock.now() + endsAt - clock.monotonic()
  }

  /** Runs the jobs of one queue in sequence; undefined when the queue is full. */
  async function inLine<T>(line: string, job: () => Promise<T>): Promise<T | undefined> {
    const queue = lines.get(line) ?? createBoundedQueue({ waiting: MAX_WAITING - 1 })
    lines.set(line, queue)
    try {
      return await queue.tryRun(job)
    } finally {
      if (queue.isIdle()) lines.delete(line)
    }
  }

  const pause = () => new Promise<true>((resolve) => void clock.after(SLOW_MS, () => resolve(true)))

  return {
    async start() {
      const rows = await store.all()
      pairs.clear()
      for (const row of rows) pairs.set(keyOf(row.account, row.client), fromRow(row, clock))
    },
    async attempt(name, address, verify, forgives = true) {
      const account = accountKey(name)
      const client = clientKey(address)
      const result = await inLine(keyOf(account, client), async () => {
        const until = lockedUntil(account, client)
        if (until !== undefined) return { outcome: 'locked' as const, until }
        if (isSlow(account, client) && !(await inLine(`every client of ${account}`, pause)))
          return { outcome: 'busy' as const }
        return countedAsUnderWay(account, async () => {
          const value = await verify()
          if (value === undefined) return failed(account, client)
          await succeeded(account, client, forgives)
          return { outcome: 'passed' as const, value }
        })
      })
      return result ?? { outcome: 'busy' }
    },
    lockedUntil: (name, address) => lockedUntil(accountKey(name), clientKey(address)),
    async reset(identifier) {
      const rows = [...pairs.values()]
        .map(({ row }) => row)
        .filter(
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

const isCounting = ({ endsAt }: Pair, monotonic: number): boolean =>
  endsAt !== undefined && monotonic < endsAt

/** After a restart only the wall clock is available. Even if it is wrong, no lock exceeds a fresh one. */
function fromRow(row: SignInAttemptRow, clock: Clock): Pair {
  if (row.last_failure_at === null) return { row, endsAt: undefined }
  const leftMs = (row.locked_until ?? row.last_failure_at + LOCK_MS) - clock.now()
  return { row, endsAt: clock.monotonic() + Math.min(leftMs, LOCK_MS) }
}
