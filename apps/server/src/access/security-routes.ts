import {
  deleteUser,
  getAudit,
  getSecurityStatus,
  getUsers,
  postChangePassword,
  postQuickSetup,
  postResetLockout,
  postUser,
  putUser,
  type SecurityStatus,
  type TokenFate,
} from '@pulse/contract'
import { counting } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { Audit } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { Departures } from '../auth/departures.ts'
import type { Identity } from '../auth/identify.ts'
import type { Lockout } from '../auth/lockout.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Setup } from '../auth/setup.ts'
import type { SignIn } from '../auth/sign-in.ts'
import type { Users } from '../auth/users.ts'
import { principalOf, route } from '../http/route.ts'

export interface SecurityParts {
  status: (identity: Identity, caller: Caller) => SecurityStatus
  setup: Setup
  users: Users
  sessions: Sessions
  signIn: SignIn
  lockout: Lockout
  audit: Audit
  departures: Departures
}

export const securityRoutes = ({
  status,
  setup,
  users,
  sessions,
  signIn,
  lockout,
  audit,
  departures,
}: SecurityParts) => [
  route(getSecurityStatus, ({ identity, caller }) => status(identity, caller)),
  route(postQuickSetup, async ({ body, caller, identity, setCookie }) => {
    const header = caller.headers['x-setup-token']
    const shown = body.setupToken ?? (typeof header === 'string' ? header : undefined)
    const { reply, cookies } = await setup.run(body, shown, identity, caller)
    for (const cookie of cookies) setCookie(cookie)
    return reply
  }),
  route(postChangePassword, async ({ body, caller, identity, setCookie }) => {
    const principal = principalOf({ identity })
    const user = principal.userId === undefined ? undefined : users.get(principal.userId)
    if (!user || user.source === 'oidc') {
      throw new AppError(
        'conflict',
        `${principal.name} has no password in Pulse: change it at your identity provider.`,
      )
    }
    if (user.source === 'environment') {
      throw new AppError(
        'locked_by_environment',
        'This password is fixed by PULSE_AUTH_PASS in the environment. Change it there and restart Pulse.',
      )
    }
    await signIn.check({ username: user.name, password: body.currentPassword }, caller, 'password_change')
    await users.setPassword(user.id, body.newPassword)
    for (const cookie of sessions.clearCookies(caller)) setCookie(cookie)
    await audit.record({ event: 'password_change', by: principal, caller })
    return {
      success: true as const,
      message: 'Password changed successfully. Please log in with your new password.',
      requiresRestart: false,
    }
  }),
  route(postResetLockout, async ({ body, note }) => {
    note({ target: body.identifier })
    const count = await lockout.reset(body.identifier)
    const message = count === 0 ? 'Nothing was locked or counted.' : `${counting(count, 'counter')} cleared.`
    return { success: true as const, message }
  }),
  route(getUsers, () => ({ users: users.list() })),
  route(postUser, async ({ body, note }) => {
    const user = await users.add(body)
    note({ target: user.name, details: user.role })
    return user
  }),
  route(putUser, async ({ params, body, identity, caller, note }) => {
    const { tokens: choice, ...change } = body
    const actor = { by: principalOf({ identity }), caller }
    const { result: user, tokens } = await departures.of(params.id, choice, actor, () =>
      users.change(params.id, change),
    )
    const secret = body.password === undefined ? '' : ', new password'
    note({ target: user.name, details: `${user.role}${secret}${fateText(tokens)}` })
    return { ...user, ...(change.role === 'viewer' ? { tokens } : {}) }
  }),
  route(deleteUser, async ({ params, query, identity, caller, note }) => {
    const actor = { by: principalOf({ identity }), caller }
    const { result: user, tokens } = await departures.of(params.id, query.tokens, actor, () =>
      users.remove(params.id),
    )
    note({ target: user.name, details: `${user.role}${fateText(tokens)}` })
    return { success: true as const, message: `${user.name} was removed.`, tokens }
  }),
  // each process counts repetitions of its own
  route(getAudit, ({ query }) => audit.page(query), { isLed: true, beforeForward: audit.flush }),
]

const fateText = ({ ended, kept }: TokenFate) =>
  [
    ...(ended.length > 0 ? [`API tokens revoked: ${ended.length}`] : []),
    ...(kept.length > 0 ? [`handed over: ${kept.length}`] : []),
  ]
    .map((text) => `, ${text}`)
    .join('')
