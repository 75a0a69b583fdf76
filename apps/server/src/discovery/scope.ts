import type { DiscoveryConfig, DiscoveryEnvironment, DiscoveryPhase } from '@pulse/contract'
import {
  commonSubnets,
  formatIpv4,
  formatSubnet,
  liesIn,
  parseSubnet,
  readSubnets,
  subnetMessages,
} from '@pulse/domain'
import { hostCount, isOwnNetwork, isPermitted, maxPerSubnet, nearby, unreadable } from './addresses.ts'
import type { Machine } from '../machine.ts'

/** Container bridges of this machine, where no Proxmox servers are. */
const bridgeNames = /^(docker\d|br-[0-9a-f]{12}$|veth|cni|podman|lxcbr|lxdbr|flannel|cali)/

const ownPhase: Record<Exclude<EnvironmentType, 'docker_bridge'>, { name: string; confidence: number }> = {
  native: { name: 'local_networks', confidence: 0.95 },
  docker_host: { name: 'host_networks', confidence: 0.9 },
  lxc_privileged: { name: 'lxc_host_networks', confidence: 0.9 },
  lxc_unprivileged: { name: 'lxc_container_network', confidence: 0.8 },
}

/** The networks to scan in order, with warnings about those that are left out. */
export function scopeOf(machine: Machine, subnet: string, config: DiscoveryConfig): DiscoveryEnvironment {
  const type = detectEnvironment(machine, config.environment_override)
  const warnings: string[] = []
  const custom = readSubnets(subnet)
  if (!custom) warnings.push(`Nothing is scanned. ${subnetMessages.invalid}`)
  const isAuto = custom?.length === 0
  const phases = isAuto ? automatic(machine, type, config, warnings) : [manual(custom ?? [])]
  const wrong = unreadable(config.subnet_blocklist)
  if (wrong !== undefined) {
    warnings.push(`Nothing is scanned: "${wrong}" in the block list is not an IPv4 network.`)
    return { type, confidence: 0, phases: [], warnings, metadata: {} }
  }
  const permitted = phases
    .map((phase) => permittedPart(phase, config, warnings))
    .filter(({ subnets }) => subnets.length > 0)
  const gateway = defaultGateway(machine)
  return {
    type,
    confidence: Math.max(0, ...permitted.map(({ confidence }) => confidence)),
    phases: permitted,
    warnings,
    metadata: gateway === undefined ? {} : { default_gateway: gateway },
  }
}

const manual = (subnets: string[]): DiscoveryPhase => ({ name: 'manual_subnet', subnets, confidence: 1 })

function automatic(
  machine: Machine,
  type: EnvironmentType,
  config: DiscoveryConfig,
  warnings: string[],
): DiscoveryPhase[] {
  const gateway = config.scan_gateways ? defaultGateway(machine) : undefined
  const allowed = { name: 'subnet_allowlist', subnets: [...config.subnet_allowlist], confidence: 1 }
  const phases: DiscoveryPhase[] = [allowed]
  if (type === 'docker_bridge') {
    // The bridge's network has only containers.
    const bridges = machine.interfaces().map(({ address, prefix }) => `${address}/${prefix}`)
    phases.push({ name: 'inferred_host_network', ...inferred(gateway, bridges) })
  } else {
    const own = ownSubnets(machine, warnings)
    phases.push({ ...ownPhase[type], subnets: own })
    if (type === 'lxc_unprivileged') phases.push({ name: 'lxc_parent_network', ...inferred(gateway, own) })
  }
  if (phases.some(({ subnets }) => subnets.length > 0)) return phases
  if (type !== 'docker_bridge') {
    warnings.push('This machine is not in a private network. Enter the subnets of your servers.')
    return []
  }
  warnings.push(
    'Pulse runs in a container and cannot see the networks of its host, so it tries the most common ones. Enter the subnets of your servers instead.',
  )
  return [{ name: 'fallback_common_subnets', subnets: [...commonSubnets], confidence: 0.3 }]
}

function ownSubnets(machine: Machine, warnings: string[]): string[] {
  const subnets = new Set<string>()
  for (const { name, address, prefix } of machine.interfaces()) {
    const near = nearby(address, prefix)
    if (!near || bridgeNames.test(name) || !isOwnNetwork(near.subnet)) continue
    const text = formatSubnet(near.subnet)
    if (text !== near.whole) {
      warnings.push(`${near.whole} on ${name} is large: only ${text} around this machine is scanned.`)
    }
    subnets.add(text)
  }
  return [...subnets]
}

