import { type OidcErrorCode, postOidcLogin } from '@pulse/contract'
import type { Api } from '../../api/client.ts'
import { withoutBase } from '../../lib/base-path.ts'

export const successText = 'Signed in successfully. Loading Pulse…'
export const startFailureText = 'Failed to start single sign-on. Please try again.'

const failureTexts: Partial<Record<OidcErrorCode, string>> = {
  email_restricted: 'Your account email is not permitted to sign in.',
  domain_restricted: 'Your email domain is not allowed to sign in.',
  group_restricted: 'Your account is not in an authorized group.',
  invalid_state: 'The sign-in attempt has expired. Please try again.',
  exchange_failed: 'The sign-in request could not be completed. Please try again.',
  session_failed: 'Login succeeded, but no session could be created. Please try again.',
  invalid_id_token: 'ID token verification failed. Check that the issuer setting matches.',
  invalid_signature_alg:
    'The identity provider issues HS256 tokens. It must be switched to RS256 before anyone can sign in.',
  invalid_nonce: 'Security validation failed. Please try again.',
}

export function failureText(code: string): string {
  const known = Object.hasOwn(failureTexts, code) ? failureTexts[code as OidcErrorCode] : undefined
  return known ?? 'Single sign-on failed. Please try again or contact an administrator.'
}

/** URL of the provider's login page. The provider returns the browser to the current page. */
export async function startSingleSignOn(api: Api, { pathname, search }: Location): Promise<string> {
  const body = { returnTo: withoutBase(pathname) + search }
  const { authorizationUrl } = await api.call(postOidcLogin, { body, skipAuth: true, retryLimited: false })
  return authorizationUrl
}
