// @vitest-environment happy-dom
import type { GatewayNode, MailGateway, SourceState } from '@pulse/contract'
import { aMailGateway, BUILT_AT } from '@pulse/testkit'
import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { MailPage } from './page.tsx'

const second = 1000
const hour = 3600 * second

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: BUILT_AT + 12 * second })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const aSource = (change: Partial<SourceState> = {}): SourceState => ({
  name: 'pmg-mail',
  kind: 'pmg',
  health: 'healthy',
  lastSeen: BUILT_AT,
  ...change,
})

interface Given {
  gateways?: Record<string, MailGateway>
  sources?: Record<string, SourceState>
  connection?: Partial<Connection>
}

async function show({
  gateways = { mail: aMailGateway() },
  sources = { mail: aSource() },
  connection,
}: Given = {}) {
  const live = aLive({ pmg: gateways, sources }, connection)
  await renderInApp(<MailPage />, { live })
  return live
}

const card = (name = 'mail') => screen.getByRole('article', { name })
const head = () => card().querySelector('header')!
const panel = (name: string, of = card()) => within(of).getByRole('group', { name })

/** The lines of a panel, as they are read. */
const lines = (name: string) =>
  [...panel(name).querySelectorAll('dl > div')].map((line) =>
    [...line.querySelectorAll('dt, dd > span:not([aria-hidden])')].map((one) => one.textContent).join(' | '),
  )

