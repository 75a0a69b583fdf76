import { allScopes, type Endpoint, type TokenScope } from '@pulse/contract'
import type { Principal } from './principal.ts'

export type Need = Pick<Endpoint, 'access' | 'scope'>

export type Admission =
  { admitted: true } | { admitted: false; code: 'authentication_required' | 'forbidden'; reason: string }

/**
 * The only place that authorizes calls. Denied by default: a call that is not public needs a principal with
 * its scope.
 */
export function admit(need: Need, principal: Principal | undefined): Admission {
  if (need.access === 'public') return { admitted: true }
  if (!principal || !principal.isCurrent()) {
    return { admitted: false, code: 'authentication_required', reason: 'Authentication required' }
  }
  if (principal.scopes) return admitToken(need.scope ?? 'none', principal.scopes)
  if (need.access === 'admin' && principal.role !== 'admin') return forbidden('Admin privileges required')
  return { admitted: true }
}

/** Only its scopes decide what a token may do, whatever the class of the call. */
function admitToken(needed: TokenScope, held: readonly string[]): Admission {
  if (needed === 'none') return forbidden('An API token cannot do this. Sign in instead.')
  const missing = (needed === 'all' ? allScopes : [needed]).filter((scope) => !held.includes(scope))
  if (missing.length === 0) return { admitted: true }
  return forbidden(`This API token lacks the scope ${missing.join(', ')}.`)
}

const forbidden = (reason: string): Admission => ({ admitted: false, code: 'forbidden', reason })
