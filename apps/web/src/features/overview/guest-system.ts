import type { Guest, NetworkInterface } from '@pulse/contract'

/** The system's name with its version; the words in which one ends and the other begins are said once. */
export function systemText({ osName = '', osVersion = '' }: Pick<Guest, 'osName' | 'osVersion'>): string {
  const name = words(osName)
  const version = words(osVersion)
  if (includes(name, version)) return name.join(' ')
  if (includes(version, name)) return version.join(' ')
  let shared = Math.min(name.length, version.length)
  while (shared > 0 && !isSame(name.slice(-shared), version.slice(0, shared))) shared--
  return [...name, ...version.slice(shared)].join(' ')
}

const words = (text: string) => text.trim().split(/\s+/).filter(Boolean)
const isSame = (a: readonly string[], b: readonly string[]) =>
  a.join(' ').toLowerCase() === b.join(' ').toLowerCase()
const includes = (all: readonly string[], some: readonly string[]) =>
  some.length > 0 && all.some((_, at) => isSame(all.slice(at, at + some.length), some))

/** A guest talking to itself tells nobody anything. */
export const isLoopbackAddress = (address: string): boolean => /^(?:127\.\d|::1(?:\/|$))/.test(address)

export function isLoopback({ name, addresses = [] }: NetworkInterface): boolean {
  if (/^(?:lo\d*$|loopback)/i.test(name)) return true
  return addresses.length > 0 && addresses.every(isLoopbackAddress)
}
