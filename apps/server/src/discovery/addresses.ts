import { formatIpv4, formatSubnet, liesIn, parseSubnet, type Subnet } from '@pulse/domain'
import { isIPv6 } from 'node:net'

/** Limits of the scanned addresses per subnet and per scan, for every kind of scan. */
export const maxPerSubnet = 1024
export const maxPerScan = 4096

/** The first invalid entry of a block list. IPv6 entries are ignored, because IPv6 is never scanned. */
export const unreadable = (entries: readonly string[]): string | undefined =>
  entries.find((entry) => readNetwork(entry) === undefined && !isIPv6(entry.split('/')[0]!))

/** Parses a network or one address. */
const readNetwork = (text: string) => parseSubnet(text.includes('/') ? text : `${text}/32`)

const toSubnets = (texts: readonly string[]): Subnet[] =>
  texts.map(readNetwork).filter((subnet) => subnet !== undefined)

/** Networks that Pulse may scan without an administrator's request. */
const ownNetworks = toSubnets(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])

/**
 * What an administrator may also name: this machine, link-local, and the shared range of overlay networks.
 */
const nameableNetworks = [...ownNetworks, ...toSubnets(['127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'])]

const within = (subnet: Subnet, networks: readonly Subnet[]) =>
  networks.some((network) => liesIn(subnet, network))

export const isOwnNetwork = (subnet: Subnet): boolean => within(subnet, ownNetworks)

/** A public network is scanned only if the allow list names it. */
export const isPermitted = (subnet: Subnet, allowlist: readonly string[]): boolean =>
  within(subnet, nameableNetworks) || within(subnet, toSubnets(allowlist))

/** The part of a large network around this machine: Proxmox hosts are more likely there than at its start. */
export function nearby(address: string, prefix: number): { subnet: Subnet; whole: string } | undefined {
  const whole = parseSubnet(`${address}/${prefix}`)
  if (!whole) return undefined
  const subnet = prefix < 22 ? parseSubnet(`${address}/22`)! : whole
  return { subnet, whole: formatSubnet(whole) }
}

/** The number of host addresses in a subnet. */
export const hostCount = ({ first, last, prefix }: Subnet): number => last - first + (prefix < 31 ? -1 : 1)

/** The first host addresses of a subnet, without network, broadcast, taken and blocked addresses. */
export function addressesOf(
  subnet: Subnet,
  { limit, blocked, taken }: { limit: number; blocked: readonly string[]; taken: Set<number> },
): string[] {
  const networks = toSubnets(blocked)
  const start = subnet.prefix < 31 ? subnet.first + 1 : subnet.first
  const end = start + Math.min(hostCount(subnet), maxPerSubnet)
  const addresses: string[] = []
  for (let address = start; address < end && addresses.length < limit; address++) {
    if (taken.has(address) || within({ first: address, last: address, prefix: 32 }, networks)) continue
    taken.add(address)
    addresses.push(formatIpv4(address))
  }
  return addresses
}
