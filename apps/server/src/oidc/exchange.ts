import type { Clock } from '@pulse/domain'
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import { failureOf, OidcFailure } from './failure.ts'
import { within } from '../outbound/within.ts'
import { guardedFetch, limitMs } from './outbound.ts'
import type { Attempt } from './pending.ts'
import { reachOf } from './settings.ts'

export type Claims = Readonly<Record<string, unknown>>

/** The signed ID token, and the provider's UserInfo answer. */
export interface ReceivedClaims {
  idToken: Claims & { sub: string }
  userInfo: Claims
}

/** Loaded on demand, because most installations never need it. */
const load = () => import('openid-client')
type Library = Awaited<ReturnType<typeof load>>

/** The URL where the browser signs in. */
export async function authorizationUrl(state: string, attempt: Attempt): Promise<string> {
  const library = await load()
  const scopes = new Set(['openid', ...attempt.settings.scopes])
  return library.buildAuthorizationUrl(configure(library, attempt), {
    redirect_uri: attempt.redirectUri,
    scope: [...scopes].join(' '),
    state,
    nonce: attempt.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
  }).href
}

/** Exchanges the code for claims that the provider has signed; throws OidcFailure. */
export function exchange(
  attempt: Attempt,
  answer: { query: Record<string, string>; state: string },
  clock: Clock,
): Promise<ReceivedClaims> {
  const { query, state } = answer
  return within(clock, limitMs, async (deadline) => {
    const library = await load()
    const configuration = configure(library, attempt, deadline)
    const url = new URL(attempt.redirectUri)
    url.search = new URLSearchParams(query).toString()
    const tokens = await library.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
    })
    const idToken = tokens.claims()
    if (!idToken) throw new OidcFailure('missing_id_token', 'the provider sent no ID token')
    const { usernameClaim, emailClaim, groupsClaim } = attempt.settings
    const complete = [usernameClaim, emailClaim, groupsClaim].every(
      (claim) => claim === '' || idToken[claim] !== undefined,
    )
    if (complete || attempt.metadata.userinfo_endpoint === undefined) return { idToken, userInfo: {} }
    return { idToken, userInfo: await library.fetchUserInfo(configuration, tokens.access_token, idToken.sub) }
  }).catch((error: unknown) => {
    throw failureOf(error)
  })
}

function configure(library: Library, { metadata, settings }: Attempt, deadline?: AbortSignal): Configuration {
  const { allowInsecureRequests, enableNonRepudiationChecks } = library
  const configuration = new library.Configuration(
    metadata,
    settings.clientId,
    undefined,
    authentication(library, metadata, settings.clientSecret.reveal()),
  )
  // The library trusts the connection to the token endpoint unless signature checks are enabled too.
  enableNonRepudiationChecks(configuration)
  configuration.timeout = limitMs / 1000
  if (reachOf(settings).loopback) allowInsecureRequests(configuration)
  if (deadline) configuration[library.customFetch] = guardedFetch(reachOf(settings), deadline)
  return configuration
}

function authentication(
  { None, ClientSecretPost }: Library,
  metadata: ServerMetadata,
  secret: string,
): ClientAuth {
  if (secret === '') return None()
  const methods = metadata.token_endpoint_auth_methods_supported
  const onlyPost =
    Array.isArray(methods) &&
    methods.includes('client_secret_post') &&
    !methods.includes('client_secret_basic')
  return onlyPost ? ClientSecretPost(secret) : basic(secret)
}

/**
 * ClientSecretBasic of the library also escapes - . _ and ~. Common secrets contain them, and not every
 * provider unescapes them.
 */
const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id: clientId }, _body, headers) => {
    const credentials = [clientId, secret].map(encodeURIComponent).join(':')
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
