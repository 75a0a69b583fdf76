import type { Node } from '@pulse/contract'
import { aNode, aPbsServer } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { cpuTemperature, describeNode, describeServer } from './rows.ts'

const GiB = 1024 ** 3
describe('a node', () => {
  test('[spec 1 §2] name, link, version, cluster', () => {
    expect(describeNode(aNode({ displayName: 'Lab', host: 'https://lab.example' }), {})).toMatchObject({
      name: 'Lab',
      extraName: 'pve1',
      url: 'https://lab.example:8006',
      version: '9.0.3',
      cluster: 'main',
    })
  })

  test('a row is computed once per change, however many components show it', () => {
    let read = 0
    const counted = (change: Partial<Node>): Node =>
      Object.defineProperty(aNode(change), 'pveVersion', { get: () => (read++, 'pve-manager/9.0.3') })
    const node = counted({ cpu: 0.25 })
    expect([describeNode(node, { vms: 1 }).counts, describeNode(node, { vms: 2 }).counts]).toEqual([
      { vms: 1 },
      { vms: 2 },
    ])
    expect(read).toBe(1)
    expect(describeNode(counted({ cpu: 0.5 }), {}).cpuPercent).toBe(50)
    expect(read).toBe(2)
  })

  test('[spec 1 §2] outside a cluster it is Standalone', () => {
    expect(describeNode(aNode({ isClusterMember: false }), {}).cluster).toBe('Standalone')
  })

  test('without the permission the cluster is unknown', () => {
    const { isClusterMember: _, clusterName: __, ...unasked } = aNode()
    expect(describeNode(unasked, {}).cluster).toBeUndefined()
  })

  test('[spec 1 §3] display name, then name, then bare host, then instance', () => {
    const name = (change: Partial<Node>) =>
      describeNode(aNode({ displayName: '', name: '', ...change }), {}).name
    expect(name({ displayName: 'D', name: 'n' })).toBe('D')
    expect(name({ name: 'n' })).toBe('n')
    expect(name({ host: 'https://10.0.0.7:8006/x' })).toBe('10.0.0.7')
    expect(name({ host: '', instance: 'main' })).toBe('main')
  })

  test('[spec 1 §4] offline it has no figures', () => {
    const row = describeNode(aNode({ connectionHealth: 'error' }), { vms: 3 })
    expect(row).toMatchObject({ online: false, counts: { vms: 3 } })
    expect([row.startedAt, row.cpuPercent, row.memory, row.disk, row.temperature]).toEqual(
      Array(5).fill(undefined),
    )
  })

  test('[R7] an unreachable source: the last figures with their time, neither online nor offline', () => {
    const row = describeNode(aNode({ connectionHealth: 'error', staleSince: 5 }), {})
    expect(row).toMatchObject({ online: false, staleSince: 5, cpuPercent: 12.5, memory: { percent: 37.5 } })
  })

  test('offline and unreachable differ, each with its time', () => {
    expect(describeNode(aNode({ connectionHealth: 'error', staleSince: 5 }), {})).toMatchObject({
      outage: 'unreachable',
      staleSince: 5,
      offlineSince: undefined,
    })
    expect(describeNode(aNode({ status: 'offline', staleSince: 5 }), {})).toMatchObject({
      outage: 'offline',
      staleSince: undefined,
      offlineSince: 5,
    })
    expect(describeNode(aNode({ status: 'offline' }), {}).offlineSince).toBeUndefined()
    expect(describeNode(aNode({ staleSince: 5 }), {})).toMatchObject({ outage: undefined, staleSince: 5 })
    expect(describeNode(aNode(), {}).outage).toBeUndefined()
  })

  test('[R7] a figure that is older than the others has its own age', () => {
    const memory = { ...aNode().memory!, staleSince: 7 }
    expect(describeNode(aNode({ memory }), {})).toMatchObject({
      online: true,
      staleSince: undefined,
      memory: { percent: 37.5, staleSince: 7 },
      disk: { staleSince: undefined },
    })
  })

  test('unreadable figures are unknown, with the reason', () => {
    const { cpu: _, memory: __, startedAt: ___, ...unseen } = aNode({ withheld: 'Sys.Audit is missing' })
    const row = describeNode(unseen, {})
    expect(row).toMatchObject({ online: true, withheld: 'Sys.Audit is missing' })
    expect([row.cpuPercent, row.memory]).toEqual([undefined, undefined])
  })

  test('a disk without a size is unknown, not empty', () => {
    expect(describeNode(aNode({ disk: { total: 0, used: 0, usage: 0 } }), {}).disk).toBeUndefined()
  })
})

describe('temperature', () => {
  const sensors = { available: true, hasCPU: true, hasNVMe: false }

  test.each([
    [{ ...sensors, cpuPackage: 61, cpuMax: 70 }, 61],
    [{ ...sensors, cpuMax: 70 }, 70],
    [
      {
        ...sensors,
        cpuPackage: 0,
        cores: [
          { core: 0, temp: 44 },
          { core: 1, temp: 48 },
        ],
      },
      48,
    ],
    [{ ...sensors }, undefined],
    [{ ...sensors, available: false, cpuPackage: 61 }, undefined],
    [{ ...sensors, hasCPU: false, cpuPackage: 61 }, undefined],
    [undefined, undefined],
  ])('of %o is %s', (temperature, celsius) => {
    expect(cpuTemperature(temperature ? { temperature } : {})).toBe(celsius)
  })
})

test('[spec 1 §2] a backup server: default port 8007, its datastores together are its disk', () => {
  const datastores = [
    { used: 10 * GiB, total: 100 * GiB },
    { used: 30 * GiB, total: 100 * GiB },
  ]
  const server = aPbsServer({
    host: 'https://backup.example',
    startedAt: 1e12 - 60_000,
  })
  expect(describeServer(server, datastores, {})).toMatchObject({
    kind: 'pbs',
    url: 'https://backup.example:8007',
    version: '4.0.14',
    cluster: undefined,
    startedAt: 1e12 - 60_000,
    memory: { percent: 25 },
    disk: { percent: 20, used: 40 * GiB },
  })
})

test('[R7] an unreachable backup server keeps its last figures', () => {
  const server = aPbsServer({ connectionHealth: 'error', staleSince: 5 })
  expect(describeServer(server, [], {})).toMatchObject({
    outage: 'unreachable',
    staleSince: 5,
    cpuPercent: 5,
  })
})
