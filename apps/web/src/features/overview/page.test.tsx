// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  choose,
  estate,
  guestRows,
  inFreshBrowsers,
  press,
  row,
  search,
  showFilters,
  showOverview,
  type,
} from './fake-overview.tsx'

inFreshBrowsers()

describe('states', () => {
  test.each([
    [{ status: 'connecting', initialDataReceived: false }, 'Connecting to the monitoring service'],
    [{ initialDataReceived: false }, 'Connecting to the monitoring service'],
    [{ initialDataReceived: false, lastUpdate: 1 }, 'Reconnecting to the monitoring service'],
  ] as const)('[spec 1 §2] %o: Loading dashboard data, %s', async (connection, text) => {
    await showOverview({}, connection)
    expect(screen.getByRole('status').textContent).toBe(`Loading dashboard data${text}`)
  })

  test('[spec 1 §2] without nodes: No Proxmox VE nodes configured, with the way to the settings', async () => {
    await showOverview({})
    expect(screen.getByRole('heading', { name: 'No Proxmox VE nodes configured' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings')
  })

  test('configured but unreachable differs from not configured', async () => {
    const sources = {
      c1: { name: 'main', kind: 'pve', health: 'error', error: 'connection refused' },
    } as const
    await showOverview({ sources })
    expect(screen.getByRole('heading', { name: 'No answer from Proxmox VE yet' })).toBeDefined()
    expect(screen.getByText(/connection refused/)).toBeDefined()
  })

  test.each([
    ['reconnecting', 'Attempting to reconnect'],
    ['disconnected', 'Unable to connect to the backend server'],
  ] as const)('[spec 1 §2] %s: Connection lost, %s, Reconnect now', async (status, text) => {
    const { reconnectNow } = await showOverview({}, { status, initialDataReceived: false })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    expect(screen.getByText(text)).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reconnect now' }))
    expect(reconnectNow).toHaveBeenCalledTimes(1)
  })

  test('[R21] with figures at hand they stay, colourless and with their age', async () => {
    const live = await showOverview()
    act(() =>
      live.connection.set({
        status: 'disconnected',
        initialDataReceived: false,
        lastUpdate: Date.now() - 150_000,
      }),
    )
    const notice = screen.getByRole('status')
    expect(notice.textContent).toContain('Connection lost')
    expect(notice.textContent).toContain('Unable to connect to the backend server')
    expect(notice.textContent, 'an age is not read out again').not.toContain('ago')
    expect(notice.parentElement!.textContent).toContain('2 minutes ago')
    expect(screen.getByRole('treegrid', { name: 'Guests' }).closest('.grayscale')).not.toBeNull()
    expect(row('guest:g1')).not.toBeNull()
    act(() => live.connection.set({ status: 'connected', initialDataReceived: true }))
    expect(screen.queryByRole('status')).toBeNull()
    expect(document.querySelector('.grayscale')).toBeNull()
  })

  test('[spec 1 §2] nothing matches a search', async () => {
    await showOverview()
    press('z')
    await type('zzz')
    expect(screen.getByRole('heading', { name: 'No guests found' })).toBeDefined()
    expect(screen.getByText('No guests match your search "zzz"')).toBeDefined()
  })

  test('a term that can match nothing says so, beside the search and where the guests would be', async () => {
    const says = '"cpu>abc" can match nothing: cpu is compared with a number, as in cpu>80.'
    await showOverview()
    press('c')
    await type('cpu>abc')
    expect(screen.getAllByText(says)).toHaveLength(2)
    expect(document.getElementById(search()!.getAttribute('aria-describedby')!)!.textContent).toBe(says)
    await type('cpu>abc OR web')
    expect(guestRows()).toContain('guest:g1')
    expect(screen.getAllByText(says)).toHaveLength(1)
    await type('cpu>80')
    expect(screen.queryByText(says)).toBeNull()
  })

  test('[spec 1 §2] nothing matches the filters', async () => {
    await showOverview({ nodes: { n: aNode() }, guests: { g: aGuest() } })
    showFilters()
    choose('LXCs', 'Type')
    expect(screen.getByText('No guests match your current filters')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
    expect(row('guest:g')).not.toBeNull()
  })
})

describe('the guest table', () => {
  test('[spec 1 §2] grouped by node, by number', async () => {
    await showOverview()
    expect(guestRows()).toEqual([
      'node:main/pve1',
      'guest:g1',
      'guest:g2',
      'guest:g3',
      'node:main/pve2',
      'guest:g4',
      'node:main/pve3',
      'guest:g5',
    ])
  })

  test('[spec 1 §2] a node header: name, link, cluster or Standalone, dimmed when offline', async () => {
    await showOverview()
    const header = (node: string) => row(`node:main\0${node}`)
    const link = within(header('pve1')).getByRole('link', { name: 'pve1, open web interface' })
    expect(link.getAttribute('href')).toBe('https://pve1.example:8006')
    expect(within(header('pve1')).getByText('main')).toBeDefined()
    expect(within(header('pve2')).getByText('Standalone')).toBeDefined()
    expect(header('pve3').querySelector('[data-dimmed="true"]')).not.toBeNull()
    expect(header('pve1').querySelector('[data-dimmed="true"]')).toBeNull()
  })

  test('[spec 1 §9] a node without a host is reached at its name, port 8006', async () => {
    const { host: _, ...node } = aNode()
    await showOverview({ nodes: { n: node }, guests: { g: aGuest() } })
    const link = within(row('node:main\0pve1')).getByRole('link', { name: 'pve1, open web interface' })
    expect(link.getAttribute('href')).toBe('https://pve1:8006')
  })

  test('[spec 1 §2] the legend counts running and stopped', async () => {
    await showOverview()
    expect(screen.getByText('3 running')).toBeDefined()
    expect(screen.getByText('2 stopped')).toBeDefined()
  })

  test('[spec 1 §4] a new column starts descending for figures, a second click flips; it is remembered', async () => {
    await showOverview()
    showFilters()
    choose('List', 'Layout')
    const grid = within(screen.getByRole('treegrid', { name: 'Guests' }))
    const sort = (name: string) =>
      fireEvent.click(within(grid.getByRole('columnheader', { name })).getByRole('button'))
    sort('CPU')
    expect(guestRows()).toEqual(['guest:g2', 'guest:g4', 'guest:g1', 'guest:g3', 'guest:g5'])
    sort('CPU')
    expect(guestRows()).toEqual(['guest:g1', 'guest:g4', 'guest:g2', 'guest:g3', 'guest:g5'])
    expect([localStorage.getItem('sortKey'), localStorage.getItem('sortDirection')]).toEqual(['cpu', 'asc'])
    sort('Name')
    expect(guestRows()).toEqual(['guest:g2', 'guest:g4', 'guest:g3', 'guest:g5', 'guest:g1'])
  })

  test('the flat list names the node of each guest, the grouped one does not', async () => {
    await showOverview()
    expect(row('guest:g4').textContent).not.toContain('pve2')
    showFilters()
    choose('List', 'Layout')
    expect(row('guest:g4').textContent).toContain('pve2')
  })

  test('the order follows figures that change', async () => {
    localStorage.setItem('dashboardGroupingMode', 'flat')
    localStorage.setItem('sortKey', 'cpu')
    localStorage.setItem('sortDirection', 'desc')
    const live = await showOverview()
    act(() => live.put({ guests: { g1: aGuest({ vmid: 100, name: 'web', cpu: 0.99 }) } }))
    expect(guestRows()[0]).toBe('guest:g1')
  })
})

describe('row expansion', () => {
  test('[spec 1 §2] a click opens the details, another closes them', async () => {
    await showOverview()
    const cell = () => within(row('guest:g4')).getAllByRole('gridcell')[1]!
    fireEvent.click(cell())
    expect(guestRows()).toContain('details:g4')
    expect(within(row('details:g4')).getByText('Alpine')).toBeDefined()
    const button = screen.getByRole('button', { name: 'Details of dns' })
    expect(button.getAttribute('aria-expanded')).toBe('true')
    fireEvent.click(button)
    expect(guestRows()).not.toContain('details:g4')
  })

  test('[spec 1 §2] it is remembered per guest while the page is left', async () => {
    await showOverview()
    fireEvent.click(screen.getByRole('button', { name: 'Details of web' }))
    cleanup()
    await showOverview()
    expect(guestRows()).toContain('details:g1')
    expect(guestRows()).not.toContain('details:g2')
  })

  test('arrows move between rows, Enter opens', async () => {
    await showOverview()
    const first = row('node:main\0pve1')
    first.focus()
    press('ArrowDown', first)
    expect(document.activeElement).toBe(row('guest:g1'))
    press('Enter', row('guest:g1'))
    expect(guestRows()).toContain('details:g1')
    press('ArrowDown', row('guest:g1'))
    expect(document.activeElement).toBe(row('guest:g2'))
  })
})

describe('cost', () => {
  test('2,500 guests are at most 5,000 elements', async () => {
    const guests = Object.fromEntries(
      Array.from({ length: 2_500 }, (_, i) => [`g${i}`, aGuest({ vmid: 100 + i })]),
    )
    await showOverview({ nodes: estate.nodes, guests })
    expect(document.querySelectorAll('*').length).toBeLessThan(5_000)
    expect(screen.getByRole('treegrid', { name: 'Guests' }).getAttribute('aria-rowcount')).toBe('2502')
  })
})
