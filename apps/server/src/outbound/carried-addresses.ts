import { isIP } from 'node:net'
import { ipv4Of, ipv6Groups } from '../auth/networks.ts'

/** The IPv4 addresses that an IPv6 address stands for: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
export function carriedAddresses(address: string): string[] {
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
