import { Guest, Node } from '@pulse/contract'
import { expect, test } from 'vitest'
import { newFacts, refresh, see, type GuestFacts } from './guest-facts.ts'
import { shownAt } from '../publish-source.ts'
import { guestKey, toGuest, toNode, toTags, type MapContext } from './map.ts'
import type { NodeFacts } from './node-facts.ts'
import { PveGuest, PveGuestStatus, PveNode, PveNodeStatus } from './schema.ts'

const GiB = 1024 ** 3
const at = Date.UTC(2026, 0, 1, 12)
const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: 'prod',
  health: 'healthy',
  wallOffset: 0,
}

function facts(entry: object = {}, change: Partial<GuestFacts> = {}): GuestFacts {
  const raw = PveGuest.parse({
    vmid: 100,
    type: 'qemu',
    node: 'pve1',
    name: 'web',
    status: 'running',
    uptime: 3600,
    template: 0,
    cpu: 0.25,
    maxcpu: 4,
    mem: 2 * GiB,
    maxmem: 8 * GiB,
    disk: 0,
    maxdisk: 32 * GiB,
    ...entry,
  })
  const guest = { ...newFacts(raw, at), ...change }
  see(guest, raw, at)
  refresh(guest, at)
  return guest
}
const map = (...args: Parameters<typeof facts>) => Guest.parse(toGuest(facts(...args), context))

test('[facts 1.8] a running VM', () => {
  expect(map({ tags: 'prod;web' })).toEqual({
    id: 'main-pve1-100',
    instance: 'main',
    node: 'pve1',
    vmid: 100,
    name: 'web',
    type: 'qemu',
    status: 'running',
    cpu: 0.25,
    cpus: 4,
    memory: { total: 8 * GiB, used: 2 * GiB, free: 6 * GiB, usage: 25, estimate: 'agent-pending' },
    disk: { total: 32 * GiB },
    diskStatusReason: 'no-agent',
    startedAt: at - 3_600_000,
    template: false,
    tags: 'prod,web',
    connectionHealth: 'healthy',
    source: 'c1',
  })
})

test.each([
  ['prod;web', 'prod,web'],
  ['prod,web', 'prod,web'],
  ['prod web', 'prod,web'],
  [' ', ''],
  ['', ''],
  [undefined, ''],
])('[facts 1.8] tags %j are sent as %j', (raw, expected) => {
  expect(toTags(raw)).toBe(expected)
})

test('a lone blank as tag and no name at all', () => {
  expect(map({ tags: ' ' })).not.toHaveProperty('tags')
  expect(map({ name: undefined }).name).toBe('VM 100')
  expect(map({ name: ' ', type: 'lxc' }).name).toBe('CT 100')
})

test('[facts 1.5] the wire id has the instance unless the node is called like it; the key has neither', () => {
  expect(toGuest(facts(), { ...context, instance: 'pve1' }).id).toBe('pve1-100')
  expect(guestKey('c1', 100)).toBe('c1:100')
})

test('[facts 1.8] a stopped guest has no load, and its disk state says why nothing is known', () => {
  const stopped = map({ status: 'stopped', uptime: 0, cpu: 0.5, mem: GiB })
  expect(stopped).toMatchObject({
    status: 'stopped',
    cpu: 0,
    memory: { used: 0 },
    diskStatusReason: 'vm-stopped',
  })
  expect(stopped.disk?.usage).toBe(0)
  expect(stopped).not.toHaveProperty('startedAt')
})

test('[facts 1.8] a container knows its root file system', () => {
  const container = map({ type: 'lxc', disk: 8 * GiB })
  expect(container.disk).toEqual({ total: 32 * GiB, used: 8 * GiB, free: 24 * GiB, usage: 25 })
  expect(container).not.toHaveProperty('diskStatusReason')
})

test('[proxmox-api 2.2] memory above what the guest has is clamped', () => {
  expect(map({ mem: 9 * GiB }).memory).toMatchObject({ used: 8 * GiB, usage: 100 })
})

test('[facts 6.2.11] disks that could not be read again are shown with the reason', () => {
  const disks = { total: 10 * GiB, used: GiB, disks: [], at }
  const report = { value: PveGuestStatus.parse({ agent: 1 }), at }
  const carried = map({}, { disks, report, diskFailure: 'agent-timeout' })
  expect(carried).toMatchObject({ disk: { usage: 10 }, diskStatusReason: 'agent-timeout' })
  const old = map({}, { disks: { ...disks, at: at - 600_001 }, report, diskFailure: 'agent-timeout' })
  expect(old.disk).toEqual({ total: 32 * GiB })
})

