import { BlockList, isIP } from 'node:net'

/** A set of addresses. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export interface Networks {
  /** False for invalid addresses, including octal, hexadecimal and shortened IPv4 forms. */
  has(address: string): boolean
  size: number
}

/** Reads addresses and CIDR entries. Throws on an entry that is neither. */
export function networks(entries: readonly string[]): Networks {
  const list = new BlockList()
  for (const entry of entries) add(list, entry)
  return {
    has: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'),
    size: entries.length,
  }
}

function add(list: BlockList, entry: string) {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const bits = Number(prefix ?? (family === 'ipv4' ? 32 : 128))
  const isNumber = prefix === undefined || /^\d{1,3}$/.test(prefix)
  if (isIP(address) === 0 || rest.length > 0 || !isNumber || bits > (family === 'ipv4' ? 32 : 128)) {
    throw new RangeError(`"${entry}" is neither an address nor a network such as 192.0.2.0/24`)
  }
  list.addSubnet(address, bits, family)
}

/** 127.0.0.0/8 and ::1, also in the IPv4-mapped form that a dual-stack socket reports. */
export const isLoopbackAddress: (address: string) => boolean = networks(['127.0.0.0/8', '::1']).has

/**
 * Loopback, link-local, RFC 1918, unique local, and the shared range 100.64/10, which overlay networks use.
 */
export const privateNetworks = networks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fe80::/10',
  'fc00::/7',
])

/** The eight groups of an IPv6 address in any of its forms. Throws on any other text. */
export function ipv6Groups(address: string): number[] {
  // The URL parser resolves dotted and shortened forms, but accepts no zone.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`)
  const [front = [], back = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const gap = Array<string>(8 - front.length - back.length).fill('0')
  return [...front, ...gap, ...back].map((group) => parseInt(group, 16))
}

/** The IPv4 address in two groups. */
export const ipv4Of = (high: number, low: number): string =>
  `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
