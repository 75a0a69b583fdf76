// @vitest-environment happy-dom
import {
  getSystemConfig,
  postSystemSettings,
  putPreferences,
  type SecurityStatus,
  type VersionInfo,
} from '@pulse/contract'
import { aGuest, aMeta, anAlert, aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiProvider } from '../api/api.tsx'
import type { Api } from '../api/client.ts'
import { createCredentials } from '../api/credentials.ts'
import { SessionProvider, toSession } from '../api/session.tsx'
import type { Connection } from '../live/connection.ts'
import { aLive } from '../live/fake-live.ts'
import { LiveProvider } from '../live/live.tsx'
import { toastQueue } from '../ui/toast.ts'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { createAppRouter, Pages } from './router.tsx'
import type { Area, Page } from './routes.ts'
import { lastAnswerDelayMs } from './use-last-answer.ts'
import { createMemoryHistory } from '../ui/router/fake-history.ts'

const build: VersionInfo = {
  version: '5.1.0',
  build: 'x',
  goVersion: '',
  runtime: 'node',
  channel: 'stable',
  isDocker: false,
  isSourceBuild: false,
  isDevelopment: false,
  deploymentType: 'systemd',
  updateAvailable: false,
  containerized: false,
}

const signedIn = aSecurityStatus({ user: { name: 'ann', role: 'admin', method: 'session' } })
const viewing = aSecurityStatus({ user: { name: 'zoe', role: 'viewer', method: 'session' } })
const open = aSecurityStatus({ disabled: true })

const pageOf = (area: Area, path: `/${string}`, label: string, nested = false): Page => ({
  path,
  area,
  label,
  nested,
  load: async () => () => <p>{`page ${label}`}</p>,
})
const overview = pageOf('proxmox', '/proxmox/overview', 'Overview')
const everything = [
  overview,
  pageOf('proxmox', '/proxmox/storage', 'Storage'),
  pageOf('docker', '/docker', 'Docker'),
  pageOf('alerts', '/alerts', 'Alerts', true),
  pageOf('settings', '/settings', 'Settings', true),
]

interface Given {
  path?: string
  table?: Page[]
  version?: Partial<VersionInfo> | Error
  connection?: Partial<Connection>
  guests?: Parameters<typeof aLive>[0]
  /** of the server */
  theme?: string | Error
  status?: SecurityStatus
}

async function show({
  path = '/',
  table = [overview],
  version = {},
  connection = {},
  guests = {},
  theme = '',
  status = signedIn,
}: Given = {}) {
  const calls: { path: string; body?: unknown }[] = []
  const live = aLive(guests, connection)
  const api = {
    credentials: createCredentials(),
    send: async () => new Response(),
    call: async ({ path }: { path: string }, input?: { body?: unknown }) => {
      calls.push({ path, ...(input?.body !== undefined && { body: input.body }) })
      if ([getSystemConfig, postSystemSettings, putPreferences].some((one) => one.path === path)) {
        if (theme instanceof Error) throw theme
        return { theme }
      }
      if (version instanceof Error) throw version
      return { ...build, ...version }
    },
  } as unknown as Api
  const router = createAppRouter(table, createMemoryHistory({ initialEntries: [path] }))
  await act(async () => {
    render(
      <ApiProvider api={api}>
        <LiveProvider live={live}>
          <SessionProvider session={toSession(status, async () => {})}>
            <Pages router={router} />
          </SessionProvider>
          <TooltipLayer />
        </LiveProvider>
      </ApiProvider>,
    )
    await router.load()
  })
  return { ...live, router, calls }
}

const tab = (name: string | RegExp) => screen.queryByRole('link', { name })
const footer = () => screen.getByRole('contentinfo').textContent

