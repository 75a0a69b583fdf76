import type { DiskStatusReason, NetworkInterface } from '@pulse/contract'
import type { SourceError } from '../source-error.ts'
import type { PveInterface, PveOs } from './schema.ts'

/** Why the agent has nothing to say. undefined: the fault lies with the way to the node, not with the guest. */
export function agentReason(error: SourceError): DiskStatusReason | undefined {
  const text = error.message
  switch (error.code) {
    case 'unreachable':
    case 'tls':
    case 'fingerprint':
    case 'node_offline':
    case 'rate_limited':
      return undefined
    case 'timeout':
      return 'agent-timeout'
    case 'unauthorized':
    case 'forbidden':
      return /permission|forbidden|not allowed|may not/i.test(text) ? 'permission-denied' : 'agent-error'
    case 'server':
      if (/guest agent is not running/i.test(text)) return 'agent-not-running'
      return /got timeout|timed out|deadline/i.test(text) ? 'agent-timeout' : 'agent-not-running'
    default:
      return 'agent-error'
  }
}

export interface GuestNetwork {
  interfaces: NetworkInterface[]
  addresses: string[]
}

/** Loopback and link-local addresses help nobody; an interface without any address and traffic is left out. */
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
  const isLoopback = raw.name === 'lo' && addresses.length === 0
  return {
    name: raw.name ?? '',
    ...(mac && { mac }),
    ...(addresses.length > 0 && { addresses: [...new Set(addresses)].sort() }),
    ...(rxBytes !== undefined && !isLoopback && { rxBytes }),
    ...(txBytes !== undefined && !isLoopback && { txBytes }),
  }
}

const isUseful = (address: string) => address !== '' && !/^(127\.|::1$|fe80)/i.test(address)

export interface GuestOs {
  name: string
  version: string
}

export function toOs(raw: PveOs): GuestOs {
  const name = raw.name || raw['pretty-name'] || raw.id || ''
  const pretty = raw['pretty-name'] === name ? undefined : raw['pretty-name']
  const version = raw.version || raw['version-id'] || pretty || raw['kernel-release'] || ''
  return { name, version: version === name ? '' : version }
}

/** MemAvailable and MemTotal of /proc/meminfo, in bytes. */
export function readMeminfo(content: string): { available: number; total: number } | undefined {
  const kiB = (line: RegExp) => {
    const match = line.exec(content)
    return match ? Number(match[1]) * 1024 : undefined
  }
  const available = kiB(/^MemAvailable: {0,32}(\d{1,15}) kB/m)
  const total = kiB(/^MemTotal: {0,32}(\d{1,15}) kB/m)
  return available === undefined || !total || available > total ? undefined : { available, total }
}
