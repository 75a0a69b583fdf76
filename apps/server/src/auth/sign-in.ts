import { lockoutMinutes, type LoginInput, type LoginReply, maxLoginAttempts } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { createHmac, randomBytes } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { UserRow } from '../db/schema.ts'
import { accountKey } from './account-key.ts'
import type { Audit } from './audit.ts'
import type { Caller } from './caller.ts'
import type { Lockout } from './lockout.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Users } from './users.ts'

const REMEMBER_MS = 60_000
const MAX_REMEMBERED = 100

export interface SignIn {
  /** Throws the documented refusals. */
  check(input: LoginInput, caller: Caller, event: 'login' | 'password_change'): Promise<UserRow>
  /** The same for every call of a program that sends name and password along; a good pair is not hashed every time. */
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
  const remembered = new Map<string, { userId: string; passwordHash: string | null; until: number }>()
  const key = randomBytes(32)
  const nameOf = ({ username, password }: LoginInput) =>
    createHmac('sha256', key)
      .update(JSON.stringify([accountKey(username), password]))
      .digest('base64')

  const check: SignIn['check'] = async ({ username, password }, caller, event) => {
    const attempt = await lockout.attempt(username, caller.client, () => users.verify(username, password))
    if (attempt.outcome === 'passed') return attempt.value
    if (attempt.outcome === 'busy') throw tooMany()
    const failed = event === 'login' ? 'login_failed' : event
    const by = { name: username, method: 'none' } as const
    if (attempt.outcome === 'locked') {
      await audit.record({ event: failed, success: false, by, caller, details: 'the account is locked' })
      throw locked(attempt.until, clock.now())
    }
    await audit.record({ event: failed, success: false, by, caller, details: `attempt ${attempt.failures}` })
    if (attempt.lockedUntil !== undefined) {
      await audit.record({
        event: 'lockout',
        success: false,
        by,
        caller,
        details: `${lockoutMinutes} minutes`,
      })
    }
    throw wrong(attempt.failures)
  }

  return {
    check,
    async checkBasic(input, caller) {
      const name = nameOf(input)
      const known = remembered.get(name)
      const user = known && known.until > clock.now() ? users.get(known.userId) : undefined
      if (user && user.password_hash === known!.passwordHash) return user
      remembered.delete(name)
      limit.take('auth', caller.client)
      const checked = await check(input, caller, 'login')
      limit.giveBack('auth', caller.client)
      if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
      const { id: userId, password_hash: passwordHash } = checked
      remembered.set(name, { userId, passwordHash, until: clock.now() + REMEMBER_MS })
      return checked
    },
  }
}

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

const tooMany = () =>
  refusal(
    'rate_limited',
    'Too many requests. Please wait a moment and try again.',
    {},
    { 'retry-after': '5' },
  )

function refusal(
  code: 'invalid_credentials' | 'account_locked' | 'rate_limited',
  message: string,
  fields: Omit<LoginReply, 'success'>,
  headers: Record<string, string> = {},
): AppError {
  return new AppError(code, message, { fields: { success: false, message, ...fields }, headers })
}
