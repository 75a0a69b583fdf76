// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { expandedGuests } from './expanded.ts'
import { OverviewPage } from './page.tsx'

type Given = Parameters<typeof aLive>[0]

const estate: Given = {
  nodes: {
    n1: aNode(),
    n2: aNode({ node: 'pve2', isClusterMember: false }),
    n3: aNode({ node: 'pve3', status: 'offline' }),
  },
  guests: {
    g1: aGuest({ vmid: 100, name: 'web', cpu: 0.1 }),
    g2: aGuest({ vmid: 101, name: 'db', type: 'lxc', cpu: 0.9 }),
    g3: aGuest({ vmid: 102, name: 'mail', status: 'stopped' }),
    g4: aGuest({ vmid: 103, name: 'dns', node: 'pve2', type: 'lxc', cpu: 0.5, osName: 'Alpine' }),
    g5: aGuest({ vmid: 104, name: 'old', node: 'pve3' }),
  },
}

async function given(records: Given = estate, connection: Partial<Connection> = {}) {
  const live = aLive(records, connection)
  const reconnectNow = vi.fn<() => void>()
  await renderInApp(<OverviewPage />, {
    live: Object.assign(live, { reconnectNow }),
    replies: { '/api/guests/metadata': {} },
  })
  return Object.assign(live, { reconnectNow })
}

const press = (key: string, target: Element = document.body) =>
  act(() => void fireEvent.keyDown(target, { key }))
const search = () => screen.queryByRole<HTMLInputElement>('textbox', { name: 'Search guests' })
const type = (value: string) => act(async () => void fireEvent.change(search()!, { target: { value } }))
const choose = (name: string, group: string) =>
  fireEvent.click(within(screen.getByRole('group', { name: group })).getByRole('radio', { name }))
const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
const guestRows = () =>
  [...screen.getByRole('treegrid', { name: 'Guests' }).querySelectorAll<HTMLElement>('[data-row]')].map(
    (one) => one.dataset['row']!.replace('\0', '/'),
  )
const showFilters = () => fireEvent.click(screen.getByRole('button', { name: /^Filters/ }))

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  act(expandedGuests.collapseAll)
  vi.unstubAllGlobals()
})

