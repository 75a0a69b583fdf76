/** The error text for an unusable list of subnets. */
export const subnetMessages = {
  enabling: 'Enter at least one subnet before enabling discovery',
  empty: 'Enter at least one subnet in CIDR format (e.g., 192.168.1.0/24)',
  invalid: 'Use CIDR format such as 192.168.1.0/24 (comma-separated for multiple)',
} as const

/** Common home and office networks: shortcuts of the form, and the default. */
export const commonSubnets = [
  '192.168.1.0/24',
  '192.168.0.0/24',
  '10.0.0.0/24',
  '172.16.0.0/24',
  '192.168.2.0/24',
] as const

/** An IPv4 network as numbers: first and last address. */
export interface Subnet {
  first: number
  last: number
  prefix: number
}

/** Comma-separated CIDR entries without duplicates, blanks and the word auto. Undefined if one is invalid. */
export function readSubnets(text: string): string[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && entry.toLowerCase() !== 'auto')
  if (entries.some((entry) => parseSubnet(entry) === undefined)) return undefined
  return [...new Set(entries)]
}

/** Why a custom list cannot be used. Undefined if it can. */
export function subnetsProblem(text: string, { enabling = false } = {}): string | undefined {
  const subnets = readSubnets(text)
  if (!subnets) return subnetMessages.invalid
  if (subnets.length > 0) return undefined
  return enabling ? subnetMessages.enabling : subnetMessages.empty
}

/** Parses `192.168.1.7/24` to its network. Undefined if it is invalid. */
export function parseSubnet(text: string): Subnet | undefined {
  const match = /^([\d.]+)\/(\d{1,2})$/.exec(text)
  const address = match ? parseIpv4(match[1]!) : undefined
  const prefix = Number(match?.[2])
  if (address === undefined || prefix > 32) return undefined
  const size = 2 ** (32 - prefix)
  const first = Math.floor(address / size) * size
  return { first, last: first + size - 1, prefix }
}

/** Four octets from 0 to 255. A leading zero is invalid, because some programs read it as octal. */
export function parseIpv4(text: string): number | undefined {
  const octets = text.split('.')
  if (octets.length !== 4) return undefined
  let address = 0
  for (const octet of octets) {
    if (!/^(0|[1-9]\d{0,2})$/.test(octet) || Number(octet) > 255) return undefined
    address = address * 256 + Number(octet)
  }
  return address
}

export const formatIpv4 = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')

export const formatSubnet = ({ first, prefix }: Subnet): string => `${formatIpv4(first)}/${prefix}`

export const liesIn = (inner: Subnet, outer: Subnet): boolean =>
  inner.first >= outer.first && inner.last <= outer.last
