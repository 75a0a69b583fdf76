import type { Caller } from './caller.ts'

/** Other sites that may use this server. */
export interface OriginPolicy {
  /** exact origins, or `*` for any origin, but then without cookies */
  allowedOrigins: readonly string[]
  allowEmbedding: boolean
  allowedEmbedOrigins: readonly string[]
}

/** undefined: the request comes from no page, or from this site. */
function foreignOrigin({ headers, site }: Pick<Caller, 'headers' | 'site'>): string | undefined {
  const { origin } = headers
  return origin === undefined || (site !== undefined && origin === site) ? undefined : origin
}

/** A page of another site may change data only if its exact origin is listed. */
export function isWriteAllowed(caller: Caller, { allowedOrigins }: OriginPolicy): boolean {
  const origin = foreignOrigin(caller)
  if (origin !== undefined) return allowedOrigins.includes(origin) && origin !== '*'
  if (caller.headers.origin !== undefined) return true
  const site = caller.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * Browsers send cookies with every upgrade, without a preflight request. So a socket with a cookie must name
 * the origin of this site or of a listed one. A program without a cookie need not name an origin.
 */
export function isSocketAllowed(
  caller: Caller,
  byCookie: boolean,
  { allowedOrigins }: OriginPolicy,
): boolean {
  const { origin } = caller.headers
  if (origin === undefined) return !byCookie
  if (caller.site !== undefined && origin === caller.site) return true
  if (allowedOrigins.includes(origin) && origin !== '*') return true
  return !byCookie && allowedOrigins.includes('*')
}

/** Headers of a cross-origin answer; none for pages of this site or of a site that is not listed. */
export function corsHeaders(caller: Caller, { allowedOrigins }: OriginPolicy): Record<string, string> {
  if (allowedOrigins.length === 0) return {}
  const origin = foreignOrigin(caller)
  const shared = {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers':
      'Content-Type, Authorization, X-API-Token, X-CSRF-Token, X-Requested-With',
    'access-control-max-age': '600',
    vary: 'Origin',
  }
  if (origin === undefined) return { vary: 'Origin' }
  if (allowedOrigins.includes(origin) && origin !== '*') {
    return { ...shared, 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
  }
  if (allowedOrigins.includes('*')) return { ...shared, 'access-control-allow-origin': '*' }
  return { vary: 'Origin' }
}

export function frameAncestors({ allowEmbedding, allowedEmbedOrigins }: OriginPolicy): string {
  return allowEmbedding ? ["'self'", ...allowedEmbedOrigins].join(' ') : "'none'"
}