beforeEach(() => {
  localStorage.clear()
  document.documentElement.className = ''
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('[spec 1 §2] header', () => {
  test.each([
    { status: 'connected', text: 'Connected' },
    { status: 'reconnecting', text: 'Reconnecting...' },
    { status: 'disconnected', text: 'Disconnected' },
  ] as const)('$status reads $text', async ({ status, text }) => {
    await show({ connection: { status } })
    expect(screen.getByRole('status', { name: 'Connection' }).textContent).toBe(text)
  })

  test.each([
    { channel: 'rc', shown: true },
    { channel: 'stable', shown: false },
  ] as const)(
    'the channel $channel shows the release-candidate badge: $shown',
    async ({ channel, shown }) => {
      await show({ version: { channel } })
      expect(screen.getByRole('banner').textContent).toContain('Pulse')
      expect(screen.queryByText('RC') !== null).toBe(shown)
    },
  )

  test('the logo flashes when connected and fresh data has just arrived, and only then', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { connection } = await show({ connection: { status: 'reconnecting' } })
    const logo = screen.getByTestId('logo')
    let changes = 0
    const seen = new MutationObserver((list) => void (changes += list.length))
    seen.observe(logo, { subtree: true, childList: true, attributes: true })
    const isLit = () => 'flash' in logo.dataset
    act(() => connection.set({ freshAt: 1_000 }))
    act(() => connection.set({ status: 'connected' }))
    expect(isLit()).toBe(false)
    act(() => connection.set({ freshAt: 20_000 }))
    expect(isLit()).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(400))
    expect(isLit()).toBe(false)
    act(() => connection.set({ freshAt: 20_250 }))
    expect(isLit()).toBe(false)
    act(() => connection.set({ freshAt: 28_250 }))
    expect(isLit()).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(400))
    // each change of the document is a frame
    expect(changes).toBe(4)
    vi.useRealTimers()
  })
})

describe('[spec 1 §2] tabs', () => {
  test('only pages that exist are listed', async () => {
    await show({ guests: { guests: { 'c:1': aGuest() } } })
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Skip to content',
      'Proxmox',
      'Overview',
    ])
  })

  test('with data the tab leads to its page and marks the platform as seen', async () => {
    await show({ guests: { guests: { 'c:1': aGuest() } } })
    expect(tab('Proxmox')!.getAttribute('href')).toBe('/proxmox/overview')
    expect(tab(/Add host/)).toBeNull()
    expect(JSON.parse(localStorage.getItem('platformsSeen')!)).toEqual({ proxmox: true })
  })

  test('without data it offers Add host, leads to the settings and says why', async () => {
    await show({ table: everything })
    expect(tab('Docker')!.getAttribute('href')).toBe('/settings/docker')
    expect(tab('Add host: Docker')!.getAttribute('href')).toBe('/settings/docker')
    expect(tab('Docker')!.dataset.tip).toBe('Docker is not configured yet')
  })

  test('the current page and its area are marked', async () => {
    await show({ table: everything, path: '/proxmox/storage' })
    const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map((link) => link.textContent)).toEqual(['Proxmox', 'Storage'])
    expect(document.title).toBe('Storage · Pulse')
  })

  test('alert counts stand as red and amber badges, an update as a dot', async () => {
    const activeAlerts = {
      a: anAlert({ level: 'critical' }),
      b: anAlert({ level: 'warning' }),
      c: anAlert({ level: 'warning' }),
    }
    await show({ table: everything, guests: { activeAlerts }, version: { updateAvailable: true } })
    expect(screen.getByText('1 critical alerts')).toBeDefined()
    expect(screen.getByText('2 warning alerts')).toBeDefined()
    expect(screen.getByText('Update available')).toBeDefined()
  })

  test('the sub-navigation belongs to the Proxmox pages', async () => {
    await show({ table: everything, path: '/docker' })
    expect(screen.queryByRole('navigation', { name: 'Proxmox' })).toBeNull()
  })
})

describe('[spec 1 §2] routes', () => {
  test.each(['/', '/proxmox', '/settings', '/docker', '/alerts/x', '/nowhere'])(
    '%s shows the Overview while nothing else is built',
    async (path) => {
      const { router } = await show({ path })
      expect(screen.getByText('page Overview')).toBeDefined()
      expect(router.view().place.path).toBe('/proxmox/overview')
    },
  )

  test('a page that fails leaves the frame standing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken: Page = {
      ...overview,
      load: async () => () => {
        throw new Error('kaboom')
      },
    }
    await show({ table: [broken] })
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined()
    expect(screen.getByRole('banner')).toBeDefined()
  })
})

