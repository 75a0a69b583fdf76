import { BlockList, isIP } from 'node:net'

/** A set of addresses. IPv4-mapped IPv6 addresses count as the IPv4 address they carry. */
export interface Networks {
  has(address: string): boolean
  size: number
}

/** From addresses and CIDR entries; throws on an entry that is neither. */
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

/** Loopback, link-local, RFC 1918, unique local, and the shared range 100.64/10 that overlay networks use. */
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
