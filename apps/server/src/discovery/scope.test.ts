import { describe, expect, test } from 'vitest'
import { aConfig, aMachine } from './fixtures.ts'
import { thisMachine } from '../machine.ts'
import { planScan } from './plan.ts'
import { scopeOf } from './scope.ts'

const eth0 = (address: string, prefix = 24) => ({ name: 'eth0', address, prefix })
const header = 'Iface Destination Gateway Flags\n'
/** The gateways 192.168.50.1 and 10.9.0.254 in the kernel's notation. */
const via50 = { '/proc/net/route': `${header}eth0 00000000 0132A8C0 0003\neth0 0032A8C0 00000000 0001` }
const via9 = { '/proc/net/route': `${header}eth0 00000000 FE00090A 0003` }
const manyRoutes = { '/proc/net/route': `${header}${'eth0 0000A8C0 00000000 0001\n'.repeat(6)}` }
const fourInterfaces = ['a', 'b', 'c', 'd'].map((name, n) => ({
  name,
  address: `192.168.${n}.5`,
  prefix: 24,
}))
const docker = { '/.dockerenv': '' }
const lxc = { '/proc/1/environ': 'TERM=linux\0container=lxc\0' }
const ownIds = { '/proc/self/uid_map': '         0          0 4294967295\n' }
const shiftedIds = { '/proc/self/uid_map': '         0     100000      65536\n' }

const automatic = (machine: Parameters<typeof scopeOf>[0], change = {}) =>
  scopeOf(machine, 'auto', aConfig(change))
const phasesOf = (machine: Parameters<typeof scopeOf>[0], change = {}) =>
  automatic(machine, change).phases.map(({ name, subnets }) => [name, ...subnets])

describe('[collection 5.2] where it runs decides where it looks', () => {
  test.each([
    ['a machine', aMachine([eth0('192.168.7.5')]), 'native', [['local_networks', '192.168.7.0/24']]],
    [
      'a machine with two networks',
      aMachine([eth0('192.168.7.5'), { name: 'eth1', address: '10.1.2.3', prefix: 25 }]),
      'native',
      [['local_networks', '192.168.7.0/24', '10.1.2.0/25']],
    ],
    [
      'a container with the network of its host',
      aMachine(fourInterfaces, { ...docker, ...manyRoutes }),
      'docker_host',
      [['host_networks', '192.168.0.0/24', '192.168.1.0/24', '192.168.2.0/24', '192.168.3.0/24']],
    ],
    [
      'Podman, by its mark',
      aMachine(fourInterfaces, { '/run/.containerenv': '', ...manyRoutes }),
      'docker_host',
      [['host_networks', '192.168.0.0/24', '192.168.1.0/24', '192.168.2.0/24', '192.168.3.0/24']],
    ],
    [
      'Kubernetes, by its control group',
      aMachine([eth0('10.244.1.7')], { '/proc/1/cgroup': '0::/kubepods/burstable/pod1\n', ...via50 }),
      'docker_bridge',
      [['inferred_host_network', '192.168.50.0/24']],
    ],
    [
      'a privileged LXC container',
      aMachine([eth0('192.168.7.5')], { ...lxc, ...ownIds }),
      'lxc_privileged',
      [['lxc_host_networks', '192.168.7.0/24']],
    ],
    [
      'an unprivileged LXC container: its own network is the LAN',
      aMachine([eth0('192.168.7.5')], { ...lxc, ...shiftedIds, ...via9 }),
      'lxc_unprivileged',
      [
        ['lxc_container_network', '192.168.7.0/24'],
        ['lxc_parent_network', '10.9.0.0/24'],
      ],
    ],
    [
      'LXC by what systemd wrote, its gateway within its own network',
      aMachine([eth0('192.168.50.7')], { '/run/systemd/container': 'lxc\n', ...via50 }),
      'lxc_unprivileged',
      [['lxc_container_network', '192.168.50.0/24']],
    ],
    [
      'Docker within LXC',
      aMachine([eth0('172.17.0.2', 16)], { ...docker, ...lxc, ...via50 }),
      'docker_bridge',
      [['inferred_host_network', '192.168.50.0/24']],
    ],
  ])('%s', (_name, machine, type, phases) => {
    expect(automatic(machine).type).toBe(type)
    expect(phasesOf(machine)).toEqual(phases)
  })

  test('what the administrator says counts more', () => {
    const machine = aMachine([eth0('192.168.7.5')], docker)
    expect(automatic(machine, { environment_override: 'native' }).type).toBe('native')
    expect(phasesOf(machine, { environment_override: 'lxc_privileged' })).toEqual([
      ['lxc_host_networks', '192.168.7.0/24'],
    ])
  })

  test('a container on a bridge that knows nothing tries the common networks, as a guess', () => {
    const { phases, warnings, confidence } = automatic(aMachine([eth0('172.17.0.2', 16)], docker))
    expect(phases).toMatchObject([{ name: 'fallback_common_subnets', confidence: 0.3 }])
    expect(confidence).toBe(0.3)
    expect(warnings.join()).toMatch(/cannot see the networks of its host/)
  })

  test('the gateway of the bridge leads nowhere', () => {
    const route = { '/proc/net/route': `${header}eth0 00000000 010011AC 0003` }
    const machine = aMachine([eth0('172.17.9.2', 16)], { ...docker, ...route })
    expect(phasesOf(machine)[0]![0]).toBe('fallback_common_subnets')
  })
})