describe('[spec 1 §2] footer', () => {
  test.each([
    { version: {}, text: 'Pulse v5.1.0' },
    { version: { isDevelopment: true }, text: 'Pulse v5.1.0 (Development)' },
    { version: { isDocker: true }, text: 'Pulse v5.1.0 - Docker' },
    { version: { isDevelopment: true, isDocker: true }, text: 'Pulse v5.1.0 (Development) - Docker' },
  ])('$text', async ({ version, text }) => {
    await show({ version })
    expect(footer()).toBe(text)
  })

  const answered = new Date(2026, 0, 1, 15, 4, 5).getTime()
  const source = (name: string, lastSeen?: number) => ({
    name,
    kind: 'pve' as const,
    health: 'healthy' as const,
    ...(lastSeen !== undefined && { lastSeen }),
  })

  test('the last refresh is the newest answer of any source, in twelve hours and with seconds', async () => {
    const sources = { a: source('a', answered - 60_000), b: source('b', answered), c: source('c') }
    await show({ guests: { sources } })
    expect(footer()).toMatch(/Last refresh: 3:04:05\sPM$/)
  })

  test('is drawn with the figures it brought, which come a moment later; alone when none come', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const at = (seconds: number) => ({ a: source('a', answered + seconds * 1000) })
    const { put } = await show({ guests: { sources: at(0) } })
    act(() => put({ sources: at(10) }))
    expect(footer()).toMatch(/3:04:05\sPM$/)
    act(() => put({ guests: { 'c:100': aGuest() } }))
    expect(footer()).toMatch(/3:04:15\sPM$/)
    act(() => put({ sources: at(20) }))
    expect(footer()).toMatch(/3:04:15\sPM$/)
    await act(() => vi.advanceTimersByTimeAsync(lastAnswerDelayMs))
    expect(footer()).toMatch(/3:04:25\sPM$/)
    vi.useRealTimers()
  })

  test('[R21] frames from our own server alone are no refresh', async () => {
    const later = answered + 3_600_000
    const dead = { a: { ...source('a', answered), health: 'error' as const } }
    await show({
      guests: { sources: dead },
      connection: { lastUpdate: later, freshAt: later },
    })
    expect(footer()).toMatch(/Last refresh: 3:04:05\sPM$/)
    cleanup()
    await show({ connection: { lastUpdate: later, freshAt: later } })
    expect(footer()).toBe('Pulse v5.1.0')
  })

  test('[spec 1 §8] a version that cannot be loaded is only logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await show({ version: new Error('no') })
    expect(warn).toHaveBeenCalledTimes(1)
    expect(footer()).toBe('Pulse')
  })
})