describe('states', () => {
  test.each([
    [{ status: 'connecting', initialDataReceived: false }, 'Connecting to the monitoring service'],
    [{ initialDataReceived: false }, 'Connecting to the monitoring service'],
    [{ initialDataReceived: false, lastUpdate: 1 }, 'Reconnecting to the monitoring service'],
  ] as const)('[spec 1 §2] %o: Loading dashboard data, %s', async (connection, text) => {
    await given({}, connection)
    expect(screen.getByRole('status').textContent).toBe(`Loading dashboard data${text}`)
  })

  test('[spec 1 §2] without nodes: No Proxmox VE nodes configured, with the way to the settings', async () => {
    await given({})
    expect(screen.getByRole('heading', { name: 'No Proxmox VE nodes configured' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings')
  })

  test('configured but silent is told apart from not configured', async () => {
    const sources = {
      c1: { name: 'main', kind: 'pve', health: 'error', error: 'connection refused' },
    } as const
    await given({ sources })
    expect(screen.getByRole('heading', { name: 'No answer from Proxmox VE yet' })).toBeDefined()
    expect(screen.getByText(/connection refused/)).toBeDefined()
  })

  test.each([
    ['reconnecting', 'Attempting to reconnect'],
    ['disconnected', 'Unable to connect to the backend server'],
  ] as const)('[spec 1 §2] %s: Connection lost, %s, Reconnect now', async (status, text) => {
    const { reconnectNow } = await given({}, { status, initialDataReceived: false })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    expect(screen.getByText(text)).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reconnect now' }))
    expect(reconnectNow).toHaveBeenCalledTimes(1)
  })

  test('[R21] with figures at hand they stay, colourless and with their age', async () => {
    const live = await given()
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
    expect(notice.textContent, 'an age is not read out anew').not.toContain('ago')
    expect(notice.parentElement!.textContent).toContain('2 minutes ago')
    expect(screen.getByRole('treegrid', { name: 'Guests' }).closest('.grayscale')).not.toBeNull()
    expect(row('guest:g1')).not.toBeNull()
    act(() => live.connection.set({ status: 'connected', initialDataReceived: true }))
    expect(screen.queryByRole('status')).toBeNull()
    expect(document.querySelector('.grayscale')).toBeNull()
  })

  test('[spec 1 §2] nothing matches a search', async () => {
    await given()
    press('z')
    await type('zzz')
    expect(screen.getByRole('heading', { name: 'No guests found' })).toBeDefined()
    expect(screen.getByText('No guests match your search "zzz"')).toBeDefined()
  })

  test('a term that can match nothing says so, beside the search and where the guests would be', async () => {
    const says = '"cpu>abc" can match nothing: cpu is compared with a number, as in cpu>80.'
    await given()
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
    await given({ nodes: { n: aNode() }, guests: { g: aGuest() } })
    showFilters()
    choose('LXCs', 'Type')
    expect(screen.getByText('No guests match your current filters')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
    expect(row('guest:g')).not.toBeNull()
  })
})

describe('the guest table', () => {
  test('[spec 1 §2] grouped by node, by number', async () => {
    await given()
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
    await given()
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
    await given({ nodes: { n: node }, guests: { g: aGuest() } })
    const link = within(row('node:main\0pve1')).getByRole('link')
    expect(link.getAttribute('href')).toBe('https://pve1:8006')
  })

  test('[spec 1 §2] the legend counts running and stopped', async () => {
    await given()
    expect(screen.getByText('3 running')).toBeDefined()
    expect(screen.getByText('2 stopped')).toBeDefined()
  })

  test('[spec 1 §4] a new column starts descending for figures, a second click flips; it is remembered', async () => {
    await given()
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

  test('the order follows figures that change', async () => {
    localStorage.setItem('dashboardGroupingMode', 'flat')
    localStorage.setItem('sortKey', 'cpu')
    localStorage.setItem('sortDirection', 'desc')
    const live = await given()
    act(() => live.put({ guests: { g1: aGuest({ vmid: 100, name: 'web', cpu: 0.99 }) } }))
    expect(guestRows()[0]).toBe('guest:g1')
  })
})

describe('row expansion', () => {
  test('[spec 1 §2] a click opens the details, another closes them', async () => {
    await given()
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
    await given()
    fireEvent.click(screen.getByRole('button', { name: 'Details of web' }))
    cleanup()
    await given()
    expect(guestRows()).toContain('details:g1')
    expect(guestRows()).not.toContain('details:g2')
  })

  test('arrows move between rows, Enter opens', async () => {
    await given()
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

describe('the filter bar', () => {
  test('[spec 1 §2] is hidden at first; whether it is shown is remembered', async () => {
    await given()
    expect(search()).toBeNull()
    showFilters()
    expect(search()).not.toBeNull()
    expect(localStorage.getItem('dashboardShowFilters')).toBe('true')
    cleanup()
    await given()
    expect(search()).not.toBeNull()
  })

  test('[spec 1 §2] type, status and layout toggles', async () => {
    await given()
    showFilters()
    choose('List', 'Layout')
    choose('VMs', 'Type')
    expect(guestRows()).toEqual(['guest:g1', 'guest:g3', 'guest:g5'])
    choose('Running', 'Status')
    expect(guestRows()).toEqual(['guest:g1'])
    choose('LXCs', 'Type')
    expect(guestRows()).toEqual(['guest:g2', 'guest:g4'])
    expect(screen.getByText('2 running')).toBeDefined()
    expect(screen.getByText('0 stopped')).toBeDefined()
  })

  test('[spec 1 §4] the active toggle clicked again returns to All or Grouped', async () => {
    await given()
    showFilters()
    for (const [name, group] of [
      ['VMs', 'Type'],
      ['Stopped', 'Status'],
      ['List', 'Layout'],
    ] as const) {
      choose(name, group)
      choose(name, group)
    }
    expect(guestRows()).toHaveLength(8)
  })

  test('[spec 1 §3] unknown stored values read as the defaults', async () => {
    localStorage.setItem('dashboardViewMode', 'nonsense')
    localStorage.setItem('dashboardGroupingMode', '7')
    localStorage.setItem('sortKey', 'constructor')
    await given()
    expect(guestRows()).toHaveLength(8)
  })

  test('[spec 1 §5] the search understands both grammars', async () => {
    await given()
    showFilters()
    choose('List', 'Layout')
    await type('cpu>40, node:pve1')
    expect(guestRows()).toEqual(['guest:g2'])
    await type('name:web OR name:dns')
    expect(guestRows()).toEqual(['guest:g1', 'guest:g4'])
  })

  test('[spec 1 §2] the search has tips', async () => {
    await given()
    showFilters()
    fireEvent.click(screen.getByRole('button', { name: 'Search tips' }))
    expect(within(screen.getByRole('dialog')).getByText('cpu>80')).toBeDefined()
  })

  test('[spec 1 §4] Reset: search empty, filters All, grouped, number ascending', async () => {
    await given()
    showFilters()
    await type('web')
    choose('VMs', 'Type')
    choose('Running', 'Status')
    choose('List', 'Layout')
    fireEvent.click(screen.getByRole('button', { name: 'Name' }))
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(search()!.value).toBe('')
    expect(guestRows()).toHaveLength(8)
    expect(guestRows()[0]).toBe('node:main/pve1')
    const vmid = screen.getByRole('columnheader', { name: 'VMID' })
    expect(vmid.getAttribute('aria-sort')).toBe('ascending')
  })
})

describe('the keyboard', () => {
  test('[spec 1 §2] typing opens the filters and goes to the search box, so does /', async () => {
    await given()
    press('w')
    expect(document.activeElement).toBe(search())
    act(() => search()!.blur())
    press('/')
    expect(document.activeElement).toBe(search())
  })

  test('ArrowDown leads from the search to the rows it found', async () => {
    await given()
    press('d')
    await type('dns')
    press('ArrowDown', search()!)
    expect(document.activeElement).toBe(row('node:main\0pve2'))
    press('ArrowDown', document.activeElement!)
    expect(document.activeElement).toBe(row('guest:g4'))
  })

  test('ArrowDown leads there again, to the row that the keyboard was at', async () => {
    await given()
    press('d')
    await type('dns')
    press('ArrowDown', search()!)
    act(() => search()!.focus())
    press('ArrowDown', search()!)
    expect(document.activeElement).toBe(row('node:main\0pve2'))
  })

  test('? shows the keys, Escape puts them away and resets nothing', async () => {
    await given()
    showFilters()
    await type('web')
    act(() => search()!.blur())
    press('?')
    const help = await screen.findByRole('dialog', { name: 'Keys' })
    expect(within(help).getByText('From the search to the rows')).toBeDefined()
    press('Escape', help)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(search()!.value).toBe('web')
  })

  test('[spec 1 §2] Escape resets what can be reset, and else toggles the filters', async () => {
    await given()
    press('w')
    await type('web')
    expect(guestRows()).toEqual(['node:main/pve1', 'guest:g1'])
    press('Escape', search()!)
    expect(guestRows()).toHaveLength(8)
    expect(search()!.value).toBe('')
    press('Escape')
    expect(search()).toBeNull()
    press('Escape')
    expect(search()).not.toBeNull()
  })
})

describe('selecting a node', () => {
  const select = (key: string) => fireEvent.click(within(row(key)).getAllByRole('gridcell')[1]!)

  test('[spec 1 §2] filters the guests and opens the filters; again deselects', async () => {
    await given()
    select('pve:n2')
    expect(guestRows()).toEqual(['node:main/pve2', 'guest:g4'])
    expect(search()).not.toBeNull()
    select('pve:n2')
    expect(guestRows()).toHaveLength(8)
  })

  test('[spec 1 §2] Escape clears it', async () => {
    await given()
    select('pve:n2')
    press('Escape')
    expect(guestRows()).toHaveLength(8)
    expect(row('pve:n2').getAttribute('aria-selected')).toBe('false')
  })

  test('[spec 1 §2] leaving the page forgets it', async () => {
    await given()
    select('pve:n2')
    cleanup()
    await given()
    expect(guestRows()).toHaveLength(8)
  })

  test('when the node goes, its filter goes', async () => {
    const live = await given()
    select('pve:n2')
    act(() => live.remove('nodes', 'n2'))
    expect(guestRows().length).toBeGreaterThan(2)
    expect(screen.getByRole('button', { name: /^Filters/ }).textContent).toBe('Filters')
    press('Escape')
    expect(search(), 'there was nothing left to reset').toBeNull()
  })
})

describe('cost', () => {
  test('2,500 guests are at most 5,000 elements', async () => {
    const guests = Object.fromEntries(
      Array.from({ length: 2_500 }, (_, i) => [`g${i}`, aGuest({ vmid: 100 + i })]),
    )
    await given({ nodes: estate!.nodes!, guests })
    expect(document.querySelectorAll('*').length).toBeLessThan(5_000)
    expect(screen.getByRole('treegrid', { name: 'Guests' }).getAttribute('aria-rowcount')).toBe('2502')
  })
})
