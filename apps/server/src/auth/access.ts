import { allScopes, type Endpoint } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { AuditEntry } from './audit.ts'
import type { Caller } from './caller.ts'
import { csrfCookieOf } from './cookies.ts'
import { admit, type Need } from './gate.ts'
import { hasCsrfToken, type Identity } from './identify.ts'
import { isSocketAllowed, isWriteAllowed, type OriginPolicy } from './origins.ts'
import type { RateLimit } from './rate-limit.ts'
import { demoText } from './status.ts'

export interface AccessEdges {
  identify: (caller: Caller, queryToken?: string, isForwarded?: boolean) => Promise<Identity>
  limit: RateLimit
  origins: () => OriginPolicy
  /** this site's own origin, also behind an untrusted proxy that terminates HTTPS */
  publicUrl: string | undefined
  /** in a demonstration: identifies an agent */
  demo: ((caller: Caller) => Identity) | undefined
  record: (entry: AuditEntry) => Promise<void>
  /** called with every caller */
  onCaller: (caller: Caller) => void
  /** called when an administrator's browser is admitted */
  onAdministrator: (caller: Caller) => void
}

/** The checks of a request before its handler runs. Each step throws its refusal. */
export interface Access {
  toCall(
    endpoint: Call,
    caller: Caller,
    setCookie: (text: string) => void,
    how?: {
      /** Another process answers it, passes it through its gate again, and counts it there. */
      isForwarded: boolean
    },
  ): Promise<Identity>
  /** Counts a call that was to be counted elsewhere; throws above the limit. */
  count(endpoint: Pick<Call, 'rate'>, caller: Caller): void
  /** Called again when the body has arrived: a slow caller's right may have ended meanwhile. */
  stillHolds(endpoint: Need, identity: Identity): void
  toSocket(need: Need, caller: Caller, queryToken: string | undefined): Promise<Identity>
}

type Call = Need & Pick<Endpoint, 'rate' | 'method' | 'takenInDemo' | 'byTokenInDemo'>

const isUnsafe = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method)

export function createAccess({
  identify: readIdentity,
  limit,
  origins,
  publicUrl,
  demo,
  record,
  onCaller,
  onAdministrator,
}: AccessEdges): Access {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const isOwnPage = ({ headers }: Caller) => own !== undefined && headers.origin === own

  async function identify(caller: Caller, queryToken?: string, isForwarded = false): Promise<Identity> {
    onCaller(caller)
    const identity = await readIdentity(caller, queryToken, isForwarded)
    const { refused: method } = identity
    if (method) {
      const details =
        method === 'token' ? 'an API token that is not valid' : 'a proxy without the right secret or user'
      const by = { name: 'unknown', method } as const
      await record({ event: 'login_failed', success: false, by, caller, details })
    }
    return identity
  }

  /** In demo mode agents may report, and visitors cannot change anything. */
  function sourceOf(endpoint: Call, caller: Caller): Identity | undefined {
    if (!demo) return undefined
    if (!isUnsafe(caller.method)) return endpoint.byTokenInDemo && demo(caller)
    const source = endpoint.takenInDemo && demo(caller)
    if (source && admit(endpoint, source.principal).admitted) return source
    throw new AppError('demo_mode', 'Demo mode enabled', { fields: { message: demoText } })
  }

  return {
    async toCall(endpoint, caller, setCookie, { isForwarded } = { isForwarded: false }) {
      const source = sourceOf(endpoint, caller)
      if (!isForwarded) limit.take(endpoint.rate, caller.client)
      if (isUnsafe(caller.method) && !isOwnPage(caller) && !isWriteAllowed(caller, origins())) {
        throw new AppError('origin_refused', 'Pulse does not accept this request from another site.')
      }
      const identity = source ?? (await identify(caller, undefined, isForwarded))
      for (const cookie of identity.setCookies) setCookie(cookie)
      if (isUnsafe(caller.method) && identity.cookieSession && !hasCsrfToken(identity, caller)) {
        const { token, row } = identity.cookieSession
        setCookie(csrfCookieOf(token, caller, Math.round((row.expires_at - row.created_at) / 1000)))
        await record({ event: 'csrf_failure', success: false, by: identity.principal ?? anonymous, caller })
        throw new AppError(
          'csrf_failed',
          'The CSRF token is missing or wrong. Reload the page and try again.',
        )
      }
      enforce(endpoint, identity)
      return identity
    },
    count: ({ rate }, { client }) => limit.take(rate, client),
    stillHolds: enforce,
    async toSocket(need, caller, queryToken) {
      const identity = await identify(caller, queryToken)
      const byCookie = identity.principal?.sessionHash !== undefined || identity.principal?.method === 'proxy'
      enforce(need, identity)
      const isFromHere = () => isOwnPage(caller) || isSocketAllowed(caller, byCookie, origins())
      if (!isFromHere()) {
        throw new AppError('origin_refused', 'Pulse does not accept live connections from this page.')
      }
      const { principal } = identity
      if (!principal) return identity
      if (byCookie && principal.role === 'admin') onAdministrator(caller)
      const isCurrent = () => principal.isCurrent() && isFromHere()
      return { ...identity, principal: { ...principal, isCurrent } }
    },
  }
}

const anonymous = { name: 'anonymous', method: 'none' } as const

function enforce(need: Need, { principal, problem }: Identity): void {
  const admission = admit(need, principal)
  if (admission.admitted) return
  if (problem && need.access !== 'public') throw problem
  throw new AppError(admission.code, admission.reason)
}

export const isFullAdministrator = ({ principal }: Identity): boolean =>
  principal?.role === 'admin' && (principal.scopes ?? allScopes).length === allScopes.length
