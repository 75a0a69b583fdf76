import { isIP } from 'node:net'
import { ipv4Of, ipv6Groups, isLoopbackAddress, networks } from '../auth/networks.ts'

/** Destinations that calls to one host may use. */
export interface Reach {
  /** an administrator entered a host on this machine */
  loopback: boolean
  /** no administrator entered the host: shared, benchmarking and documentation networks are refused too */
  strict?: boolean
  /** plain HTTP is allowed to any host, not only to this machine */
  plainHttp?: boolean
}

/** Always refused: cloud metadata services, link-local addresses, multicast, and addresses without a host. */
const never = networks([
  '0.0.0.0/8',
  '100.100.100.200', // Alibaba Cloud metadata
  '168.63.129.16', // Azure host agent
  '169.254.0.0/16',
  '192.0.0.192', // Oracle Cloud metadata
  '224.0.0.0/3',
  '::/128',
  '64:ff9b:1::/48', // NAT64 with a site prefix: the position of the inner address is unknown
  'fd00:ec2::254', // AWS metadata
  'fd20:ce::254', // Google Cloud metadata
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** Overlay networks and carriers share the first range. The others are for benchmarks and documentation. */
const unusual = networks([
  '100.64.0.0/10',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '100::/64',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
])

/**
 * Why an address must not be dialled; undefined when it is allowed. Private ranges are allowed, because
 * self-hosted services use them.
 */
export function addressProblem(address: string, reach: Reach): string | undefined {
  const plain = address.split('%', 1)[0]!
  if (isIP(plain) === 0) return `${address} is not an address`
  for (const meant of [plain, ...carriedAddresses(plain)]) {
    if (never.has(meant)) return `${address} is a link-local, metadata or reserved address`
    if (!reach.loopback && isLoopbackAddress(meant)) return `${address} is this machine itself`
    if (reach.strict && unusual.has(meant)) return `${address} is in a shared or reserved network`
  }
  return undefined
}

/**
 * The IPv4 addresses embedded in an IPv6 address: mapped, compatible, translated, NAT64, 6to4, Teredo,
 * ISATAP.
 */
function carriedAddresses(address: string): string[] {
  if (isIP(address) !== 6) return []
  const groups = ipv6Groups(address)
  const at = (index: number) => groups[index]!
  const ipv4 = (index: number, mask = 0) => ipv4Of(at(index) ^ mask, at(index + 1) ^ mask)
  const begins = (...start: number[]) => start.every((group, index) => at(index) === group)

  if (begins(0x2002)) return [ipv4(1)]
  if (begins(0x2001, 0)) return [ipv4(2), ipv4(6, 0xffff)]
  const translated =
    begins(0, 0, 0, 0, 0, 0xffff) || begins(0, 0, 0, 0, 0xffff, 0) || begins(0x64, 0xff9b, 0, 0, 0, 0)
  const compatible = begins(0, 0, 0, 0, 0, 0) && at(6) !== 0
  const isatap = (at(4) & 0xfdff) === 0 && at(5) === 0x5efe
  return translated || compatible || isatap ? [ipv4(6)] : []
}

/**
 * Why an endpoint must not be used; undefined when it is allowed. A host name is checked again when it is
 * dialled.
 */
export function endpointProblem(text: unknown, reach: Reach): string | undefined {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (!url) return 'it is not a URL'
  if (url.username || url.password) return 'it contains a user name or password'
  const mayBePlain = reach.plainHttp || (reach.loopback && isLoopbackHost(url))
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain)) {
    return reach.plainHttp ? 'it must begin with http:// or https://' : 'it must begin with https://'
  }
  return hostProblem(bareHost(url), reach)
}

/** Checks only the name itself. */
export function hostProblem(host: string, reach: Reach): string | undefined {
  if (isIP(host) !== 0) return addressProblem(host, reach)
  if (metadataNames.has(plainName(host))) return `${host} is the metadata service of a cloud`
  if (!reach.loopback && isLoopbackName(host)) return `${host} is this machine itself`
  return undefined
}

/** Adds how an administrator can allow the host, if that is possible. */
export function withAdvice(problem: string, address: string): string {
  const canBeAllowed = /this machine itself$|in a shared or reserved network$/.test(problem)
  return canBeAllowed ? `${problem}; an administrator can allow ${address} under Allowed hosts` : problem
}

/** These names resolve to 169.254.169.254, which is refused too. A name server may return another address. */
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'metadata', 'instance-data'])

/** The common spelling of a name. */
export const plainName = (host: string): string => host.toLowerCase().replace(/\.$/, '')

const isLoopbackName = (host: string): boolean => /^(?:[^.]+\.)*localhost$/.test(plainName(host))

export const isLoopbackHost = (url: URL): boolean =>
  url.hostname === 'localhost' || isLoopbackAddress(bareHost(url))

export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')
