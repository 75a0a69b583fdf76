import type { OidcErrorCode } from '@pulse/contract'
import type { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { OutboundError } from '../outbound/outbound-error.ts'

/** The sign-in failed. The message goes to the log and the audit log and contains no secret. */
export class OidcFailure extends Error {
  override name = 'OidcFailure'
  readonly code: OidcErrorCode
  /** the user, if the provider has identified one */
  readonly who: string | undefined

  constructor(code: OidcErrorCode, reason: string, who?: string) {
    super(reason)
    this.code = code
    this.who = who
  }
}

const requiredClaims = ['aud', 'exp', 'iat', 'iss', 'sub', 'nonce']
const providerErrors = ['access_denied', 'login_required'] as const

/**
 * Translates an error of openid-client. Its causes contain whole answers with tokens, so only our own words
 * are passed on.
 */
export function failureOf(error: unknown): OidcFailure {
  if (error instanceof OidcFailure) return error
  if (isCoded<AuthorizationResponseError>(error, 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'))
    return providerError(error.error)
  if (isCoded<ResponseBodyError>(error, 'OAUTH_RESPONSE_BODY_ERROR')) {
    return new OidcFailure('exchange_failed', `the provider refused the code (${word(error.error)})`)
  }
  const chain = causesOf(error)
  const outbound = chain.find((cause) => cause instanceof OutboundError)
  if (outbound) return new OidcFailure('exchange_failed', outbound.message)
  const facts = chain.findLast((cause) => !(cause instanceof Error))
  return (
    (isRecord(facts) && failureByFacts(facts)) ||
    (chain.some(isAboutToken)
      ? new OidcFailure('invalid_id_token', 'the ID token or its key is invalid')
      : new OidcFailure('exchange_failed', 'the response of the provider is invalid'))
  )
}

/** Compares the code instead of the class: an error report need not load the library. */
const isCoded = <E extends Error & { code: string }>(error: unknown, code: E['code']): error is E =>
  error instanceof Error && 'code' in error && error.code === code

function providerError(error: string): OidcFailure {
  const known = providerErrors.find((name) => name === error)
  return new OidcFailure(known ?? 'provider_error', `the provider answered ${word(error)}`)
}

/** Each check of the library leaves the checked values in its error. */
function failureByFacts(facts: Record<string, unknown>): OidcFailure | undefined {
  const { claim, claims, header, reason, alg, signature, parameters, attribute, body } = facts
  if (claim === 'nonce') return new OidcFailure('invalid_nonce', 'the ID token has another nonce')
  if (typeof claim === 'string') {
    return new OidcFailure('invalid_id_token', `claim ${word(claim)} of the ID token is not acceptable`)
  }
  if (isRecord(header) && reason !== undefined) return wrongAlgorithm(header['alg'])
  if (alg !== undefined) return wrongAlgorithm(alg)
  if (header !== undefined) return new OidcFailure('invalid_id_token', 'the provider has no such key')
  if (signature !== undefined) return new OidcFailure('invalid_id_token', 'the signature is wrong')
  if (isRecord(claims)) return incomplete(claims)
  if (parameters !== undefined) {
    return new OidcFailure('invalid_id_token', 'the response does not identify the expected issuer')
  }
  if (attribute === 'issuer' && isRecord(body)) return otherIssuer(body['issuer'])
  if (attribute === 'sub') return new OidcFailure('invalid_claims', 'the user info belongs to another user')
  if (isRecord(body)) return tokenlessAnswer(body)
  return undefined
}

const wrongAlgorithm = (alg: unknown) =>
  new OidcFailure('invalid_signature_alg', `the token is signed with ${word(alg)}`)

/** Names the issuer, because a missing trailing slash is the most common mistake. */
export const otherIssuer = (name: unknown): OidcFailure => {
  const url = typeof name === 'string' && name.length <= 200 ? URL.parse(name) : null
  const called = url && /^[!-~]+$/.test(String(name)) ? String(name) : 'something unreadable'
  return new OidcFailure(
    'oidc_init_failed',
    `the provider's issuer is ${called}, which differs from the issuer URL`,
  )
}

function incomplete(claims: Record<string, unknown>): OidcFailure {
  const missing = requiredClaims.find((name) => claims[name] === undefined)
  if (missing === 'nonce') return new OidcFailure('invalid_nonce', 'the ID token has no nonce')
  if (missing === 'sub' || (!missing && typeof claims['sub'] !== 'string')) {
    return new OidcFailure('invalid_claims', 'the ID token contains no subject')
  }
  return new OidcFailure('invalid_id_token', `claim ${missing ?? 'types'} of the ID token is not acceptable`)
}

function tokenlessAnswer(body: Record<string, unknown>): OidcFailure | undefined {
  if (typeof body['access_token'] !== 'string') return undefined
  if (body['id_token'] === undefined || body['id_token'] === null) {
    return new OidcFailure('missing_id_token', 'the provider sent no ID token')
  }
  if (typeof body['id_token'] === 'string' && body['id_token'] !== '') return undefined
  return new OidcFailure('invalid_id_token', 'the ID token is not a text')
}

/**
 * The library reports a malformed token as a text, and an unusable key as a key or as an error of Web Crypto.
 */
const isAboutToken = (cause: unknown): boolean =>
  typeof cause === 'string' ||
  cause instanceof CryptoKey ||
  cause instanceof TypeError ||
  (cause instanceof DOMException && !['TimeoutError', 'AbortError'].includes(cause.name)) ||
  (cause instanceof Error && /\b(JWT|JWS|JWE|ID Token)\b/.test(cause.message))

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let at = error; at !== undefined && chain.length < 10;) {
    chain.push(at)
    at = at instanceof Error ? at.cause : undefined
  }
  return chain
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Foreign text for a log line. */
const word = (text: unknown): string =>
  typeof text === 'string' && /^[\w.-]{1,40}$/.test(text) ? text : 'something unreadable'
