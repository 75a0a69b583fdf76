import { formatIpv4, formatSubnet, liesIn, parseSubnet, type Subnet } from '@pulse/domain'
import { isIPv6 } from 'node:net'

/** However a subnet came to be scanned, no more of its addresses are asked than this, and no more in one scan. */
export const maxPerSubnet = 1024
export const maxPerScan = 4096

/** The first entry of a block list that cannot be obeyed. Of IPv6 nothing is scanned anyway. */
export const unreadable = (entries: readonly string[]): string | undefined =>
  entries.find((entry) => readNetwork(entry) === undefined && !isIPv6(entry.split('/')[0]!))

/** A network, or one address. */
const readNetwork = (text: string) => parseSubnet(text.includes('/') ? text : `${text}/32`)

const toSubnets = (texts: readonly string[]): Subnet[] =>
  texts.map(readNetwork).filter((subnet) => subnet !== undefined)

/** The networks that this machine may look through on its own account. */
const ownNetworks = toSubnets(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])

/** Beyond those, what an administrator may name: this machine, and the shared range that overlay networks use. */
const nameableNetworks = [...ownNetworks, ...toSubnets(['127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'])]

const within = (subnet: Subnet, networks: readonly Subnet[]) =>
  networks.some((network) => liesIn(subnet, network))

export const isOwnNetwork = (subnet: Subnet): boolean => within(subnet, ownNetworks)

/** A public network is scanned only if the allow list names it. */
export const isPermitted = (subnet: Subnet, allowlist: readonly string[]): boolean =>
  within(subnet, nameableNetworks) || within(subnet, toSubnets(allowlist))

/** The part of a large network in which the machine itself is: neighbours are more likely near than at its start. */
export function nearby(address: string, prefix: number): { subnet: Subnet; whole: string } | undefined {
  const whole = parseSubnet(`${address}/${prefix}`)
  if (!whole) return undefined
  const subnet = prefix < 22 ? parseSubnet(`${address}/22`)! : whole
  return { subnet, whole: formatSubnet(whole) }
}

/** How many addresses a subnet has for hosts. */
export const hostCount = ({ first, last, prefix }: Subnet): number => last - first + (prefix < 31 ? -1 : 1)

/** The first addresses of a subnet without those of the network and of the broadcast, and without what is taken or blocked. */
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
