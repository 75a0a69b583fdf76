import type { DiscoveryConfig, DiscoveryEnvironment } from '@pulse/contract'
import { formatIpv4 } from '@pulse/domain'
import type { Machine } from '../machine.ts'

export type EnvironmentType = DiscoveryEnvironment['type']

/** Where this process runs. What the administrator says counts more than what the files say. */
export function detectEnvironment(
  machine: Machine,
  override: DiscoveryConfig['environment_override'],
): EnvironmentType {
  if (override !== 'auto') return override
  const container = containerOf(machine)
  if (container === 'docker') return hasNetworkOfHost(machine) ? 'docker_host' : 'docker_bridge'
  if (container === 'lxc') return isPrivileged(machine) ? 'lxc_privileged' : 'lxc_unprivileged'
  return 'native'
}

/** Docker first: within an LXC container it is what decides about the network. */
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

/** A container with a network of its own has one or two interfaces and a handful of routes. */
function hasNetworkOfHost(machine: Machine): boolean {
  const names = new Set(machine.interfaces().map(({ name }) => name))
  return names.size > 3 && routes(machine).length > 5
}

/** Root inside is root outside when all ids are mapped onto themselves. */
const isPrivileged = ({ file }: Machine): boolean =>
  (file('/proc/self/uid_map') ?? '')
    .split('\n')
    .some((line) => line.trim().split(/\s+/).join(' ') === '0 0 4294967295')

/** The address of the default gateway. */
export function defaultGateway(machine: Machine): string | undefined {
  const [, , gateway] = routes(machine).find(([, to, via]) => to === '00000000' && via !== '00000000') ?? []
  if (!gateway || !/^[0-9A-F]{8}$/i.test(gateway)) return undefined
  return formatIpv4(Buffer.from(gateway, 'hex').readUInt32LE())
}

/** Interface, destination, gateway, … in the kernel's own spelling. */
const routes = ({ file }: Machine): string[][] =>
  (file('/proc/net/route') ?? '')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/))
