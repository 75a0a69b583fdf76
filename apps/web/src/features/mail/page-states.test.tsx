// @vitest-environment happy-dom
import { aMailGateway, BUILT_AT } from '@pulse/testkit'
import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { aNode, aSource, atOneMoment, card, lines, nodeRows, panel, second, show } from './fake-mail.tsx'

atOneMoment()

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

  test('queues that are switched off are named beside the nodes, whose cells are unknown', async () => {
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
    // [design 10] the placeholder has the shape of the page: a card with panels, and no nested table
    const [head, , panels] = [...document.querySelectorAll('.skeleton')].map((one) => one.parentElement!)
    expect(screen.getByRole('status').compareDocumentPosition(head!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(panels!.closest('.grid')!.children).toHaveLength(4)
  })
})
