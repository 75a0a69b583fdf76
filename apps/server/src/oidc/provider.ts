import type { Clock } from '@pulse/domain'
import type { ServerMetadata } from 'openid-client'
import { endpointProblem } from '../outbound/addresses.ts'
import { failureOf, OidcFailure, otherIssuer } from './failure.ts'
import { within } from '../outbound/within.ts'
import { guardedFetch, limitMs } from './outbound.ts'
import { reachOf, type OidcSettings } from './settings.ts'

/** lifetime of a provider's cached description */
const lifetimeMs = 5 * 60_000

/** The accepted algorithms. Shared secrets and unsigned tokens are refused, whatever the provider offers. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']

const called = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const optional = ['userinfo_endpoint', 'end_session_endpoint'] as const

/**
 * The provider of the current settings. Its description is fetched once for all sign-ins within some minutes.
 */
export interface KnownProvider {
  metadata(): Promise<ServerMetadata>
  /** the provider's sign-out URL, once known */
  endSessionEndpoint(): string | undefined
}

export function knownProvider(settings: OidcSettings, clock: Clock): KnownProvider {
  let known: { metadata: Promise<ServerMetadata>; until: number } | undefined
  let endSessionEndpoint: string | undefined

  async function ask(): Promise<ServerMetadata> {
    try {
      const metadata = await discover(settings, clock)
      endSessionEndpoint = metadata.end_session_endpoint
      return metadata
    } catch (error) {
      known = undefined // the next call tries again
      throw error
    }
  }

  return {
    metadata() {
      if (!known || known.until <= clock.monotonic())
        known = { metadata: ask(), until: clock.monotonic() + lifetimeMs }
      return known.metadata
    },
    endSessionEndpoint: () => endSessionEndpoint,
  }
}

/** The fields of the provider's description that are used and valid. */
function discover(settings: OidcSettings, clock: Clock): Promise<ServerMetadata> {
  return within(clock, limitMs, async (deadline) => {
    const library = await import('openid-client')
    const found = await library.discovery(
      new URL(settings.issuerUrl),
      settings.clientId,
      undefined,
      library.None(),
      {
        [library.customFetch]: guardedFetch(reachOf(settings), deadline),
        timeout: limitMs / 1000,
        execute: reachOf(settings).loopback ? [library.allowInsecureRequests] : [],
      },
    )
    return believed(found.serverMetadata(), settings)
  }).catch((error: unknown) => {
    throw new OidcFailure('oidc_init_failed', failureOf(error).message)
  })
}

function believed(found: ServerMetadata, settings: OidcSettings): ServerMetadata {
  const unusable = (reason: string) => new OidcFailure('oidc_init_failed', reason)
  // Compared as text: tokens contain the issuer as a text, which is also the key of accounts.
  if (found.issuer !== settings.issuerUrl) throw otherIssuer(found.issuer)
  const metadata: Record<string, unknown> = {
    token_endpoint_auth_methods_supported: found.token_endpoint_auth_methods_supported,
    authorization_response_iss_parameter_supported:
      found.authorization_response_iss_parameter_supported === true,
    id_token_signing_alg_values_supported: accepted(found.id_token_signing_alg_values_supported),
    userinfo_signing_alg_values_supported: accepted(found.userinfo_signing_alg_values_supported),
  }
  for (const name of [...called, ...optional]) {
    const endpoint = found[name]
    if (endpoint === undefined && optional.some((other) => other === name)) continue
    const problem = endpointProblem(endpoint, reachOf(settings))
    if (problem) throw unusable(`${name} of the provider cannot be used: ${problem}`)
    metadata[name] = endpoint
  }
  return { ...metadata, issuer: found.issuer }
}

const accepted = (advertised: unknown): string[] =>
  Array.isArray(advertised) ? asymmetric.filter((alg) => advertised.includes(alg)) : ['RS256']
