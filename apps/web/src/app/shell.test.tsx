// @vitest-environment happy-dom
import { aDockerHost, aGuest, aMeta, anAlert } from '@pulse/testkit'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { toastQueue } from '../ui/toast.ts'
import { everything, inFreshBrowsers, overview, pageOf, showShell, viewing } from './fake-shell.tsx'
import type { Page } from './routes.ts'

const tab = (name: string | RegExp) => screen.queryByRole('link', { name })

inFreshBrowsers()

describe('[spec 1 §2] header', () => {
  test.each([
    { status: 'connected', text: 'Connected' },
    { status: 'reconnecting', text: 'Reconnecting...' },
    { status: 'disconnected', text: 'Disconnected' },
  ] as const)('$status reads $text', async ({ status, text }) => {
    await showShell({ connection: { status } })
    expect(screen.getByRole('status', { name: 'Connection' }).textContent).toBe(text)
  })

  test.each([
    { channel: 'rc', shown: true },
    { channel: 'stable', shown: false },
  ] as const)(
    'the channel $channel shows the release-candidate badge: $shown',
    async ({ channel, shown }) => {
      await showShell({ version: { channel } })
      expect(screen.getByRole('banner').textContent).toContain('Pulse')
      expect(screen.queryByText('RC') !== null).toBe(shown)
    },
  )

  test('the logo flashes when connected and fresh data has just arrived, and only then', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { connection } = await showShell({ connection: { status: 'reconnecting' } })
    const logo = screen.getByTestId('logo')
    let changes = 0
    const seen = new MutationObserver((list) => void (changes += list.length))
    seen.observe(logo, { subtree: true, childList: true, attributes: true })
    const isLit = () => 'flash' in logo.dataset
    act(() => connection.set({ dataChangedAt: 1_000 }))
    act(() => connection.set({ status: 'connected' }))
    expect(isLit()).toBe(false)
    act(() => connection.set({ dataChangedAt: 20_000 }))
    expect(isLit()).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(400))
    expect(isLit()).toBe(false)
    act(() => connection.set({ dataChangedAt: 20_250 }))
    expect(isLit()).toBe(false)
    act(() => connection.set({ dataChangedAt: 28_250 }))
    expect(isLit()).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(400))
    // each change of the document is a frame
    expect(changes).toBe(4)
    vi.useRealTimers()
  })
})

describe('[spec 1 §2] tabs', () => {
  test('only pages that exist are listed', async () => {
    await showShell({ guests: { guests: { 'c:1': aGuest() } } })
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Skip to content',
      'Proxmox',
      'Overview',
    ])
  })

  test('with data the tab leads to its page and marks the platform as seen', async () => {
    await showShell({ guests: { guests: { 'c:1': aGuest() } } })
    expect(tab('Proxmox')!.getAttribute('href')).toBe('/proxmox/overview')
    expect(tab(/Add host/)).toBeNull()
    expect(JSON.parse(localStorage.getItem('platformsSeen')!)).toEqual({ proxmox: true })
  })

  test('without data it offers Add host, links to the settings and explains why', async () => {
    await showShell({ table: everything })
    expect(tab('Docker')!.getAttribute('href')).toBe('/settings/docker')
    expect(tab('Add host: Docker')!.getAttribute('href')).toBe('/settings/docker')
    expect(tab('Docker')!.dataset.tip).toBe('Docker is not configured yet')
  })

  test('[spec 1 §4] Docker is marked as seen once a Docker host exists; the mark stays when the last one is gone', async () => {
    const dockerHosts = { dock1: aDockerHost() }
    const live = await showShell({ table: everything, guests: { dockerHosts } })
    expect(tab('Docker')!.getAttribute('href')).toBe('/docker')
    expect(tab('Add host: Docker')).toBeNull()
    expect(JSON.parse(localStorage.getItem('platformsSeen')!)).toEqual({ docker: true })
    act(() => live.remove('dockerHosts', 'dock1'))
    expect(tab('Docker')!.getAttribute('href')).toBe('/docker')
    expect(tab('Docker')!.dataset.tip).toBeUndefined()
    expect(tab('Add host: Docker')!.getAttribute('href')).toBe('/settings/docker')
  })

  test('on small screens the current page is brought into view', async () => {
    const shown = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
    await showShell({ table: everything, path: '/proxmox/storage' })
    expect(shown.mock.contexts.map((link) => (link as HTMLElement).textContent)).toEqual(['Storage'])
    shown.mockRestore()
  })

  test('the current page and its area are marked', async () => {
    await showShell({ table: everything, path: '/proxmox/storage' })
    const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map((link) => link.textContent)).toEqual(['Proxmox', 'Storage'])
    expect(document.title).toBe('Storage · Pulse')
  })

  test('alert counts are red and amber badges, an update is a dot', async () => {
    const activeAlerts = {
      a: anAlert({ level: 'critical' }),
      b: anAlert({ level: 'warning' }),
      c: anAlert({ level: 'warning' }),
    }
    await showShell({ table: everything, guests: { activeAlerts }, version: { updateAvailable: true } })
    expect(screen.getByText('1 critical alerts')).toBeDefined()
    expect(screen.getByText('2 warning alerts')).toBeDefined()
    expect(screen.getByText('Update available')).toBeDefined()
  })

  test('[spec 1 §2] a found update shows a dot and a banner above the page', async () => {
    const update = { available: true, latestVersion: '5.2.0', releaseNotes: '', releaseDate: '' }
    await showShell({ table: everything, update })
    expect(await screen.findByRole('region', { name: 'Update available' })).toBeDefined()
    expect(tab(/^Settings/)!.textContent).toBe('SettingsUpdate available')
  })

  test('[spec 1 §4] the alert configuration is loaded behind the first snapshot, once', async () => {
    const asked = ({ calls }: Awaited<ReturnType<typeof showShell>>) =>
      calls.filter(({ path }) => path === '/api/alerts/config').length
    const shell = await showShell({ connection: { initialDataReceived: false } })
    expect(asked(shell)).toBe(0)
    await act(async () => shell.connection.set({ initialDataReceived: true }))
    await waitFor(() => expect(asked(shell)).toBe(1))
    await act(async () => shell.connection.set({ initialDataReceived: false }))
    await act(async () => shell.connection.set({ initialDataReceived: true }))
    expect(asked(shell)).toBe(1)
    cleanup()
    expect(asked(await showShell({ table: everything, path: '/alerts/overview' }))).toBe(0)
  })

  test('the sub-navigation belongs to the Proxmox pages', async () => {
    await showShell({ table: everything, path: '/docker' })
    expect(screen.queryByRole('navigation', { name: 'Proxmox' })).toBeNull()
  })
})