test('the lock is copied, templates never get here', () => {
  expect(map({ lock: 'backup' }).lock).toBe('backup')
})

const nodeFacts = (change: Partial<NodeFacts> = {}): NodeFacts => ({
  name: 'pve1',
  displayName: 'pve1',
  host: 'https://192.0.2.11:8006',
  listed: PveNode.parse({
    node: 'pve1',
    status: 'online',
    cpu: 0.5,
    maxcpu: 32,
    mem: 1,
    maxmem: 64 * GiB,
    disk: GiB,
    maxdisk: 4 * GiB,
  }),
  listedStatus: 'online',
  online: true,
  seenAt: at,
  freshUntil: at,
  reportedUntil: at,
  missingSince: undefined,
  startedAt: at - 1000,
  status: PveNodeStatus.parse({
    loadavg: ['1.5', '1', '0.5'],
    kversion: 'Linux 6.14',
    pveversion: 'pve-manager/9.0.10/abc',
    rootfs: { total: 100, used: 25 },
    swap: { total: 10, used: 5 },
    cpuinfo: { model: 'EPYC', cores: 16, cpus: 32, sockets: 1, mhz: '2400.000' },
  }),
  statusAt: at,
  rrd: undefined,
  memory: { used: 16 * GiB, total: 64 * GiB, source: 'available', trusted: true },
  silent: false,
  withheld: undefined,
  ...change,
})
const mapNode = (change: Partial<NodeFacts> = {}, to: Partial<MapContext> = {}) =>
  Node.parse(toNode(nodeFacts(change), { ...context, ...to }))

test('[facts 1.6] a node', () => {
  expect(mapNode()).toEqual({
    id: 'main-pve1',
    instance: 'main',
    node: 'pve1',
    name: 'pve1',
    displayName: 'pve1',
    host: 'https://192.0.2.11:8006',
    type: 'node',
    status: 'online',
    cpu: 0.5,
    memory: { total: 64 * GiB, used: 16 * GiB, free: 48 * GiB, usage: 25, swapTotal: 10, swapUsed: 5 },
    disk: { total: 100, used: 25, free: 75, usage: 25 },
    startedAt: at - 1000,
    loadAverage: [1.5, 1, 0.5],
    kernelVersion: 'Linux 6.14',
    pveVersion: 'pve-manager/9.0.10/abc',
    cpuInfo: { model: 'EPYC', cores: 32, sockets: 1, mhz: '2400.000' },
    connectionHealth: 'healthy',
    isClusterMember: true,
    clusterName: 'prod',
    source: 'c1',
  })
})

test('[facts 1.6] the root file system comes from the listing while the node was not polled', () => {
  expect(mapNode({ status: undefined }).disk).toEqual({ total: 4 * GiB, used: GiB, free: 3 * GiB, usage: 25 })
})

test.each<[string, Partial<NodeFacts>, Partial<MapContext>, Partial<Node>]>([
  [
    'a dead node',
    { online: false, listedStatus: 'offline', seenAt: at - 5 },
    {},
    { status: 'offline', cpu: 0, loadAverage: [], connectionHealth: 'offline', staleSince: at - 5 },
  ],
  [
    'a node without a heartbeat',
    { online: false, listedStatus: 'unknown' },
    {},
    { status: 'unknown', connectionHealth: 'offline' },
  ],
  [
    'a node that keeps its details back',
    { silent: true },
    {},
    { status: 'online', cpu: 0.5, connectionHealth: 'degraded' },
  ],
])('[facts 1.4] %s is not shown as healthy', (_case, change, to, expected) => {
  expect(mapNode(change, to)).toMatchObject(expected)
})

test('a dead node has no uptime', () => {
  expect(mapNode({ online: false, listedStatus: 'offline' })).not.toHaveProperty('startedAt')
})

test('[R7] a guest of a node that is off is as old as the last sign of the node, whatever its listing still says', () => {
  const listed = { lost: new Map([['pve1', at - 20_000]]) }
  const guest = toGuest(facts(), { ...context, ...listed })
  expect(guest).toMatchObject({ status: 'running', staleSince: shownAt(at - 20_000, context) })
})
