import type { QuickSetupInput, QuickSetupReply } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import { isFullAdministrator } from './access.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { Audit } from './audit.ts'
import type { Caller } from './caller.ts'
import type { SharedSetupToken } from '../db/setup-token.ts'
import { closeFirstRun, type FirstRun, isSetupToken, knownOrNewToken, openFirstRun } from './first-run.ts'
import { admit } from './gate.ts'
import type { Identity } from './identify.ts'
import type { Sessions } from './sessions.ts'
import type { Users } from './users.ts'
import { createMutex } from '../timing/concurrency.ts'

const tokenName = 'Primary token'

export interface Setup {
  /** Opens the first run while nothing is set up, and ends it afterwards. */
  start(): Promise<void>
  /** Another process may have ended the first run. */
  look(): void
  /** the first run to print on the console; undefined after the setup */
  firstRun(): FirstRun | undefined
  run(
    input: QuickSetupInput,
    shownToken: string | undefined,
    identity: Identity,
    caller: Caller,
  ): Promise<{ reply: QuickSetupReply; cookies: string[] }>
}

export interface SetupEdges {
  dataDir: string
  /** of several processes */
  shared: SharedSetupToken | undefined
  disabled: boolean
  deploymentType: string
  isConfigured: () => boolean
  users: Users
  tokens: ApiTokens
  sessions: Sessions
  audit: Audit
}

export function createSetup(edges: SetupEdges): Setup {
  const { dataDir, shared, disabled, deploymentType, isConfigured, users, tokens, sessions, audit } = edges
  let firstRun: FirstRun | undefined
  const runExclusive = createMutex()

  const done = (message: string): QuickSetupReply => ({
    success: true,
    message,
    method: 'stored',
    deploymentType,
    requiresManualRestart: false,
  })

  async function first(
    { username, password, apiToken }: QuickSetupInput,
    shown: string | undefined,
    caller: Caller,
  ) {
    if (!firstRun || shown === undefined || !isSetupToken(firstRun, shown)) {
      const by = { name: username, method: 'none' } as const
      await audit.record({ event: 'setup', success: false, by, caller, details: 'wrong one-time token' })
      throw new AppError(
        'invalid_setup_token',
        'The one-time setup token is wrong. Pulse prints it at startup and stores it in .bootstrap_token in the data folder.',
      )
    }
    const user = await users.add({ name: username, password, role: 'admin' })
    firstRun = undefined
    closeFirstRun(dataDir)
    await shared?.forget()
    const by = { id: `user:${user.id}`, name: user.name, method: 'none' } as const
    await tokens.adopt(apiToken, tokenName, true, by)
    await audit.record({ event: 'setup', by, caller, target: user.name })
    return { reply: done('Sign-in is set up.'), cookies: await sessions.create(user.id, 'session', caller) }
  }

  async function rotate(
    { username, password, apiToken }: QuickSetupInput,
    identity: Identity,
    caller: Caller,
  ) {
    const { principal } = identity
    const admission = admit({ access: 'admin', scope: 'all' }, principal)
    if (!admission.admitted || !isFullAdministrator(identity)) {
      throw (
        identity.problem ??
        new AppError(
          admission.admitted ? 'forbidden' : admission.code,
          admission.admitted ? 'Admin privileges required' : admission.reason,
        )
      )
    }
    const own = principal?.userId === undefined ? undefined : users.get(principal.userId)
    const target = own && own.source !== 'oidc' ? own : users.findLocal(username)
    if (target) await users.setPassword(target.id, password, username)
    const id = target?.id ?? (await users.add({ name: username, password, role: 'admin' })).id
    await tokens.adopt(apiToken, tokenName, true, principal!)
    await audit.record({ event: 'credentials_rotated', by: principal!, caller, target: username })
    // This page stays signed in. All other devices of the account must sign in again.
    const keeps = principal?.sessionHash !== undefined && target?.id === principal.userId
    return {
      reply: done('The credentials were replaced.'),
      cookies: keeps ? await sessions.create(id, 'session', caller) : [],
    }
  }

  async function run(
    input: QuickSetupInput,
    shown: string | undefined,
    identity: Identity,
    caller: Caller,
  ): Promise<{ reply: QuickSetupReply; cookies: string[] }> {
    if (disabled) {
      throw new AppError(
        'locked_by_environment',
        'Authentication is switched off by DISABLE_AUTH in the environment. Remove it and restart Pulse first.',
      )
    }
    if (!isConfigured()) return first(input, shown, caller)
    if (input.force) return rotate(input, identity, caller)
    const message =
      'Security is already configured. Please remove existing security first if you want to reconfigure.'
    return { reply: { success: true, skipped: true, message }, cookies: [] }
  }

  return {
    async start() {
      if (isConfigured() || disabled) closeFirstRun(dataDir)
      else firstRun = openFirstRun(dataDir, await shared?.agree(knownOrNewToken(dataDir)))
    },
    look() {
      if (!firstRun || !isConfigured()) return
      firstRun = undefined
      closeFirstRun(dataDir)
    },
    firstRun: () => firstRun,
    run: (...args) => runExclusive(() => run(...args)),
  }
}
