import type { DiskStatusReason, NetworkInterface } from '@pulse/contract'
import type { SourceError } from '../source-error.ts'
import type { Meminfo } from './guest-memory.ts'
import type { PveInterface, PveOs } from './schema.ts'

/** The reason why the agent has no data. Returns undefined for a fault between Pulse and the node. */
export function agentReason(error: SourceError): DiskStatusReason | undefined {
  const text = error.message
  switch (error.code) {
    case 'unreachable':
    case 'tls':
    case 'fingerprint':
    case 'node_offline':
    case 'rate_limited':
    case 'crowded':
      return undefined
    case 'timeout':
      return 'agent-timeout'
    case 'unauthorized':
    case 'forbidden':
      return /permission|forbidden|not allowed|may not/i.test(text) ? 'permission-denied' : 'agent-error'
    case 'server':
      if (/guest agent is not running/i.test(text)) return 'agent-not-running'
      if (/got timeout|timed out|deadline/i.test(text)) return 'agent-timeout'
      if (isUnsupported(text)) return 'agent-unsupported'
      // An agent that reports an error runs.
      return /agent error/i.test(text) ? 'agent-error' : 'agent-not-running'
    default:
      return 'agent-error'
  }
}

/** Disabled in the agent, or missing from its build. */
const isUnsupported = (text: string) =>
  /agent error/i.test(text) && /not currently supported|has been disabled|has not been found/i.test(text)

/** The error comes from the guest's agent itself, so the agent runs. */
export const isAgentsOwn = (error: SourceError): boolean =>
  error.code === 'server' && /agent error|can't open file/i.test(error.said)

export const isAgentMissing = (error: SourceError): boolean =>
  error.code === 'server' && /no qemu guest agent configured/i.test(error.said)

export interface GuestNetwork {
  interfaces: NetworkInterface[]
  addresses: string[]
}

/** Omits loopback and link-local addresses, and interfaces without any address and traffic. */
export function toNetwork(raw: readonly PveInterface[]): GuestNetwork {
  const interfaces = raw
    .map(toInterface)
    .filter((nic) => nic.addresses?.length || nic.rxBytes || nic.txBytes)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const addresses = [...new Set(interfaces.flatMap((nic) => nic.addresses ?? []))].sort()
  return { interfaces, addresses }
}

function toInterface(raw: PveInterface): NetworkInterface {
  const listed = raw['ip-addresses']?.flatMap((entry) => entry['ip-address'] ?? []) ?? []
  const all = listed.length > 0 ? listed : [raw.inet, raw.inet6].flatMap((address) => address ?? [])
  const addresses = all.map((address) => address.split('/')[0]!).filter(isUseful)
  const mac = raw['hardware-address'] ?? raw.hwaddr
  const { 'rx-bytes': rxBytes, 'tx-bytes': txBytes } = raw.statistics ?? {}
  const isLoopback = addresses.length === 0 && (all.some(isLocal) || /^lo0?$/.test(raw.name ?? ''))
  return {
    name: raw.name ?? '',
    ...(mac && { mac }),
    ...(addresses.length > 0 && { addresses: [...new Set(addresses)].sort() }),
    ...(rxBytes !== undefined && !isLoopback && { rxBytes }),
    ...(txBytes !== undefined && !isLoopback && { txBytes }),
  }
}

const isLocal = (address: string) => /^(127\.|::1(\/|$))/.test(address)
const isUseful = (address: string) => address !== '' && !isLocal(address) && !/^fe80/i.test(address)

export interface GuestOs {
  name: string
  version: string
}

export function toOs(raw: PveOs): GuestOs {
  // The agent from FreeBSD's ports reports only uname's data: `FreeBSD 14.2-RELEASE-p3 GENERIC`.
  const name = raw.name || raw['pretty-name'] || raw.id || bsdName(raw) || ''
  const pretty = raw['pretty-name'] === name ? undefined : raw['pretty-name']
  const version = raw.version || raw['version-id'] || pretty || raw['kernel-release'] || ''
  return { name, version: version === name ? '' : version }
}

/** The first word of the kernel's version, if that is the name of a system. */
function bsdName(raw: PveOs): string | undefined {
  const first = raw['kernel-version']?.split(' ', 1)[0]
  return first && (first.endsWith('BSD') || first === 'DragonFly') ? first : undefined
}

/** Only Linux has /proc/meminfo. */
export const lacksMeminfo = (os: GuestOs | undefined): boolean =>
  /windows|bsd|dragonfly|opnsense|pfsense|solaris|omnios|macos/i.test(os?.name ?? '')

/** The totals of /proc/meminfo, in bytes. */
export function readMeminfo(content: string): Meminfo | undefined {
  const kiB = (line: RegExp) => {
    const match = line.exec(content)
    return match ? Number(match[1]) * 1024 : undefined
  }
  const available = kiB(/^MemAvailable: {0,32}(\d{1,15}) kB/m)
  const total = kiB(/^MemTotal: {0,32}(\d{1,15}) kB/m)
  if (available === undefined || !total || available > total) return undefined
  return { available, total, free: kiB(/^MemFree: {0,32}(\d{1,15}) kB/m) }
}