describe('[spec 1 §4] theme', () => {
  test('the toggle flips the theme and stores it', async () => {
    await show()
    fireEvent.click(screen.getByRole('button', { name: 'Switch to dark mode' }))
    expect(localStorage.getItem('darkMode')).toBe('true')
    fireEvent.click(screen.getByRole('button', { name: 'Switch to light mode' }))
    expect(localStorage.getItem('darkMode')).toBe('false')
  })

  test.each([
    { who: 'an administrator', status: signedIn, where: postSystemSettings.path },
    { who: 'a viewer', status: viewing, where: putPreferences.path },
    { who: 'anybody while authentication is off', status: open, where: postSystemSettings.path },
  ])('the choice of $who goes to $where', async ({ status, where }) => {
    const { calls } = await show({ status })
    await act(async () => screen.getByRole('button', { name: 'Switch to dark mode' }).click())
    expect(localStorage.getItem('darkMode')).toBe('true')
    expect(calls.filter(({ body }) => body)).toEqual([{ path: where, body: { theme: 'dark' } }])
  })

  test('in a demonstration the choice stays in the browser', async () => {
    const { calls } = await show({ status: { ...viewing, demo: true } })
    await act(async () => screen.getByRole('button', { name: 'Switch to dark mode' }).click())
    expect([localStorage.getItem('darkMode'), calls.filter(({ body }) => body)]).toEqual(['true', []])
  })

  const isDark = () => screen.queryByRole('button', { name: 'Switch to light mode' }) !== null

  test.each([
    { own: null, server: 'dark', dark: true },
    { own: null, server: 'light', dark: false },
    { own: null, server: '', dark: false },
    { own: 'false', server: 'dark', dark: false },
    { own: 'true', server: 'light', dark: true },
  ])('own $own, of the server $server: dark is $dark', async ({ own, server, dark }) => {
    if (own) localStorage.setItem('darkMode', own)
    const { calls } = await show({ theme: server })
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([dark, own])
    expect(calls.some(({ path }) => path === getSystemConfig.path)).toBe(own === null)
  })

  test('a browser that never chose follows the server, also when that changed while it was closed', async () => {
    await show({ theme: 'dark' })
    expect(isDark()).toBe(true)
    cleanup()
    await show({ theme: 'light' })
    expect(isDark()).toBe(false)
    cleanup()
    await show({ theme: 'dark' })
    cleanup()
    await show({ theme: '' })
    expect(isDark()).toBe(false)
  })

  test('[spec 1 §8] what cannot be loaded or saved is only logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await show({ theme: new Error('no') })
    await act(async () => screen.getByRole('button', { name: 'Switch to dark mode' }).click())
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('The theme could not be loaded'),
      expect.stringContaining('The theme could not be saved'),
    ])
    expect(localStorage.getItem('darkMode')).toBe('true')
  })

  test('a theme set in another browser applies here, and the browser goes on following', async () => {
    const { events } = await show()
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: 'dark' } }))
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([true, null])
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: '' } }))
    expect(isDark()).toBe(false)
  })

  test('it applies to a browser with a choice of its own too; one that says nothing does not', async () => {
    localStorage.setItem('darkMode', 'false')
    const { events } = await show()
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: 'dark' } }))
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([true, 'true'])
    act(() => events.emit({ type: 'settingsUpdate', data: { theme: '' } }))
    expect([isDark(), localStorage.getItem('darkMode')]).toEqual([true, 'true'])
  })
})

test.each([
  { data: { type: 'pve', host: 'https://pve9:8006', name: 'pve9' }, host: 'pve9' },
  { data: { type: 'pbs', host: 'https://pbs:8007' }, host: 'https://pbs:8007' },
])('[spec 1 §8] an auto-registered node is announced for 8 s: $host', async ({ data, host }) => {
  const { events } = await show()
  act(() => events.emit({ type: 'node_auto_registered', data }))
  const drawn: unknown[] = []
  toastQueue.connect((message) => drawn.push(message))()
  const text = `node "${host}" was successfully auto-registered and is now being monitored!`
  expect(drawn).toEqual([{ kind: 'success', text, durationMs: 8_000 }])
})

test('what the server says about itself is shown on every page', async () => {
  const message = 'The database pulse.db was damaged and is kept as pulse.db.damaged-1.'
  await show({ guests: { meta: { meta: aMeta({ notices: [{ id: '1', level: 'warning', message }] }) } } })
  expect(screen.getByRole('list', { name: 'Notices' }).textContent).toBe(message)
})

describe('a change of the page', () => {
  const go = (router: Awaited<ReturnType<typeof show>>['router'], to: string) =>
    act(async () => {
      await router.go(to)
    })
  const said = () => screen.getByRole('status', { name: 'Page' }).textContent

  test('moves the focus to the content and is announced; the first page does neither', async () => {
    const { router } = await show({ table: everything })
    expect(document.activeElement).toBe(document.body)
    expect(said()).toBe('')
    await go(router, '/proxmox/storage')
    expect(document.activeElement).toBe(screen.getByRole('main'))
    expect(said()).toBe('Storage')
  })

  test('is announced by the heading the page shows, where it has one', async () => {
    const titled = { ...pageOf('docker', '/docker', 'Docker'), load: async () => () => <h1>Docker hosts</h1> }
    const { router } = await show({ table: [overview, titled] })
    await go(router, '/docker')
    expect(said()).toBe('Docker hosts')
  })

  test('another search of the same page is none', async () => {
    const { router } = await show({ table: everything })
    await act(async () => void (await router.go('/proxmox/overview?a=1')))
    expect(document.activeElement).toBe(document.body)
  })
})
