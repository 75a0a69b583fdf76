// @vitest-environment happy-dom
import { aCephCluster, aDisk, aGuest, aNode, aStorage, anAlert } from '@pulse/testkit'
import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showThing } from './fake-thing.tsx'

const path = '/proxmox/node/main%3Apve1'
const node = aNode({ source: 'main', kernelVersion: '6.8.12-4-pve', loadAverage: [1.5, 1.25, 1] })
const records = { nodes: { 'main:pve1': node } }

beforeEach(() => void vi.stubGlobal('scrollTo', () => {}))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const section = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }))

test('[M 3.3] a node has its name, figures and versions', async () => {
  await showThing(path, { records })
  expect(document.title).toBe('pve1 · Pulse')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('pve1')
  expect(section('Current figures').getByText('1.50, 1.25, 1.00')).toBeDefined()
  expect(section('System').getByText('6.8.12-4-pve')).toBeDefined()
})

test('it says at which site it is, and that there is no word from it', async () => {
  const { live } = await showThing(path, { records })
  const fact = (term: string) => screen.queryByText(term, { selector: 'dt' })?.nextSibling?.textContent
  expect(fact('Site')).toBeUndefined()
  const atBerlin = { name: 'main', kind: 'pve', health: 'unknown', site: 'Berlin' } as const
  const gone = { ...node, connectionHealth: 'unknown', staleSince: 1 } as const
  await act(async () =>
    live.put({ sources: { main: { ...atBerlin, siteUnreachableSince: 1 } }, nodes: { 'main:pve1': gone } }),
  )
  expect([fact('Site'), fact('Status')]).toEqual(['Berlin', 'No word from its site'])
  const dot = () => screen.getByRole('heading', { level: 1 }).parentElement!.querySelector('.status-dot')!
  expect(dot().textContent).toBe('No word from its site')
  await act(async () => live.put({ sources: { main: atBerlin } }))
  expect([fact('Status'), dot().textContent]).toEqual(['Not answering', 'Not answering'])
})

test('[M 3.3] it lists its own guests, each with its page', async () => {
  await showThing(path, {
    records: {
      ...records,
      guests: {
        'main:101': aGuest({ source: 'main', vmid: 101, name: 'db' }),
        'main:100': aGuest({ source: 'main', vmid: 100, name: 'web' }),
        'main:102': aGuest({ source: 'main', vmid: 102, name: 'elsewhere', node: 'pve2' }),
      },
    },
  })
  const table = within(screen.getByRole('grid', { name: 'Guests of this node' }))
  expect(table.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['web', '/proxmox/guest/main%3A100'],
    ['db', '/proxmox/guest/main%3A101'],
  ])
})

test('[M 3.3] a guest that moves to another node leaves the list', async () => {
  const guest = aGuest({ source: 'main', vmid: 100, name: 'web' })
  const { live } = await showThing(path, { records: { ...records, guests: { 'main:100': guest } } })
  expect(section('Guests').getByRole('link', { name: 'web' })).toBeDefined()
  await act(async () => live.set('guests', { 'main:100': { node: 'pve2' } }))
  expect(section('Guests').getByText('No guests on this node.')).toBeDefined()
})

test('[M 3.3] storages that it can use, shared ones too; its disks; its Ceph cluster', async () => {
  await showThing(path, {
    records: {
      ...records,
      storage: {
        own: aStorage({ id: 'own', name: 'local-lvm', storage: 'local-lvm' }),
        shared: aStorage({
          id: 'shared',
          name: 'nas',
          shared: true,
          node: 'cluster',
          nodes: ['pve1', 'pve2'],
        }),
        foreign: aStorage({ id: 'foreign', name: 'foreign', node: 'pve2' }),
      },
      physicalDisks: {
        own: aDisk({ id: 'own', devPath: '/dev/nvme0n1', health: 'FAILED' }),
        foreign: aDisk({ id: 'foreign', devPath: '/dev/sdz', node: 'pve2' }),
      },
      cephClusters: { one: aCephCluster({ source: 'main', health: 'HEALTH_WARN' }) },
    },
  })
  expect(section('Storage').getByText('local-lvm')).toBeDefined()
  expect(section('Storage').getByText('Shared')).toBeDefined()
  expect(section('Physical disks').getByText('FAILED')).toBeDefined()
  expect(section('Ceph').getByText('HEALTH_WARN')).toBeDefined()
  expect([screen.queryByText('foreign'), screen.queryByText('/dev/sdz')]).toEqual([null, null])
})

test('[M 3.3] a ZFS pool below two storages is listed once, with its fault', async () => {
  const zfsPool = {
    name: 'tank',
    state: 'DEGRADED',
    readErrors: 3,
    writeErrors: 0,
    checksumErrors: 0,
    devices: [],
  }
  await showThing(path, {
    records: {
      ...records,
      storage: {
        one: aStorage({ id: 'one', name: 'one', storage: 'one', zfsPool }),
        two: aStorage({ id: 'two', name: 'two', storage: 'two', zfsPool }),
      },
    },
  })
  expect(section('ZFS pools').getAllByText('ZFS pool tank')).toHaveLength(1)
  expect(section('ZFS pools').getByText('DEGRADED')).toBeDefined()
})

test('[M 3.3] offline: its word instead of figures, and its alert', async () => {
  await showThing(path, {
    records: {
      nodes: { 'main:pve1': { ...node, status: 'offline' } },
      activeAlerts: { one: anAlert({ id: 'one', resourceId: node.id, message: 'Node pve1 is offline' }) },
    },
  })
  expect(screen.getByText('Offline', { selector: 'dd *' })).toBeDefined()
  expect(section('Alerts').getByText('Node pve1 is offline')).toBeDefined()
  expect(section('Current figures').queryByText('%')).toBeNull()
})

test('[M 3.3] without guests, storages and disks it says so', async () => {
  await showThing(path, { records })
  for (const text of ['No guests on this node.', 'No storages of this node.', 'No physical disks reported.'])
    expect(screen.getByText(text)).toBeDefined()
})
