// @vitest-environment happy-dom
import { aMailGateway, BUILT_AT } from '@pulse/testkit'
import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { aNode, atOneMoment, card, hour, lines, nodeRows, second, show } from './fake-mail.tsx'

atOneMoment()

const head = () => card().querySelector('header')!

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
  const same = /In a cluster with .*: each card shows the mail of the whole cluster\./

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
    expect(lines('Delivery Health').at(-1)).toBe('Average process time | ≈ 100 messages/min | 0.60 s')
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

  test('are left out while they are not reported', async () => {
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

  test('[spec 1 §9] an hour and more reads in hours and minutes, an empty queue has no age', async () => {
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
