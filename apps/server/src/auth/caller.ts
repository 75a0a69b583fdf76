import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { Networks } from './networks.ts'

/** Who asks, as far as the connection tells. A socket upgrade and a call have the same shape. */
export interface Caller {
  /** address of the direct peer, never from a header; empty when the connection is gone already */
  peer: string
  /** address of the client: the peer, or what a trusted proxy says */
  client: string
  https: boolean
  /** scheme and host under which the client sees this server; undefined when the request names no usable host */
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
  /** names and values in turn, as they came */
  rawHeaders: readonly string[]
  requestId: string
}

/** Forwarding headers count only when the direct peer is a trusted proxy. */
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

/** The right-most hop that is not one of ours; whatever stands left of it was written by that client itself. */
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
  // URL.parse mends what no browser sends: spaces, slashes, escapes, an empty query
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  const url = URL.parse(`${https ? 'https' : 'http'}://${host}`)
  return url?.pathname === '/' ? url.origin : undefined
}

/** Node joins a header that came twice into one text; here it stays a list, so that nobody takes it for one value. */
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

/** Without brackets, port, zone and the IPv4-mapped form. */
export function plainAddress(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  return (mapped ?? bare).split('%', 1)[0]!
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(',') : value)
const lastOf = (value: string | undefined) => value?.split(',').at(-1)?.trim()

/** What attempts are counted by: one IPv4 address, or the /64 that one IPv6 host owns. */
export function clientKey(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined
      ? front
      : [...front, ...Array(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
