import type { Clock } from '@pulse/domain'
import type { ServerMetadata } from 'openid-client'
import { endpointProblem } from '../outbound/addresses.ts'
import { failureOf, OidcFailure, otherIssuer } from './failure.ts'
import { within } from '../outbound/within.ts'
import { guardedFetch, limitMs } from './outbound.ts'
import { reachOf, type OidcSettings } from './settings.ts'

/** how long a provider's description of itself is believed */
const lifetimeMs = 5 * 60_000

/** Everything but these: shared secrets and no signature at all are not accepted, whatever the provider says. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']

const called = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const optional = ['userinfo_endpoint', 'end_session_endpoint'] as const

/** The provider of the settings in force, asked once for everybody who signs in within some minutes. */
export interface KnownProvider {
  metadata(): Promise<ServerMetadata>
  /** where to sign out at the provider, once that is known */
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
      known = undefined // the next one asks again
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

/** What the provider says about itself, as far as it is used and as far as it is believed. */
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
  // Not by URL comparison: tokens carry the issuer as a text, and accounts are kept by it.
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
