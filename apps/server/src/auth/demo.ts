import { AppError } from '../app-error.ts'
import { type Caller, clientKey } from './caller.ts'
import type { Identity } from './identify.ts'
import { notLocal } from './local-only.ts'
import type { Principal } from './principal.ts'

const visitor: Principal = {
  method: 'none',
  id: 'demo',
  name: 'demo',
  role: 'viewer',
  isCurrent: () => true,
}

/** In a demonstration everybody is the same visitor, whatever they show: nobody can sign in, and nobody needs to. */
export function demoIdentify({ localOnly }: { localOnly: boolean }) {
  return async function identify(caller: Caller): Promise<Identity> {
    const reason = localOnly ? notLocal(caller) : undefined
    return {
      // counted by their addresses, so that one of them does not take the places of all
      principal: reason === undefined ? { ...visitor, id: `demo:${clientKey(caller.client)}` } : undefined,
      problem: reason === undefined ? undefined : new AppError('forbidden', reason),
      refused: undefined,
      cookieSession: undefined,
      setCookies: [],
    }
  }
}
