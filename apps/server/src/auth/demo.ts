import { AppError } from '../app-error.ts'
import type { ApiTokens } from './api-tokens.ts'
import { type Caller, clientKey } from './caller.ts'
import { type Identity, ofToken, readToken } from './identify.ts'
import { notLocal } from './local-only.ts'
import type { Principal } from './principal.ts'

const visitor: Principal = {
  method: 'none',
  id: 'demo',
  name: 'demo',
  role: 'viewer',
  isCurrent: () => true,
}

/**
 * In demo mode every caller is the same visitor, whatever credentials it sends. No user can or needs to sign
 * in.
 */
export function demoIdentify({ localOnly }: { localOnly: boolean }) {
  return async function identify(caller: Caller): Promise<Identity> {
    const reason = localOnly ? notLocal(caller) : undefined
    // Visitors are counted by address, so that one of them cannot use up the limit of all.
    if (reason === undefined) return alone({ ...visitor, id: `demo:${clientKey(caller.client)}` })
    return { ...alone(undefined), problem: new AppError('forbidden', reason) }
  }
}

/** Agents are identified only by a token from before demo mode, because visitors cannot have created one. */
export const demoSource =
  (tokens: Pick<ApiTokens, 'find' | 'isLive'>, { localOnly }: { localOnly: boolean }) =>
  (caller: Caller): Identity => {
    const token = localOnly && notLocal(caller) !== undefined ? undefined : readToken(caller)
    return alone(token === undefined ? undefined : ofToken(tokens, token))
  }

const alone = (principal: Principal | undefined): Identity => ({
  principal,
  problem: undefined,
  refused: undefined,
  cookieSession: undefined,
  setCookies: [],
})
