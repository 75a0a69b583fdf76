import type { Caller } from './caller.ts'

/** Which other sites may use this server. */
export interface OriginPolicy {
  /** exact origins, or `*`: any, but never with cookies */
  allowedOrigins: readonly string[]
  allowEmbedding: boolean
  allowedEmbedOrigins: readonly string[]
}

/** undefined: no page sent it, or it came from this very site. */
function foreignOrigin({ headers, site }: Pick<Caller, 'headers' | 'site'>): string | undefined {
  const { origin } = headers
  return origin === undefined || (site !== undefined && origin === site) ? undefined : origin
}

/** A page of another site may change something only when its origin is listed by name. */
export function isWriteAllowed(caller: Caller, { allowedOrigins }: OriginPolicy): boolean {
  const origin = foreignOrigin(caller)
  if (origin !== undefined) return allowedOrigins.includes(origin) && origin !== '*'
  if (caller.headers.origin !== undefined) return true
  const site = caller.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * Browsers send cookies with every upgrade and do not ask before. So a socket that a cookie opens must come from
 * this site or a listed one, and must say so; without a cookie a program need not name an origin.
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

/** Headers of a cross-origin answer; none for pages of this site or of sites that are not allowed. */
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