const nodeRows = () =>
  within(screen.getByRole('table', { name: 'Cluster Nodes' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))

describe('[spec 1 §2] one card per gateway', () => {
  test('says how it is, where it is, what it runs and when it was asked', async () => {
    await show()
    const link = within(card()).getByRole('link', { name: 'mail, open web interface' })
    expect(link.getAttribute('href')).toBe('https://mail.example:8006')
    expect(within(card()).getByText('v9.0.6')).toBeDefined()
    expect(within(head()).getByText('Online')).toBeDefined()
    expect(within(card()).getByText('Updated 12 seconds ago')).toBeDefined()
  })

  test('[spec 1 §9] without a port its name leads to 8006; an unknown version is a question mark', async () => {
    await show({ gateways: { mail: aMailGateway({ host: 'mail.example', version: '' }) } })
    const link = within(card()).getByRole('link', { name: 'mail, open web interface' })
    expect(link.getAttribute('href')).toBe('https://mail.example:8006')
    expect(within(card()).getByText('v?')).toBeDefined()
  })

  test('several stand in the order of their names', async () => {
    await show({
      gateways: { b: aMailGateway({ name: 'mx10' }), a: aMailGateway({ name: 'mx2' }) },
      sources: {},
    })
    expect(screen.getAllByRole('article').map((one) => one.getAttribute('aria-label'))).toEqual([
      'mx2',
      'mx10',
    ])
  })
})

describe('gateways of one cluster that are connected one by one', () => {
  const same = /In one cluster with .*: each of these cards shows the mail of the whole cluster\./

  test('say so, with the names of the others', async () => {
    const cluster = { fingerprint: 'AA:01' }
    await show({
      gateways: {
        a: aMailGateway({ name: 'mx1', cluster }),
        b: aMailGateway({ name: 'mx2', cluster }),
        c: aMailGateway({ name: 'mx3', cluster }),
        d: aMailGateway({ name: 'other', cluster: { fingerprint: 'BB:02' } }),
        e: aMailGateway({ name: 'single' }),
        f: aMailGateway({ name: 'another single' }),
      },
      sources: {},
    })
    expect(within(card('mx1')).getByText(same).textContent).toContain('with mx2, mx3:')
    expect(within(card('mx3')).getByText(same).textContent).toContain('with mx1, mx2:')
    for (const name of ['other', 'single', 'another single'])
      expect(within(card(name)).queryByText(same)).toBeNull()
  })

  test('and say it no more when only one is left', async () => {
    const cluster = { fingerprint: 'AA:01' }
    await show({ gateways: { a: aMailGateway({ name: 'mx1', cluster }) }, sources: {} })
    expect(within(card('mx1')).queryByText(same)).toBeNull()
  })
})

describe('[spec 1 §2] panels', () => {
  test('Mail Flow (24h)', async () => {
    await show()
    expect(lines('Mail Flow (24h)')).toEqual([
      'Total processed | 2,400 | 100/hr | 100.0% of all mail',
      'Inbound | 1,800 | 75/hr | 75.0% of all mail',
      'Outbound | 600 | 25/hr | 25.0% of all mail',
      'Spam caught | 450 | 19/hr | 25.0% of inbound mail',
      'Viruses blocked | 9 | <1/hr | 0.5% of inbound mail',
    ])
  })

  test('Traffic Volume, Threat & Quarantine and Delivery Health', async () => {
    await show()
    expect(lines('Traffic Volume')).toEqual(['Inbound | 240 MB | 10 MB/hr', 'Outbound | 36 MB | 1.5 MB/hr'])
    expect(lines('Threat & Quarantine')).toEqual([
      'Spam | 40',
      'Virus | 3',
      'Attachments blocked | 2',
      'Blacklisted | —',
      'Total quarantined | 45',
    ])
    expect(lines('Delivery Health').at(-1)).toBe('Average process time | ≈ 100 messages/min | 0.6 s')
  })

  test('Spam Score Distribution, only if there is one', async () => {
    const live = await show()
    expect(lines('Spam Score Distribution')).toEqual([
      'Score 0 | 900 | 90.0%',
      'Score 5 | 75 | 7.5%',
      'Score 10+ | 25 | 2.5%',
    ])
    act(() => live.put({ pmg: { mail: aMailGateway({ spamDistribution: [] }) } }))
    expect(screen.queryByRole('group', { name: 'Spam Score Distribution' })).toBeNull()
  })

  test('figures move with their gateway', async () => {
    const live = await show()
    const quarantine = { spam: 41, virus: 3, attachment: 2 }
    act(() => live.put({ pmg: { mail: aMailGateway({ quarantine }) } }))
    expect(lines('Threat & Quarantine').at(-1)).toBe('Total quarantined | 46')
  })

  test('domains stand in a table when they are collected', async () => {
    const domain = { domain: 'example.net', countIn: 12, countOut: 3, spamIn: 2, virusIn: 1 }
    await show({
      gateways: { mail: aMailGateway({ domains: [{ ...domain, bytesIn: 2048, bytesOut: 0 }] }) },
    })
    const table = within(screen.getByRole('table', { name: 'Domains' }))
    expect([...table.getAllByRole('row')[1]!.children].map((cell) => cell.textContent)).toEqual([
      'example.net',
      '12',
      '3',
      '2',
      '1',
      '2 KB',
      '0 B',
    ])
  })
})

const aNode = (change: Partial<GatewayNode> = {}): GatewayNode => ({
  ...aMailGateway().nodes![0]!,
  ...change,
})

const aQueue = (total: number, ageMs: number) => ({
  total,
  active: 0,
  deferred: total,
  hold: 0,
  incoming: 0,
  oldestAt: BUILT_AT - ageMs,
  updatedAt: new Date(BUILT_AT).toISOString(),
})

describe('[spec 1 §2] Cluster Nodes', () => {
  test('who they are, how long they run, and what waits there', async () => {
    await show()
    expect(nodeRows()).toEqual([
      ['Name', 'Role', 'Status', 'Uptime', 'Load Avg', 'Queue Depth', 'Oldest Msg'],
      [
        'mail',
        'Standalone',
        'Online',
        '20d 0h',
        '0.10 0.12 0.09',
        '1 active · 5 deferred · 1 incoming7',
        '10m',
      ],
    ])
  })

  test('are left out while nobody tells of them', async () => {
    const { nodes: _nodes, ...rest } = aMailGateway()
    await show({ gateways: { mail: rest } })
    expect(screen.queryByText('Cluster Nodes')).toBeNull()
  })

  test.each([
    { total: 50, ageMs: 1700 * second, depth: false, age: false },
    { total: 51, ageMs: 1700 * second, depth: true, age: false },
    { total: 1, ageMs: 1900 * second, depth: false, age: true },
  ])('[spec 1 §9] $total mails, the oldest of $ageMs ms: amber $depth, $age', async (given) => {
    await show({
      gateways: { mail: aMailGateway({ nodes: [aNode({ queueStatus: aQueue(given.total, given.ageMs) })] }) },
    })
    const cells = within(screen.getByRole('table', { name: 'Cluster Nodes' })).getAllByRole('cell')
    const isAmber = (index: number) => cells[index]!.querySelector('.text-yellow') !== null
    expect([isAmber(5), isAmber(6)]).toEqual([given.depth, given.age])
  })

  test('[spec 1 §9] an hour and more is told in hours and minutes, an empty queue has no age', async () => {
    const { oldestAt: _oldest, ...empty } = aQueue(0, 0)
    await show({
      gateways: {
        mail: aMailGateway({
          nodes: [
            aNode({ name: 'mx1', queueStatus: aQueue(3, 2 * hour + 300 * second) }),
            aNode({ name: 'mx2', queueStatus: empty }),
          ],
        }),
      },
    })
    expect(
      nodeRows()
        .slice(1)
        .map((cells) => cells.slice(5)),
    ).toEqual([
      ['3 deferred3', '2h 5m'],
      ['0', '—'],
    ])
  })

  test('one that is down says why, and how old its queue is', async () => {
    const down = aNode({
      name: 'mx2',
      role: 'node',
      status: 'offline',
      error: 'No route to host',
      staleSince: BUILT_AT - 2 * hour,
      queueStatus: aQueue(80, 3 * hour),
    })
    await show({
      gateways: { mail: aMailGateway({ nodes: [aNode({ name: 'mx1', role: 'master' }), down] }) },
    })
    const row = screen.getByRole('row', { name: /^mx2/ })
    expect(within(row).getByText('Offline').className).toContain('text-red')
    expect(within(row).getByText('No route to host')).toBeDefined()
    expect(within(row).getByText('Stale 2h 0m')).toBeDefined()
    expect(row.querySelector('.text-yellow')).toBeNull()
  })
})

describe('a gateway that is partly or wholly unreadable', () => {
  const refused = {
    what: 'mail statistics',
    error: '403 Permission check failed',
    right: 'Auditor',
    since: BUILT_AT - 5 * 60 * second,
  }

  test('names what cannot be read, for how long, why, and the right that is missing', async () => {
    await show({ sources: { mail: aSource({ unreadable: [refused] }) } })
    const list = within(card()).getByRole('list', { name: 'Cannot be read' })
    expect(list.textContent).toBe(
      'mail statistics cannot be read for 5 min.403 Permission check failedMissing right: Auditor',
    )
  })

  test('what was read before stays, with its age; what never was says so', async () => {
    const live = await show({ sources: { mail: aSource({ unreadable: [refused] }) } })
    expect(within(panel('Mail Flow (24h)')).getByText('Stale 5m')).toBeDefined()
    expect(lines('Mail Flow (24h)')).toHaveLength(5)
    expect(within(panel('Threat & Quarantine')).queryByText(/^Stale/)).toBeNull()
    const { mailStats: _stats, spamDistribution: _scores, ...rest } = aMailGateway()
    act(() => {
      live.remove('pmg', 'mail')
      live.put({ pmg: { mail: rest } })
    })
    expect(panel('Mail Flow (24h)').textContent).toBe('Mail Flow (24h)Cannot be read, see above.')
    expect(panel('Delivery Health').textContent).toContain('Cannot be read, see above.')
  })

  test('what is switched off says so, and what has not come yet too', async () => {
    const { quarantine: _none, mailStats: _stats, ...rest } = aMailGateway()
    await show({
      gateways: { mail: rest },
      sources: { mail: aSource({ switchedOff: ['monitorQuarantine'] }) },
    })
    expect(panel('Threat & Quarantine').textContent).toContain(
      'Switched off in the settings of this gateway.',
    )
    expect(panel('Traffic Volume').textContent).toContain('Waiting for the first figures.')
  })

  test('queues that are switched off are told beside the nodes, whose cells are unknown', async () => {
    const { queueStatus: _queue, ...node } = aNode({ name: 'mx1' })
    await show({
      gateways: { mail: aMailGateway({ nodes: [node] }) },
      sources: { mail: aSource({ switchedOff: ['monitorQueues'] }) },
    })
    const [nodes] = within(card()).getAllByRole('group', { name: 'Cluster Nodes' })
    expect(nodes!.textContent).toMatch(
      /^Cluster Nodesqueues are switched off in the settings of this gateway/,
    )
    expect(nodeRows()[1]!.slice(5)).toEqual(['—', '—'])
  })

  test('of many reasons the first three are shown, the rest on request', async () => {
    const many = ['mx1', 'mx2', 'mx3', 'mx4'].map((name) => ({ ...refused, what: `queues of ${name}` }))
    await show({ sources: { mail: aSource({ unreadable: many }) } })
    const list = screen.getByRole('list', { name: 'Cannot be read' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(3)
    act(() => screen.getByRole('button', { name: 'and 1 more' }).click())
    expect(within(list).getAllByRole('listitem')).toHaveLength(4)
  })

  test('silent: its figures stay in grey, with their age and one banner', async () => {
    const staleSince = BUILT_AT - 10 * 60 * second
    await show({
      gateways: {
        mail: aMailGateway({
          status: 'offline',
          connectionHealth: 'error',
          staleSince,
          lastUpdated: new Date(staleSince).toISOString(),
        }),
      },
      sources: { mail: aSource({ health: 'error', error: 'mail: connection refused', staleSince }) },
    })
    expect(within(card()).getByText('Not answering').className).toContain('text-red')
    expect(within(card()).getByText('Stale 10m')).toBeDefined()
    expect(within(card()).getByText('Updated 10 minutes ago')).toBeDefined()
    expect(panel('Mail Flow (24h)').closest('.grayscale')).not.toBeNull()
    expect(screen.getByText(/^mail does not answer/)).toBeDefined()
  })
})

describe('[spec 1 §2] without figures', () => {
  test('no gateway is configured', async () => {
    await show({ gateways: {}, sources: { pve: aSource({ kind: 'pve', name: 'main' }) } })
    expect(screen.getByRole('heading', { name: 'No Mail Gateways configured' })).toBeDefined()
    expect(
      screen.getByText('Add a Proxmox Mail Gateway via Settings → Nodes to start collecting mail analytics.'),
    ).toBeDefined()
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings/pmg')
  })

  test('one is, and has not been asked to the end yet', async () => {
    await show({ gateways: {}, sources: { mail: aSource({ health: 'unknown' }) } })
    expect(screen.getByRole('heading', { name: 'No answer from Mail Gateway yet' })).toBeDefined()
    expect(screen.getByRole('listitem').textContent).toBe('mail: waiting for the first answer')
  })

  test('one is, and has not answered yet', async () => {
    await show({ gateways: {}, sources: { mail: aSource({ health: 'error', error: 'no route to host' }) } })
    expect(screen.getByRole('heading', { name: 'No answer from Mail Gateway yet' })).toBeDefined()
    expect(screen.getByRole('listitem').textContent).toBe('mail: no route to host')
  })

  test.each(['reconnecting', 'disconnected'] as const)('the connection is %s', async (status) => {
    await show({ gateways: {}, connection: { status, initialDataReceived: false } })
    expect(screen.getByRole('heading', { name: 'Disconnected from backend' })).toBeDefined()
    expect(
      screen.getByText('Waiting for backend to reconnect before loading Mail Gateway details.', {
        exact: false,
      }),
    ).toBeDefined()
  })

  test('the connection is lost with figures on the page: they stay, without their colours', async () => {
    await show({ connection: { status: 'disconnected', initialDataReceived: false, lastUpdate: BUILT_AT } })
    expect(screen.getByText('Disconnected from backend')).toBeDefined()
    expect(panel('Mail Flow (24h)').closest('.grayscale')).not.toBeNull()
  })

  test('loading', async () => {
    await show({ gateways: {}, connection: { status: 'connecting', initialDataReceived: false } })
    expect(screen.getByText('Loading Mail Gateway details')).toBeDefined()
  })
})
