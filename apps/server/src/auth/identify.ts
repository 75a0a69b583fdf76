import { type LoginInput, Role } from '@pulse/contract'
import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { SessionRow, UserRow } from '../db/schema.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { Caller } from './caller.ts'
import { csrfCookie, csrfCookieOf, csrfTokenOf, readCookies, sessionCookie } from './cookies.ts'
import { notLocal } from './local-only.ts'
import type { Principal } from './principal.ts'
import { type ProxyAuth, readProxyClaim } from './proxy.ts'
import type { ProxyUsers } from './proxy-users.ts'
import { isSessionToken, type Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import type { Users } from './users.ts'

/** The credentials of a caller, after their check. */
export interface Identity {
  principal: Principal | undefined
  /** the refusal of an invalid credential; applies to every call that is not public */
  problem: AppError | undefined
  /**
   * the invalid credential was a machine's secret: no name was tried, so no other counter or record covers it
   */
  refused: 'token' | 'proxy' | undefined
  /** the live session of the cookie, even if another credential decides */
  cookieSession: { token: string; row: SessionRow } | undefined
  setCookies: string[]
}

export interface IdentifyEdges {
  users: Users
  sessions: Sessions
  tokens: ApiTokens
  checkBasic: SignIn['checkBasic']
  proxy: ProxyAuth | undefined
  proxyUsers: ProxyUsers
  /** the current single sign-on provider */
  oidcIssuer: () => string | undefined
  /** called for every new session of a user */
  onSession: (user: UserRow, caller: Caller) => Promise<void>
  disabled: boolean
  /** Reads again what other processes have changed; absent: there are none. */
  readAgain: (() => Promise<void>) | undefined
}

/** The caller's first credential decides. A cookie never makes up for an invalid explicit credential. */
export function createIdentify(edges: IdentifyEdges) {
  const { users, sessions, tokens, checkBasic, proxy, oidcIssuer, disabled, readAgain } = edges

  function ofUser(user: UserRow, method: 'session' | 'oidc' | 'basic', isLive: () => boolean): Principal {
    return {
      method,
      id: `user:${user.id}`,
      name: user.name,
      role: Role.parse(user.role),
      userId: user.id,
      isCurrent: () => isLive() && users.get(user.id)?.role === user.role,
    }
  }

  function ofSession({ row }: { row: SessionRow }): Principal | undefined {
    const user = users.get(row.user_id)
    const isVouchedFor = () => user?.source !== 'oidc' || user.issuer === oidcIssuer()
    if (!user || !isVouchedFor()) return undefined
    const method = row.method === 'oidc' ? 'oidc' : 'session'
    return {
      ...ofUser(user, method, () => isVouchedFor() && sessions.isLive(row.token_hash)),
      sessionHash: row.token_hash,
    }
  }

  async function ofBasic(
    input: LoginInput,
    caller: Caller,
    identity: Identity,
    isForwarded: boolean,
  ): Promise<void> {
    const user = await checkBasic(input, caller)
    const passwordHash = user.password_hash
    const isStillRight = () => users.get(user.id)?.password_hash === passwordHash
    identity.principal = ofUser(user, 'basic', isStillRight)
    // Pages fall back to this header when their login call fails; programs always send it.
    const isPage = caller.headers['x-requested-with'] === 'XMLHttpRequest'
    // the process that answers a forwarded call begins the session
    if (isPage && !identity.cookieSession && !isForwarded) {
      identity.setCookies.push(...(await sessions.create(user.id, 'session', caller, isStillRight)))
      await edges.onSession(user, caller)
    }
  }

  /** A session of another process may be newer than what this one has read, and so may its user. */
  async function findSession(token: string): Promise<SessionRow | undefined> {
    const row = sessions.find(token)
    if (!readAgain || !isSessionToken(token) || (row && users.get(row.user_id))) return row
    await readAgain()
    return sessions.find(token)
  }

  async function findToken(raw: string): Promise<Principal | undefined> {
    const known = ofToken(tokens, raw)
    if (known || !readAgain) return known
    await readAgain()
    return ofToken(tokens, raw)
  }

  return async function identify(
    caller: Caller,
    queryToken?: string,
    isForwarded = false,
  ): Promise<Identity> {
    const cookies = readCookies(caller.headers.cookie)
    const token = cookies[sessionCookie] ?? ''
    const row = await findSession(token)
    const identity: Identity = {
      principal: undefined,
      problem: undefined,
      refused: undefined,
      cookieSession: row && { token, row },
      setCookies: [],
    }
    if (row && caller.method === 'GET' && cookies[csrfCookie] !== csrfTokenOf(token)) {
      identity.setCookies.push(
        csrfCookieOf(token, caller, Math.max(1, Math.round((row.expires_at - row.last_seen_at) / 1000))),
      )
    }
    const refuse = (reason = 'Authentication required', refused?: Identity['refused']) => {
      identity.refused = refused
      identity.problem = new AppError('authentication_required', reason)
      return identity
    }

    const claim = readProxyClaim(proxy, caller)
    if (claim.kind === 'refused') return refuse(undefined, 'proxy')
    if (claim.kind === 'user') {
      identity.principal = await edges.proxyUsers.seen(claim, caller)
      return identity
    }

    const shownToken = readToken(caller) ?? queryToken
    if (shownToken !== undefined) {
      identity.principal = await findToken(shownToken)
      if (!identity.principal) return refuse('The API token is not valid.', 'token')
      if (!disabled) return identity
    }
    if (disabled) return openToThisMachine(caller, identity)

    const basic = readBasic(caller)
    if (basic === 'broken') return refuse('The Authorization header is malformed.')
    if (basic) {
      try {
        await ofBasic(basic, caller, identity, isForwarded)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        identity.problem = error
      }
      return identity
    }

    identity.principal = identity.cookieSession && ofSession(identity.cookieSession)
    return identity
  }
}

function openToThisMachine(caller: Caller, identity: Identity): Identity {
  const problem = notLocal(caller)
  if (problem === undefined) {
    identity.principal ??= {
      method: 'disabled',
      id: 'disabled',
      name: 'this machine',
      role: 'admin',
      isCurrent: () => true,
    }
  } else {
    identity.principal = undefined
    identity.problem = new AppError('forbidden', problem)
  }
  return identity
}

export function ofToken(tokens: Pick<ApiTokens, 'find' | 'isLive'>, raw: string): Principal | undefined {
  const token = tokens.find(raw)
  if (!token) return undefined
  return {
    method: 'token',
    id: `token:${token.id}`,
    name: `API token "${token.name}"`,
    role: token.scopes.includes('settings:write') ? 'admin' : 'viewer',
    scopes: token.scopes,
    isCurrent: () => tokens.isLive(token.id),
  }
}

export function readToken({ headers }: Caller): string | undefined {
  const own = headers['x-api-token']
  if (own !== undefined) return String(own).trim()
  return /^Bearer\s+(\S.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
}

function readBasic({ headers }: Caller): LoginInput | 'broken' | undefined {
  if (headers.authorization === undefined) return undefined
  const coded = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(headers.authorization)?.[1]
  const text = coded === undefined ? '' : Buffer.from(coded, 'base64').toString('utf8')
  const at = text.indexOf(':')
  const username = text.slice(0, at)
  const password = text.slice(at + 1)
  const fits = at > 0 && password !== '' && username.length <= 1024 && password.length <= 1024
  return fits ? { username, password } : 'broken'
}

/**
 * A caller with a session must prove that a page that can read the session's CSRF cookie made the request.
 */
export function hasCsrfToken({ cookieSession }: Identity, { headers }: Caller): boolean {
  if (!cookieSession) return true
  const shown = headers['x-csrf-token']
  const wanted = Buffer.from(csrfTokenOf(cookieSession.token))
  const given = Buffer.from(typeof shown === 'string' ? shown : '')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
