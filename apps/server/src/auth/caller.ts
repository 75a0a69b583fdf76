import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { ipv4Of, ipv6Groups, type Networks } from './networks.ts'

/** The caller according to its connection. Calls and socket upgrades use the same shape. */
export interface Caller {
  /** address of the direct peer, never from a header; empty after the connection has closed */
  peer: string
  /** address of the client: the peer, or the address that a trusted proxy reports */
  client: string
  https: boolean
  /** scheme and host in the client's URL; undefined when the request names no usable host */
  site: string | undefined
  method: string
  headers: IncomingHttpHeaders
  requestId: string
  /** the peer is one of the trusted proxies */
  viaTrustedProxy: boolean
}

export interface RawCaller {
  peer: string | undefined
  encrypted: boolean
  method: string
  headers: IncomingHttpHeaders
  /** names and values alternately, in their original order */
  rawHeaders: readonly string[]
  requestId: string
}

/** Forwarding headers count only if the direct peer is a trusted proxy. */
export function readCaller(raw: RawCaller, trustedProxies: Networks): Caller {
  const peer = plainAddress(raw.peer ?? '')
  const viaTrustedProxy = trustedProxies.has(peer)
  const headers = withRepeats(raw)
  const forwarded = (name: string) => (viaTrustedProxy ? single(headers[name]) : undefined)
  const https = raw.encrypted || lastOf(forwarded('x-forwarded-proto'))?.toLowerCase() === 'https'
  const host = lastOf(forwarded('x-forwarded-host')) ?? headers.host
  return {
    peer,
    client: clientAddress(peer, forwarded('x-forwarded-for'), trustedProxies),
    https,
    site: siteOf(https, host),
    method: raw.method,
    headers,
    requestId: raw.requestId,
    viaTrustedProxy,
  }
}

/** The right-most hop that is no trusted proxy. The client itself may have written every hop to its left. */
function clientAddress(peer: string, chain: string | undefined, trusted: Networks): string {
  const hops = (chain ?? '').split(',').map((hop) => plainAddress(hop.trim()))
  let client = peer
  for (const hop of hops.toReversed()) {
    if (!trusted.has(client) || isIP(hop) === 0) break
    client = hop
  }
  return client
}

function siteOf(https: boolean, host: string | undefined): string | undefined {
  // URL.parse would repair spaces, slashes, escapes and an empty query, which no browser sends.
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  const url = URL.parse(`${https ? 'https' : 'http'}://${host}`)
  return url?.pathname === '/' ? url.origin : undefined
}

/** Node joins repeated headers into one text. A list prevents readers from treating it as a single value. */
function withRepeats({ headers, rawHeaders }: RawCaller): IncomingHttpHeaders {
  const values = new Map<string, string[]>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    const known = values.get(name)
    if (known) known.push(rawHeaders[i + 1]!)
    else values.set(name, [rawHeaders[i + 1]!])
  }
  const repeated = [...values].filter(([name, all]) => all.length > 1 && headers[name] === all.join(', '))
  return repeated.length === 0 ? headers : { ...headers, ...Object.fromEntries(repeated) }
}

/** Removes brackets, port and zone. An IPv4-mapped address becomes its IPv4 address. */
export function plainAddress(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.split('%', 1)[0]!
  if (isIP(address) !== 6) return address
  const groups = ipv6Groups(address)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return isMapped ? ipv4Of(groups[6]!, groups[7]!) : address
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(',') : value)
const lastOf = (value: string | undefined) => value?.split(',').at(-1)?.trim()

/** The key for all counters per client: an IPv4 address, or the /64 that one IPv6 host owns. */
export function clientKey(address: string): string {
  if (isIP(address) !== 6) return address
  const network = ipv6Groups(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