describe('[S11] no other network is scanned', () => {
  test.each([
    ['a public address', '203.0.113.9', 24],
    ['the shared range of a provider', '100.64.3.9', 22],
    ['a link-local address', '169.254.3.9', 16],
    ['a network that is wider than the private range', '192.168.0.5', 8],
  ])('%s is not looked through, and nothing is guessed instead', (_name, address, prefix) => {
    const { phases, warnings } = automatic(aMachine([eth0(address, prefix)]))
    const isPrivate = phases.every(({ subnets }) => subnets.every((text) => text.startsWith('192.168.')))
    expect(isPrivate).toBe(true)
    if (prefix !== 8) expect(phases).toEqual([])
    expect(warnings).not.toEqual([])
  })

  test('bridges of containers on this machine are left out', () => {
    const names = ['docker0', 'br-0123456789ab', 'veth12', 'cni0', 'lxcbr0']
    const bridges = names.map((name, n) => ({ name, address: `172.${17 + n}.0.1`, prefix: 16 }))
    expect(phasesOf(aMachine([...bridges, eth0('192.168.7.5')]))).toEqual([
      ['local_networks', '192.168.7.0/24'],
    ])
  })

  test('of a large network the part around this machine is taken, and said', () => {
    const { phases, warnings } = automatic(aMachine([eth0('10.0.37.5', 8)]))
    expect(phases[0]!.subnets).toEqual(['10.0.36.0/22'])
    expect(warnings).toEqual([
      '10.0.0.0/8 on eth0 is large: only 10.0.36.0/22 around this machine is scanned.',
    ])
  })

  test('a public network that was named is scanned only if the allow list has it', () => {
    const named = (change = {}) => scopeOf(aMachine(), '203.0.113.0/28,10.0.0.0/28', aConfig(change))
    expect(named().phases).toEqual([{ name: 'manual_subnet', subnets: ['10.0.0.0/28'], confidence: 1 }])
    expect(named().warnings).toEqual(['203.0.113.0/28 is not a private network and is not scanned.'])
    const allowed = named({ subnet_allowlist: ['203.0.113.0/24'] })
    expect(allowed.phases[0]!.subnets).toEqual(['203.0.113.0/28', '10.0.0.0/28'])
  })

  test('what cannot be understood is not taken for auto', () => {
    expect(scopeOf(aMachine([eth0('192.168.7.5')]), 'nonsense', aConfig()).phases).toEqual([])
  })

  test('a block list that cannot be obeyed stops everything', () => {
    const machine = aMachine([eth0('192.168.7.5')])
    const { phases, warnings } = automatic(machine, { subnet_blocklist: ['192.168.7.0-64'] })
    expect(phases).toEqual([])
    expect(warnings).toEqual([
      'Nothing is scanned: "192.168.7.0-64" in the block list is not an IPv4 network.',
    ])
    expect(automatic(machine, { subnet_blocklist: ['fe80::/10'] }).phases).not.toEqual([])
  })

  test('the interfaces of this machine can be read, without its loopback', () => {
    for (const { address } of thisMachine.interfaces()) expect(address).not.toMatch(/^127\./)
    expect(thisMachine.file('/no/such/file')).toBeUndefined()
  })
})

describe('[collection 5.2] how many addresses', () => {
  const planned = (subnet: string, change = {}) => {
    const config = aConfig(change)
    return planScan(scopeOf(aMachine([], via50), subnet, config), config)
  }
  const addresses = (subnet: string, change = {}) =>
    planned(subnet, change).flatMap(({ subnets }) => subnets.flatMap(({ addresses }) => addresses))

  test.each([
    ['10.0.0.0/24', 254],
    ['10.0.0.0/30', 2],
    ['10.0.0.0/31', 2],
    ['10.0.0.9/32', 1],
    ['10.0.0.0/22', 1022],
    ['10.0.0.0/21', 1024],
    ['10.0.0.0/8', 1024],
    ['10.0.0.0/21,10.1.0.0/21,10.2.0.0/21,10.3.0.0/21,10.4.0.0/21', 4096],
    ['10.0.0.0/24,10.0.0.0/25', 254],
  ])('%s: %i', (subnet, count) => {
    const all = addresses(subnet)
    expect(all.length).toBe(count)
    expect(new Set(all).size).toBe(count)
  })

  test('network and broadcast address are left out', () => {
    expect(addresses('10.0.0.0/29')).toEqual([1, 2, 3, 4, 5, 6].map((n) => `10.0.0.${n}`))
  })

  test('the settings can only lower the bound', () => {
    expect(addresses('10.0.0.0/21', { max_hosts_per_scan: 10 }).length).toBe(10)
    expect(addresses('10.0.0.0/20', { max_hosts_per_scan: 4096 }).length).toBe(1024)
  })

  test('blocked networks and addresses are never among them', () => {
    const subnet_blocklist = ['10.0.0.0/29', '10.0.0.9']
    expect(addresses('10.0.0.0/28', { subnet_blocklist })).toEqual(
      [8, 10, 11, 12, 13, 14].map((n) => `10.0.0.${n}`),
    )
  })

  test('the gateway is left out when it is not to be asked', () => {
    expect(addresses('192.168.50.0/30')).toEqual(['192.168.50.1', '192.168.50.2'])
    expect(addresses('192.168.50.0/30', { scan_gateways: false })).toEqual(['192.168.50.2'])
  })

  test('the allow list comes first', () => {
    const machine = aMachine([eth0('192.168.7.5', 30)])
    const config = aConfig({ subnet_allowlist: ['10.5.0.0/30', '192.168.7.4/30'] })
    const phases = planScan(scopeOf(machine, 'auto', config), config)
    expect(phases.map(({ name, targets }) => [name, targets])).toEqual([
      ['subnet_allowlist', 4],
      ['local_networks', 0],
    ])
  })
})