/** The gateway's /24, unless it is part of a known network. */
function inferred(gateway: string | undefined, own: string[]): { subnets: string[]; confidence: number } {
  const confidence = /\.(1|254)$/.test(gateway ?? '') ? 0.7 : 0.4
  const subnet = gateway === undefined ? undefined : parseSubnet(`${gateway}/24`)
  const known = own.map(parseSubnet).filter((network) => network !== undefined)
  if (!subnet || !isOwnNetwork(subnet) || known.some((network) => liesIn(subnet, network))) {
    return { subnets: [], confidence }
  }
  return { subnets: [formatSubnet(subnet)], confidence }
}

function permittedPart(phase: DiscoveryPhase, config: DiscoveryConfig, warnings: string[]): DiscoveryPhase {
  const limit = Math.min(maxPerSubnet, config.max_hosts_per_scan)
  const subnets = phase.subnets.filter((text) => {
    const subnet = parseSubnet(text)
    if (!subnet) warnings.push(`"${text}" is not an IPv4 network and is not scanned.`)
    else if (!isPermitted(subnet, config.subnet_allowlist)) {
      warnings.push(`${text} is not a private network and is not scanned.`)
    } else if (hostCount(subnet) > limit) {
      warnings.push(`${text} is large: only its first ${limit} addresses are scanned.`)
    }
    return subnet !== undefined && isPermitted(subnet, config.subnet_allowlist)
  })
  return { ...phase, subnets }
}

type EnvironmentType = DiscoveryEnvironment['type']

/** The environment of this process. The administrator's setting overrides detection. */
function detectEnvironment(
  machine: Machine,
  override: DiscoveryConfig['environment_override'],
): EnvironmentType {
  if (override !== 'auto') return override
  const container = containerOf(machine)
  if (container === 'docker') return hasNetworkOfHost(machine) ? 'docker_host' : 'docker_bridge'
  if (container === 'lxc') return isPrivileged(machine) ? 'lxc_privileged' : 'lxc_unprivileged'
  return 'native'
}

/** Docker first: inside an LXC container, Docker decides about the network. */
function containerOf({ file }: Machine): 'docker' | 'lxc' | undefined {
  const cgroup = file('/proc/1/cgroup') ?? ''
  const marks = ['/.dockerenv', '/run/.containerenv']
  if (marks.some((path) => file(path) !== undefined)) return 'docker'
  if (/docker|containerd|kubepods|libpod|podman/.test(cgroup)) return 'docker'
  const named = /(?:^|\0)container=([^\0]*)/.exec(file('/proc/1/environ') ?? '')?.[1]
  const manager = named ?? file('/run/systemd/container')?.trim()
  if (manager === 'docker' || manager === 'podman' || manager === 'oci') return 'docker'
  if (manager === 'lxc' || /\/lxc(?:[./]|$)/m.test(cgroup)) return 'lxc'
  return undefined
}

/** A container with its own network has one or two interfaces and a few routes. */
function hasNetworkOfHost(machine: Machine): boolean {
  const names = new Set(machine.interfaces().map(({ name }) => name))
  return names.size > 3 && routes(machine).length > 5
}

/** Root inside is root outside when all ids are mapped to themselves. */
const isPrivileged = ({ file }: Machine): boolean =>
  (file('/proc/self/uid_map') ?? '')
    .split('\n')
    .some((line) => line.trim().split(/\s+/).join(' ') === '0 0 4294967295')

/** The address of the default gateway. */
function defaultGateway(machine: Machine): string | undefined {
  const [, , gateway] = routes(machine).find(([, to, via]) => to === '00000000' && via !== '00000000') ?? []
  if (!gateway || !/^[0-9A-F]{8}$/i.test(gateway)) return undefined
  return formatIpv4(Buffer.from(gateway, 'hex').readUInt32LE())
}

/** Interface, destination, gateway and more, in the kernel's notation. */
const routes = ({ file }: Machine): string[][] =>
  (file('/proc/net/route') ?? '')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/))
