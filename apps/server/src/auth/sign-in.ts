import { lockoutMinutes, type LoginInput, type LoginReply, maxLoginAttempts } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { createHmac, randomBytes } from 'node:crypto'
import { AppError, tooManyRequests } from '../app-error.ts'
import type { UserRow } from '../db/schema.ts'
import { accountKey } from './account-key.ts'
import type { Audit } from './audit.ts'
import { clientKey, type Caller } from './caller.ts'
import type { Lockout } from './lockout.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Users } from './users.ts'

const REMEMBER_MS = 60_000
const MAX_REMEMBERED = 100

export interface SignIn {
  /** Throws the documented refusals. */
  check(input: LoginInput, caller: Caller, event: 'login' | 'password_change'): Promise<UserRow>
  /**
   * The same for programs that send name and password with every call. A verified pair is not hashed every
   * time.
   */
  checkBasic(input: LoginInput, caller: Caller): Promise<UserRow>
}

export interface SignInEdges {
  users: Users
  lockout: Lockout
  limit: RateLimit
  audit: Audit
  clock: Clock
}

export function createSignIn({ users, lockout, limit, audit, clock }: SignInEdges): SignIn {
  const remembered = new Map<string, { userId: string; passwordHash: string | null; at: number }>()
  /** Concurrent calls of a program with the same pair count as one attempt; the others wait for the first. */
  const underWay = new Map<string, Promise<void>>()
  const key = randomBytes(32)
  /** A verified pair counts only for the client that sent it. */
  const pairOf = ({ username, password }: LoginInput, { client }: Caller) =>
    createHmac('sha256', key)
      .update(JSON.stringify([clientKey(client), accountKey(username), password]))
      .digest('base64')

  /** The duration of a refusal must not reveal that the same pair is being verified. */
  const mayWait = ({ username }: LoginInput, { client }: Caller) =>
    !limit.isUsedUp('password', client) && lockout.lockedUntil(username, client) === undefined

  function recall(pair: string): UserRow | undefined {
    const known = remembered.get(pair)
    const user = known && clock.monotonic() - known.at < REMEMBER_MS ? users.get(known.userId) : undefined
    if (user && user.password_hash === known!.passwordHash) return user
    remembered.delete(pair)
    return undefined
  }

  function remember(pair: string, { id: userId, password_hash: passwordHash }: UserRow) {
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    remembered.set(pair, { userId, passwordHash, at: clock.monotonic() })
  }

  const recordOf = ({ username }: LoginInput, caller: Caller, event: SignInEvent | 'lockout') => {
    const by = { name: username, method: 'none' } as const
    return (details: string) => audit.record({ event, success: false, by, caller, details })
  }

  async function refuseLocked(
    until: number,
    input: LoginInput,
    caller: Caller,
    event: SignInEvent,
  ): Promise<never> {
    await recordOf(input, caller, event)('the account is locked')
    throw locked(until, clock.now())
  }

  async function verify(
    input: LoginInput,
    caller: Caller,
    event: SignInEvent,
    forgives = true,
  ): Promise<UserRow> {
    const { username, password } = input
    const attempt = await lockout.attempt(
      username,
      caller.client,
      () => users.verify(username, password),
      forgives,
    )
    if (attempt.outcome === 'passed') return attempt.value
    if (attempt.outcome === 'busy') throw tooManyRequests(5_000)
    if (attempt.outcome === 'locked') return refuseLocked(attempt.until, input, caller, event)
    await recordOf(input, caller, event)(`attempt ${attempt.failures}`)
    if (attempt.lockedUntil !== undefined) {
      await recordOf(input, caller, 'lockout')(`${lockoutMinutes} minutes`)
    }
    throw wrong(attempt.failures)
  }

  /** Rate limit and lock come first, so that a refused client cannot find out whether a guess is right. */
  async function counted(
    input: LoginInput,
    caller: Caller,
    event: SignInEvent,
    answer: () => Promise<UserRow> | UserRow,
  ): Promise<UserRow> {
    limit.take('password', caller.client)
    const until = lockout.lockedUntil(input.username, caller.client)
    if (until !== undefined) return refuseLocked(until, input, caller, event)
    const found = answer()
    const user = found instanceof Promise ? await found : found
    limit.refund('password', caller.client)
    return user
  }

  return {
    check(input, caller, kind) {
      const event = kind === 'login' ? 'login_failed' : kind
      return counted(input, caller, event, () => verify(input, caller, event))
    },
    async checkBasic(input, caller) {
      const pair = pairOf(input, caller)
      const first = underWay.get(pair)
      if (first && mayWait(input, caller)) await first
      return counted(input, caller, 'login_failed', () => {
        const known = recall(pair)
        if (known) return known
        const verified = verify(input, caller, 'login_failed', false).then((user) => {
          remember(pair, user)
          return user
        })
        const ended = verified.then(forget, forget)
        function forget() {
          if (underWay.get(pair) === ended) underWay.delete(pair)
        }
        underWay.set(pair, ended)
        return verified
      })
    },
  }
}

type SignInEvent = 'login_failed' | 'password_change'

function wrong(failures: number): AppError {
  const message = 'Invalid username or password.'
  if (failures >= maxLoginAttempts) {
    const lockoutDuration = `${lockoutMinutes} minutes`
    return refusal('invalid_credentials', `${message} Account is now locked.`, {
      locked: true,
      lockoutDuration,
    })
  }
  const remaining = maxLoginAttempts - failures
  return refusal('invalid_credentials', message, {
    attempts: failures,
    remaining,
    maxAttempts: maxLoginAttempts,
  })
}

function locked(until: number, now: number): AppError {
  const remainingMinutes = Math.max(1, Math.ceil((until - now) / 60_000))
  return refusal('account_locked', 'Account temporarily locked due to too many failed attempts.', {
    lockedUntil: new Date(until).toISOString(),
    remainingMinutes,
  })
}

function refusal(
  code: 'invalid_credentials' | 'account_locked',
  message: string,
  fields: Omit<LoginReply, 'success'>,
): AppError {
  return new AppError(code, message, { fields: { success: false, message, ...fields } })
}
