// @vitest-environment happy-dom
import type { Storage } from '@pulse/contract'
import { aNode, aSecurityStatus, aStorage } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../live/connection.ts'
import { aLive } from '../live/fake-live.ts'
import { showPages } from './fake-app.tsx'
import { openPools, poolPage } from './fake-pools.tsx'
import type { Page } from './routes.ts'

const overview: Page = {
  path: '/proxmox/overview',
  area: 'proxmox',
  label: 'Overview',
  load: async () => () => <p>overview</p>,
}

const pools = {
  s1: aStorage({ name: 'zebra', node: 'pve1', usage: 10 }),
  s2: aStorage({ name: 'apple', node: 'pve2', usage: 90 }),
  s3: aStorage({ name: 'mango', node: 'pve1', usage: 50 }),
}

interface Options {
  path?: string
  storage?: Record<string, Storage>
  connection?: Partial<Connection>
  adminTo?: string
  role?: 'viewer' | 'admin'
}

async function setup(options: Options = {}) {
  const { path = '/proxmox/pools', storage = pools, connection = {}, adminTo, role = 'viewer' } = options
  const live = aLive({ nodes: { n: aNode() }, storage }, connection)
  const status = aSecurityStatus({ user: { name: 'zoe', role, method: 'session' } })
  const router = await showPages({ table: [overview, poolPage(adminTo)], path, live, status })
  return { ...live, router }
}

const tab = () => screen.queryByRole('link', { name: 'Pools' })
const table = () => screen.getByRole('treegrid', { name: 'Pools' })
const rows = () => [...table().querySelectorAll<HTMLElement>('[data-row]')].map((one) => one.dataset['row'])
const byNode = ['node:pve1', 'pool:s3', 'pool:s1', 'node:pve2', 'pool:s2']

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  act(openPools.collapseAll)
  vi.unstubAllGlobals()
})

describe('[design 13] a page is one entry in the table of routes', () => {
  test('its tab is shown while its condition holds', async () => {
    const live = await setup({ path: '/', storage: {} })
    expect([tab(), screen.getByText('overview')]).toEqual([null, expect.anything()])
    act(() => live.put({ storage: pools }))
    expect(tab()).not.toBeNull()
    await act(async () => void fireEvent.click(tab()!))
    expect(live.router.view().location.path).toBe('/proxmox/pools')
    expect(screen.getByRole('heading', { level: 1, name: 'Pools' })).toBeDefined()
    act(() => live.remove('storage', 's1', 's2', 's3'))
    expect(tab()?.getAttribute('aria-current')).toBe('page')
  })

  test('its address works without the condition too', async () => {
    await setup({ storage: {} })
    expect(screen.getByText('No pools configured')).toBeDefined()
  })
})

describe('[design 13] the frame explains missing and stale figures', () => {
  test('loading', async () => {
    await setup({ storage: {}, connection: { status: 'connecting', initialDataReceived: false } })
    expect(screen.getByText('Loading pools')).toBeDefined()
  })

  test('lost, without figures and with them', async () => {
    const disconnected = { status: 'disconnected', initialDataReceived: false } as const
    await setup({ storage: {}, connection: disconnected })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    cleanup()
    await setup({ connection: { ...disconnected, lastUpdate: Date.now() - 150_000 } })
    expect(screen.getByText('Connection lost')).toBeDefined()
    expect(screen.getByText('Figures are from 2 minutes ago.')).toBeDefined()
    expect(table().closest('.grayscale')).not.toBeNull()
  })

  test('stale: a source does not answer', async () => {
    const live = await setup()
    const unreachable = { name: 'main', kind: 'pve', health: 'error', error: 'connection refused' } as const
    act(() => live.put({ sources: { c1: unreachable } }))
    expect(screen.getByText(/^main does not answer/)).toBeDefined()
    expect(rows()).toEqual(byNode)
  })

  test('no rights', async () => {
    await setup({ adminTo: 'to see pools' })
    expect(screen.getByText('You need administrator access to see pools.')).toBeDefined()
    expect(screen.queryByRole('treegrid')).toBeNull()
    cleanup()
    await setup({ path: '/', adminTo: 'to see pools' })
    expect(tab(), 'nor does navigation lead there').toBeNull()
    cleanup()
    await setup({ adminTo: 'to see pools', role: 'admin' })
    expect([table(), tab()]).toEqual([expect.anything(), expect.anything()])
  })
})

describe('[design 13] the table', () => {
  test('groups and sorts, and a click on a column header changes the order', async () => {
    await setup()
    expect(rows()).toEqual(byNode)
    fireEvent.click(within(table()).getByRole('button', { name: 'Usage' }))
    expect(rows()).toEqual(byNode)
    fireEvent.click(within(table()).getByRole('button', { name: 'Usage' }))
    expect(rows()).toEqual(['node:pve1', 'pool:s1', 'pool:s3', 'node:pve2', 'pool:s2'])
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    expect(rows()).toEqual(['pool:s1', 'pool:s3', 'pool:s2'])
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(rows()).toEqual(byNode)
  })

  test('filters and counts the matches', async () => {
    await setup()
    fireEvent.change(screen.getByRole('textbox', { name: 'Search pools' }), { target: { value: 'an' } })
    expect(rows()).toEqual(['node:pve1', 'pool:s3'])
    expect(screen.getByRole('button', { name: 'Filters 1 active' })).toBeDefined()
  })

  test('opens the details of a record and keeps them open', async () => {
    await setup()
    fireEvent.click(within(table()).getByText('mango'))
    expect(screen.getByText('details of s3')).toBeDefined()
    cleanup()
    await setup()
    expect(screen.getByText('details of s3')).toBeDefined()
  })

  test('has rows of two lines on a phone, and the order to choose', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await setup()
    expect(screen.queryByRole('columnheader')).toBeNull()
    const cells = within(document.querySelector<HTMLElement>('[data-row="pool:s3"]')!).getAllByRole(
      'gridcell',
    )
    expect(cells.map((cell) => cell.textContent)).toEqual(['mangopve1', expect.stringMatching(/^Used/)])
    fireEvent.change(screen.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'usage' } })
    expect(rows()).toEqual(byNode)
  })
})
