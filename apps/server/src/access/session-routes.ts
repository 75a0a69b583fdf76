import { postLogin, postLogout } from '@pulse/contract'
import type { Audit } from '../auth/audit.ts'
import type { RateLimit } from '../auth/rate-limit.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { SignIn } from '../auth/sign-in.ts'
import type { Users } from '../auth/users.ts'
import { unlessDiskRefuses } from '../database-error.ts'
import { principalOf, route } from '../http/route.ts'

export interface SessionParts {
  sessions: Sessions
  signIn: SignIn
  users: Users
  limit: RateLimit
  audit: Audit
}

export const sessionRoutes = ({ sessions, signIn, users, limit, audit }: SessionParts) => [
  route(postLogin, async ({ body, caller, identity, setCookie }) => {
    const user = await signIn.check(body, caller, 'login')
    limit.refund('auth', caller.client)
    await users.signedIn(user.id).catch(unlessDiskRefuses)
    // A new id at every sign-in makes an id useless that an attacker planted before.
    if (identity.cookieSession)
      await sessions.end(identity.cookieSession.row.token_hash).catch(unlessDiskRefuses)
    const isStillRight = () => users.get(user.id)?.password_hash === user.password_hash
    const cookies = await sessions.create(user.id, 'session', caller, isStillRight)
    for (const cookie of cookies) setCookie(cookie)
    await audit.record({
      event: 'login',
      by: { id: `user:${user.id}`, name: user.name, method: 'session' },
      caller,
    })
    return { success: true, message: 'Signed in.' }
  }),
  route(postLogout, async ({ caller, identity, setCookie }) => {
    const { sessionHash } = principalOf({ identity })
    if (sessionHash !== undefined) await sessions.end(sessionHash)
    for (const cookie of sessions.clearCookies(caller)) setCookie(cookie)
    return { success: true as const, message: 'Signed out.' }
  }),
]
