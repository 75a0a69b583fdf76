import type { DiscoveryConfig, DiscoveryEnvironment } from '@pulse/contract'
import { parseIpv4, parseSubnet } from '@pulse/domain'
import { addressesOf, maxPerScan, maxPerSubnet } from './addresses.ts'

export interface PlannedPhase {
  name: string
  /** an assumed network, which is skipped early if no address answers */
  isGuess: boolean
  subnets: { text: string; addresses: string[] }[]
  /** the total number of addresses */
  targets: number
}

/** Every address once, in scan order, within the limits. */
export function planScan(
  { phases, metadata }: DiscoveryEnvironment,
  config: DiscoveryConfig,
): PlannedPhase[] {
  const taken = new Set<number>()
  const gateway = parseIpv4(metadata['default_gateway'] ?? '')
  const blocked = [...config.subnet_blocklist]
  if (!config.scan_gateways && gateway !== undefined) blocked.push(metadata['default_gateway']!)
  let left = maxPerScan
  return phases.map(({ name, confidence, subnets }) => {
    const isGuess = confidence < 0.5
    const planned = subnets.map((text) => {
      const limit = Math.min(left, maxPerSubnet, config.max_hosts_per_scan)
      const addresses = addressesOf(parseSubnet(text)!, { limit, blocked, taken })
      left -= addresses.length
      return { text, addresses: isGuess ? gatewaysFirst(addresses) : addresses }
    })
    return {
      name,
      isGuess,
      subnets: planned,
      targets: planned.reduce((sum, { addresses }) => sum + addresses.length, 0),
    }
  })
}

/** If an assumed network exists at all, its router most likely answers. */
const gatewaysFirst = (addresses: string[]): string[] => [
  ...addresses.filter(isGatewayLike),
  ...addresses.filter((address) => !isGatewayLike(address)),
]

const isGatewayLike = (address: string) => /\.(1|254)$/.test(address)
