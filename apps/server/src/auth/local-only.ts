import type { Caller } from './caller.ts'
import { isLoopbackAddress } from './networks.ts'

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Without authentication, only browsers and programs on this machine are admitted: a direct loopback peer
 * that names a loopback host and does not come from another site. A page with a name rebound to 127.0.0.1
 * names another host. Returns the problem, or undefined.
 */
export function notLocal({ peer, headers }: Pick<Caller, 'peer' | 'headers'>): string | undefined {
  if (!isLoopbackAddress(peer)) {
    return 'Authentication is switched off, so Pulse admits only browsers on the same machine.'
  }
  const forwarded = forwardingHeaders.find((name) => headers[name] !== undefined)
  if (forwarded) {
    return `Authentication is switched off, so Pulse does not admit forwarded requests (${forwarded}).`
  }
  if (!headers.host || !isLocalHost(headers.host)) {
    return 'Authentication is switched off, so Pulse is open only under its local address, for example http://localhost:7655.'
  }
  if (!isSameOrigin(headers, headers.host)) return 'Pulse does not accept requests from other sites.'
  return undefined
}

function isLocalHost(host: string): boolean {
  const url = URL.parse(`http://${host}`)
  if (!url || url.username || url.pathname !== '/') return false
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isLoopbackAddress(name)
}

/**
 * A request without Origin is accepted (a program, or a plain navigation) unless the browser reports it as
 * cross-site.
 */
function isSameOrigin(headers: Caller['headers'], host: string): boolean {
  const { origin } = headers
  if (origin !== undefined) return URL.parse(origin)?.host === host.toLowerCase()
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
