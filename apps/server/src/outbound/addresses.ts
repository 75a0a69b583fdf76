import { isIP } from 'node:net'
import { isLoopbackAddress } from '../auth/loopback.ts'
import { networks } from '../auth/networks.ts'

/** Where calls to the provider may go. */
export interface Reach {
  /** the administrator named a provider on this very machine */
  loopback: boolean
}

/** No provider lives there, but a cloud's metadata service, the neighbours on the link, or nobody does. */
const never = networks([
  '0.0.0.0/8',
  '100.100.100.200', // metadata of Alibaba Cloud
  '168.63.129.16', // Azure's host agent
  '169.254.0.0/16',
  '192.0.0.192', // metadata of Oracle Cloud
  '224.0.0.0/3',
  '::/128',
  '64:ff9b:1::/48', // NAT64 with a prefix of the site: where the inner address stands is not known
  'fd00:ec2::254', // metadata of AWS
  'fd20:ce::254', // metadata of Google Cloud
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** Why an address must not be dialled, if so. Private ranges are fine: providers live on LANs. */
export function addressProblem(address: string, reach: Reach): string | undefined {
  const plain = address.split('%', 1)[0]!
  if (isIP(plain) === 0) return `${address} is not an address`
  for (const meant of [plain, ...carriedAddresses(plain)]) {
    if (never.has(meant)) return `${address} is a link-local, metadata or reserved address`
    if (!reach.loopback && isLoopbackAddress(meant)) return `${address} is this machine itself`
  }
  return undefined
}

/** Why an endpoint must not be used, if so. A host name is checked again when it is dialled. */
export function endpointProblem(text: unknown, reach: Reach): string | undefined {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (!url) return 'it is not a URL'
  if (url.username || url.password) return 'it carries a user name or password'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && reach.loopback && isLoopbackHost(url))) {
    return 'it must begin with https://'
  }
  const host = bareHost(url)
  return isIP(host) === 0 ? undefined : addressProblem(host, reach)
}

export const isLoopbackHost = (url: URL): boolean =>
  url.hostname === 'localhost' || isLoopbackAddress(bareHost(url))

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The IPv4 addresses that an IPv6 address stands for: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
function carriedAddresses(address: string): string[] {
  if (isIP(address) !== 6) return []
  const groups = groupsOf(address)
  const at = (index: number) => groups[index]!
  const ipv4 = (index: number, mask = 0) => {
    const [high, low] = [at(index) ^ mask, at(index + 1) ^ mask]
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const begins = (...start: number[]) => start.every((group, index) => at(index) === group)

  if (begins(0x2002)) return [ipv4(1)]
  if (begins(0x2001, 0)) return [ipv4(2), ipv4(6, 0xffff)]
  const translated =
    begins(0, 0, 0, 0, 0, 0xffff) || begins(0, 0, 0, 0, 0xffff, 0) || begins(0x64, 0xff9b, 0, 0, 0, 0)
  const compatible = begins(0, 0, 0, 0, 0, 0) && at(6) !== 0
  const isatap = (at(4) & 0xfdff) === 0 && at(5) === 0x5efe
  return translated || compatible || isatap ? [ipv4(6)] : []
}

function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [front, back] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''))
  const gap = Array<string>(8 - front!.length - back!.length).fill('0')
  return [...front!, ...gap, ...back!].map((group) => parseInt(group, 16))
}