describe('[spec 1 §2] routes', () => {
  test.each(['/', '/proxmox', '/settings', '/docker', '/alerts/x', '/nowhere'])(
    '%s shows the Overview while nothing else is built',
    async (path) => {
      const { router } = await showShell({ path })
      expect(screen.getByText('page Overview')).toBeDefined()
      expect(router.view().location.path).toBe('/proxmox/overview')
    },
  )

  test('a failed page leaves the shell intact', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken: Page = {
      ...overview,
      load: async () => () => {
        throw new Error('kaboom')
      },
    }
    await showShell({ table: [broken] })
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined()
    expect(screen.getByRole('banner')).toBeDefined()
  })
})

test.each([
  { data: { type: 'pve', host: 'https://pve9:8006', name: 'pve9' }, host: 'pve9' },
  { data: { type: 'pbs', host: 'https://pbs:8007' }, host: 'https://pbs:8007' },
])('[spec 1 §8] an auto-registered node is announced for 8 s: $host', async ({ data, host }) => {
  const { events } = await showShell()
  act(() => events.emit({ type: 'node_auto_registered', data }))
  const drawn: unknown[] = []
  toastQueue.connect((message) => drawn.push(message))()
  const text = `node "${host}" was successfully auto-registered and is now being monitored!`
  expect(drawn).toEqual([{ kind: 'success', text, durationMs: 8_000 }])
})

test('server notices are shown on every page', async () => {
  const message = 'The database pulse.db was damaged and is kept as pulse.db.damaged-1.'
  await showShell({
    guests: { meta: { meta: aMeta({ notices: [{ id: '1', level: 'warning', message }] }) } },
  })
  expect(screen.getByRole('list', { name: 'Notices' }).textContent).toBe(message)
})

test('visitors in demo mode do not see notices for the administrator', async () => {
  const message = 'Demo mode: every visitor is signed in.'
  await showShell({
    status: { ...viewing, demo: true },
    guests: { meta: { meta: aMeta({ notices: [{ id: '1', level: 'warning', message }] }) } },
  })
  expect(screen.queryByRole('list', { name: 'Notices' })).toBeNull()
})

describe('a change of the page', () => {
  const go = (router: Awaited<ReturnType<typeof showShell>>['router'], to: string) =>
    act(async () => {
      await router.go(to)
    })
  const said = () => screen.getByRole('status', { name: 'Page' }).textContent

  test('moves the focus to the content and is announced; the first page does neither', async () => {
    const { router } = await showShell({ table: everything })
    expect(document.activeElement).toBe(document.body)
    expect(said()).toBe('')
    await go(router, '/proxmox/storage')
    expect(document.activeElement).toBe(screen.getByRole('main'))
    expect(said()).toBe('Storage')
  })

  test("is announced by the page's heading, if it has one", async () => {
    const titled = { ...pageOf('docker', '/docker', 'Docker'), load: async () => () => <h1>Docker hosts</h1> }
    const { router } = await showShell({ table: [overview, titled] })
    await go(router, '/docker')
    expect(said()).toBe('Docker hosts')
  })

  test('another search on the same page is not announced', async () => {
    const { router } = await showShell({ table: everything })
    await act(async () => void (await router.go('/proxmox/overview?a=1')))
    expect(document.activeElement).toBe(document.body)
  })
})
