// @vitest-environment happy-dom
import type { NodeConfig } from '@pulse/contract'
import { aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import {
  aLiveWith,
  aNodeConfig,
  aNodeWithPassword,
  inDialog,
  sourcesOf,
  renderWithLive,
  toasts,
} from './fake-nodes.tsx'
import { NodePanel } from './node-panel.tsx'
import { useNodes } from './use-nodes.ts'

const list = 'GET /api/config/nodes'
const edited: NodeConfig[] = []
let added = 0

function Panel({ kind }: { kind: NodeConfig['type'] }) {
  const nodes = useNodes(false)
  return (
    <NodePanel kind={kind} nodes={nodes} onAdd={() => added++} onEdit={(node) => void edited.push(node)} />
  )
}

type Given = Parameters<typeof renderWithLive>[1] & { kind?: NodeConfig['type'] }

const show = (nodes: NodeConfig[], { kind = 'pve', replies, ...given }: Given = {}) =>
  renderWithLive(<Panel kind={kind} />, { ...given, replies: { [list]: nodes, ...replies } })

async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
const card = (name: string) => screen.getByRole('article', { name })
const items = (name: string, inside = card('pve1')) =>
  within(within(inside).getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

const endpoint = (NodeName: string, Online: boolean) => ({
  NodeID: NodeName,
  NodeName,
  Host: `https://${NodeName}:8006`,
  IP: `192.0.2.${NodeName.at(-1)}`,
  Online,
})
const cluster = {
  isCluster: true,
  clusterName: 'lab',
  clusterEndpoints: [endpoint('pve1', true), endpoint('pve2', false)],
}

beforeEach(() => {
  toasts()
  edited.length = 0
  added = 0
})
afterEach(cleanup)

describe('[spec 2 §2] a node card', () => {
  test('has name, host, token name, status, badges and three buttons', async () => {
    await show([aNodeConfig()])
    expect(within(card('pve1')).getByRole('heading').textContent).toBe('pve1Online')
    expect(card('pve1').textContent).toContain('https://192.0.2.10:8006')
    expect(card('pve1').textContent).toContain('Tokenpulse-monitor@pam!pulse-token')
    expect(items('Monitored')).toEqual(['VMs', 'Containers', 'Storage', 'Backups'])
    const buttons = within(card('pve1')).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Test connection', 'Edit', 'Delete'])
  })

  test('shows the user when it signs in with a password', async () => {
    await show([aNodeWithPassword('pmg')], { kind: 'pmg' })
    expect(card('pmg1').textContent).toContain('Usermon@pmg')
    expect(items('Monitored', card('pmg1'))).toEqual(['Mail statistics', 'Queues', 'Quarantine'])
  })

  test('of a backup server has a badge for each kind of job', async () => {
    await show([aNodeConfig({ type: 'pbs', name: 'pbs1' })], { kind: 'pbs' })
    expect(items('Monitored', card('pbs1'))).toEqual([
      'Datastores',
      'Sync jobs',
      'Verify jobs',
      'Prune jobs',
      'Garbage collection',
    ])
  })

  test('a flag that is off has no badge', async () => {
    await show([aNodeConfig({ monitorVMs: false, monitorPhysicalDisks: true })])
    expect(items('Monitored')).toEqual(['Containers', 'Storage', 'Backups', 'Physical disks'])
  })

  test('of a cluster shows its name, its endpoints and which are online', async () => {
    await show([aNodeConfig(cluster)])
    expect(card('pve1').textContent).toContain('Cluster lab2 endpoints')
    expect(items('Endpoints')).toEqual(['Onlinepve1192.0.2.1', 'Offlinepve2192.0.2.2'])
  })

  test('[spec 2 §4] the live state of the endpoints comes before the saved one', async () => {
    const { live } = await show([aNodeConfig(cluster)])
    const node = (name: string, status: 'online' | 'offline') =>
      aNode({ node: name, source: 'pve-1', status })
    act(() => live.put({ nodes: { a: node('pve1', 'offline'), b: node('pve2', 'online') } }))
    expect(items('Endpoints')).toEqual(['Offlinepve1192.0.2.1', 'Onlinepve2192.0.2.2'])
  })

  test('that pulse.yaml declares can be tested, and says where it is changed', async () => {
    await show([aNodeConfig({ managed: true })])
    const buttons = within(card('pve1')).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Test connection'])
    expect(within(card('pve1')).getByText('Fixed by pulse.yaml: change or remove it there.')).toBeDefined()
  })

  test('only the kind of the section is listed', async () => {
    await show([aNodeConfig(), aNodeConfig({ type: 'pbs', id: 'pbs-1', name: 'pbs1' })])
    expect(screen.getAllByRole('article').map((one) => one.getAttribute('aria-label'))).toEqual(['pve1'])
  })
})

describe('[spec 2 §4] status', () => {
  test('live state takes precedence over the saved status, and says why', async () => {
    const { live } = await show([aNodeConfig({ status: 'pending' })])
    expect(within(card('pve1')).getByRole('heading').textContent).toBe('pve1Pending')
    act(() => live.put({ sources: sourcesOf({ 'pve-1': {} }) }))
    expect(within(card('pve1')).getByRole('heading').textContent).toBe('pve1Online')
    act(() => live.put({ sources: sourcesOf({ 'pve-1': { health: 'error', error: 'connection refused' } }) }))
    expect(within(card('pve1')).getByRole('heading').textContent).toBe('pve1Error')
    expect(within(card('pve1')).getByText('connection refused')).toBeDefined()
  })

  test('another node’s state changes nothing', async () => {
    await show([aNodeConfig()], { live: aLiveWith({ 'pve-2': { health: 'error' } }) })
    expect(within(card('pve1')).getByRole('heading').textContent).toBe('pve1Online')
  })
})

describe('[spec 2 §8] Test connection', () => {
  const call = 'POST /api/config/nodes/pve-1/test'

  test('success shows the server’s message', async () => {
    await show([aNodeConfig()], { replies: { [call]: { status: 'success', message: 'All good' } } })
    await click('Test connection to pve1')
    expect(toasts()).toEqual(['success: All good'])
  })

  test('without a message it is Connection successful', async () => {
    await show([aNodeConfig()], { replies: { [call]: { status: 'success', message: '' } } })
    await click('Test connection to pve1')
    expect(toasts()).toEqual(['success: Connection successful'])
  })

  test.each([
    [new Answer(400, { error: 'Authentication failed' }), 'error: Authentication failed'],
    [{ status: 'error', message: '' }, 'error: Connection test failed'],
    [new Answer(404, { error: 'Node not found' }), 'error: Node not found'],
  ])('failure %#', async (answer, toast) => {
    await show([aNodeConfig()], { replies: { [call]: answer } })
    await click('Test connection to pve1')
    expect(toasts()).toEqual([toast])
  })

  test('while it runs the button says Testing...', async () => {
    const answer = Promise.withResolvers()
    await show([aNodeConfig()], { replies: { [call]: answer.promise } })
    const button = screen.getByRole('button', { name: 'Test connection to pve1' })
    await act(async () => button.click())
    expect(button.textContent).toBe('Testing...')
    expect(button.hasAttribute('disabled')).toBe(true)
    answer.resolve({ status: 'success', message: '' })
    await settled()
    expect(button.textContent).toBe('Test connection')
  })

  test('missing rights stay on the card', async () => {
    const reply = { status: 'success', message: 'Connection successful', warnings: ['No backups without it'] }
    await show([aNodeConfig()], { replies: { [call]: reply } })
    await click('Test connection to pve1')
    expect(items('Missing rights')).toEqual(['No backups without it'])
  })
})

describe('[spec 2 §8] Delete', () => {
  const call = 'DELETE /api/config/nodes/pve-1'

  test('asks, removes and says so', async () => {
    const answer = Promise.withResolvers()
    const { replies } = await show([aNodeConfig()], { replies: { [call]: answer.promise } })
    await click('Delete pve1')
    expect(inDialog().getByRole('heading').textContent).toBe('Remove node')
    await act(async () => inDialog().getByRole('button', { name: 'Remove node' }).click())
    expect(inDialog().getByRole('button', { name: 'Removing...' })).toBeDefined()
    replies[list] = []
    answer.resolve({ status: 'success' })
    await settled()
    expect(toasts()).toEqual(['success: pve1 removed successfully'])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('article')).toBeNull()
  })

  test.each([
    [{ error: 'disk full' }, 'disk full'],
    ['<html><body>Full</body></html>', 'Request failed with status 507'],
    ['', 'Failed to delete node'],
  ])('a failure shows the message of the server: %o', async (body, message) => {
    await show([aNodeConfig()], { replies: { [call]: new Answer(507, body) } })
    await click('Delete pve1')
    await click('Remove node')
    expect(inDialog().getByRole('alert').textContent).toBe(message)
    await click('Cancel')
    expect(card('pve1')).toBeDefined()
  })

  test('Cancel keeps it', async () => {
    const { calls } = await show([aNodeConfig()])
    await click('Delete pve1')
    await click('Cancel')
    expect(calls.map(({ call: one }) => one)).toEqual([list])
  })
})

test('Add node and Edit tell the section', async () => {
  await show([aNodeConfig()])
  await click('Add node')
  await click('Edit pve1')
  expect([added, edited.map(({ id }) => id)]).toEqual([1, ['pve-1']])
})

describe('before there is a list', () => {
  test.each([
    ['pve', 'No Proxmox VE node is monitored yet'],
    ['pbs', 'No Proxmox Backup Server is monitored yet'],
    ['pmg', 'No Proxmox Mail Gateway is monitored yet'],
  ] as const)('%s: an empty one says what to add', async (kind, title) => {
    await show([], { kind })
    expect(screen.getByRole('heading', { name: title })).toBeDefined()
  })

  test('it shows its shape while it loads', async () => {
    const answer = Promise.withResolvers()
    await show([], { pending: true, replies: { [list]: answer.promise } })
    expect(screen.getByRole('status', { name: 'Loading nodes' })).toBeDefined()
    answer.resolve([])
    await settled()
    expect(screen.queryByRole('status')).toBeNull()
  })

  test('a failure says so and can be retried', async () => {
    const { replies } = await show([], {
      replies: { [list]: new Answer(500, { error: 'database is locked' }) },
    })
    expect(screen.getByRole('alert').textContent).toBe('Failed to load nodesdatabase is lockedRetry')
    replies[list] = [aNodeConfig()]
    await click('Retry')
    expect(card('pve1')).toBeDefined()
  })
})
