import { oidcDefaults, type OidcErrorCode } from '@pulse/contract'
import { withoutTail, type Clock } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import { identityOf, type OidcIdentity } from './claims.ts'
import { authorizationUrl, exchange } from './exchange.ts'
import { failureOf, OidcFailure } from './failure.ts'
import { pendingAttempts } from './pending.ts'
import { safeReturnTo } from './return-to.ts'
import type { OidcSettings } from './settings.ts'

export type OidcOutcome = { ok: true; identity: OidcIdentity; returnTo: string } | OidcRefusal

export interface OidcRefusal {
  ok: false
  code: OidcErrorCode
  returnTo: string
  /** for the log and the audit log */
  reason: string
  /** the user, if the provider has identified one */
  who?: string
}

/** Sign-ins at the provider. */
export interface SignIns {
  begin(
    settings: OidcSettings,
    metadata: ServerMetadata,
    from: { returnTo: string | undefined; publicUrl: string },
  ): Promise<{ authorizationUrl: string; browserKey: string }>
  finish(
    inForce: () => OidcSettings,
    from: { query: Record<string, string>; browserKey: string | undefined },
  ): Promise<OidcOutcome>
  /** Drops all sign-ins that the provider has not answered. */
  forget(): void
}

export function signIns(clock: Clock): SignIns {
  const pending = pendingAttempts(clock)

  return {
    async begin(settings, metadata, { returnTo, publicUrl }) {
      const state = randomKey()
      const attempt = {
        settings,
        metadata,
        nonce: randomKey(),
        codeVerifier: randomKey(),
        browserKey: randomKey(),
        redirectUri: new URL(settings.redirectUrl || defaultRedirect(publicUrl)).href,
        returnTo: safeReturnTo(returnTo),
      }
      const url = await authorizationUrl(state, attempt)
      pending.add(state, attempt)
      return { authorizationUrl: url, browserKey: attempt.browserKey }
    },
    async finish(inForce, { query, browserKey }) {
      const { state = '', code, error } = query
      if (!inForce().enabled) return refusal('oidc_init_failed', '/', 'single sign-on is not enabled')
      if (state === '') return refusal('missing_state', '/', 'the response matches no sign-in')
      const attempt = pending.take(state, browserKey)
      if (!attempt) {
        return refusal(
          'invalid_state',
          '/',
          'the sign-in has expired, was completed already, or began in another browser or at another address',
        )
      }
      const { returnTo } = attempt
      if (!code && !error) return refusal('missing_code', returnTo, 'the provider sent no code')
      try {
        const received = await exchange(attempt, { query, state }, clock)
        if (inForce() !== attempt.settings) {
          throw new OidcFailure('invalid_state', 'the settings changed during the sign-in')
        }
        return { ok: true, identity: identityOf(received, attempt.settings), returnTo }
      } catch (error) {
        const failure = failureOf(error)
        return refusal(failure.code, returnTo, failure.message, failure.who)
      }
    },
    forget: () => pending.clear(),
  }
}

export const defaultRedirect = (publicUrl: string): string =>
  withoutTail(publicUrl, '/') + oidcDefaults.callbackPath

const refusal = (code: OidcErrorCode, returnTo: string, reason: string, who?: string): OidcRefusal => ({
  ok: false,
  code,
  returnTo,
  reason,
  ...(who === undefined ? {} : { who }),
})

const randomKey = (): string => randomBytes(32).toString('base64url')
