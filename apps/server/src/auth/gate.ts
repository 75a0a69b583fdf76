import type { AccessClass } from '@pulse/contract'
import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackAddress } from './loopback.ts'

/** What the gate looks at; a socket upgrade and a call have the same shape. */
export interface Caller {
  /** address of the true peer, never a header */
  peer: string | undefined
  headers: IncomingHttpHeaders
  method: string
}

export type Admission = { admitted: true } | { admitted: false; reason: string }

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

const refuse = (reason: string): Admission => ({ admitted: false, reason })

/**
 * The one place that decides who may call. Until sign-in exists only a browser or program on this very
 * machine is admitted: a direct loopback peer that names a loopback host (a page whose name was rebound
 * to 127.0.0.1 does not) and does not come from another site.
 */
export function admit(access: AccessClass, caller: Caller): Admission {
  if (access === 'public') return { admitted: true }
  if (!caller.peer || !isLoopbackAddress(caller.peer)) {
    return refuse('Pulse admits only browsers on the same machine until sign-in is set up.')
  }
  const forwarded = forwardingHeaders.find((name) => caller.headers[name] !== undefined)
  if (forwarded) {
    return refuse(
      `Pulse does not admit forwarded requests yet (${forwarded}): open it on the machine itself.`,
    )
  }
  const host = caller.headers.host
  if (!host || !isLocalHost(host)) {
    return refuse('Pulse is open only under its local address, for example http://localhost:7655.')
  }
  if (!isSameOrigin(caller, host)) return refuse('Pulse does not accept requests from other sites.')
  return { admitted: true }
}

function isLocalHost(host: string): boolean {
  const url = URL.parse(`http://${host}`)
  if (!url || url.username || url.pathname !== '/') return false
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isLoopbackAddress(name)
}

/** No Origin is fine (a program, or a plain navigation) unless the browser says the request crosses sites. */
function isSameOrigin({ headers }: Caller, host: string): boolean {
  const { origin } = headers
  if (origin !== undefined) return URL.parse(origin)?.host === host.toLowerCase()
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
