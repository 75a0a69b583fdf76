// @vitest-environment happy-dom
import { aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApi } from '../api/client.ts'
import { createCredentials } from '../api/credentials.ts'
import { createRequester } from '../api/request.ts'
import { createSignal } from '../api/signal.ts'
import { aLive } from '../live/fake-live.ts'
import { App } from './app.tsx'
import { createAppRouter } from './router.tsx'
import type { Page } from './routes.ts'
import { browserStartupSteps } from './startup-steps.ts'
import { createMemoryHistory } from '../ui/router/fake-history.ts'
import { within } from '../../../../scripts/test-limits.ts'

const pages: Page[] = [
  {
    path: '/proxmox/overview',
    area: 'proxmox',
    label: 'Overview',
    load: async () => () => <p>page</p>,
  },
  { path: '/docker', area: 'docker', label: 'Docker', load: async () => () => <p>docker page</p> },
]

const stranger = aSecurityStatus()
const ann = { name: 'ann', role: 'admin', method: 'session' } as const

type Answer = Response | Error | Promise<Response>
const json = (body: unknown, status = 200) => Response.json(body, { status })
const offline = new TypeError('Failed to fetch')

/** The page as the browser starts it, and a server that answers by method and path. */
function given(answers: Record<string, () => Answer> = {}, path = '/') {
  const calls: string[] = []
  const live = { ...aLive(), start: () => void calls.push('start'), stop: () => void calls.push('stop') }
  const server: Record<string, () => Answer> = {
    'GET /api/security/status': () => json({ ...stranger, user: ann }),
    'GET /api/state': () => json({}),
    'GET /api/version': () => json({}),
    ...answers,
  }
  const credentials = createCredentials()
  const unauthorized = createSignal()
  const requester = createRequester({
    async fetch(url, { method = 'GET' }) {
      calls.push(`${method} ${url}`)
      const answer = await server[`${method} ${url}`]?.()
      if (answer instanceof Response) return answer
      throw answer ?? new Error(`${method} ${url} is not answered`)
    },
    cookies: () => '',
    wait: async () => {},
    warn: () => {},
    onUnauthorized: unauthorized.emit,
    credentials,
  })
  const api = createApi(requester, credentials, unauthorized)
  const router = createAppRouter(pages, createMemoryHistory({ initialEntries: [path] }))
  const turnAway = async () => {
    const { turnedAway } = live.connection.get()
    await act(async () => live.connection.set({ status: 'reconnecting', turnedAway: turnedAway + 1 }))
  }
  const asked = (call: string) => calls.filter((one) => one === call).length
  const props = { api, live, router, startupSteps: browserStartupSteps(api) }
  return { calls, asked, server, turnAway, api, live, router, props }
}

const start = (props: ReturnType<typeof given>['props']) => act(async () => render(<App {...props} />))
const loginForm = () => screen.findByRole('heading', { name: 'Sign in' })
const statusCall = 'GET /api/security/status'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  vi.stubGlobal('scrollTo', () => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('[spec 1 §2] a loading screen while the check runs; no live connection yet', async () => {
  const { props, calls } = given({ [statusCall]: () => new Promise(() => {}) })
  render(<App {...props} />)
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  expect(calls).toEqual([statusCall])
})

test('once in, the live connection starts; leaving stops it', async () => {
  const { props, calls } = given()
  const view = await start(props)
  await screen.findByText('page')
  expect(calls).toContain('start')
  view.unmount()
  expect(calls.at(-1)).toBe('stop')
})

test('[spec 1 §4] who is not let in signs in, and no live connection is tried', async () => {
  const { props, calls } = given({
    [statusCall]: () => json(stranger),
    'GET /api/state': () => json({}, 401),
  })
  await start(props)
  await loginForm()
  expect(document.title).toBe('Sign in · Pulse')
  expect(calls).toEqual([statusCall, 'GET /api/state'])
})

test('[spec 1 §4] nothing set up: the first-run setup', async () => {
  const { props, calls } = given({
    [statusCall]: () => json({ ...stranger, hasAuthentication: false, requiresAuth: false }),
  })
  await start(props)
  await screen.findByRole('heading', { name: 'Set up Pulse' })
  // the credentials are shown once: coming back from a password manager must not take them away
  const before = calls.length
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
  expect(calls).toHaveLength(before)
})

test('after signing in the page that was asked for opens, without a reload', async () => {
  const { props, server, calls } = given(
    {
      [statusCall]: () => json(stranger),
      'GET /api/state': () => json({}, 401),
      'POST /api/login': () => json({ success: true }),
    },
    '/docker',
  )
  await start(props)
  await loginForm()
  fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'ann' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } })
  server[statusCall] = () => json({ ...stranger, user: ann })
  server['GET /api/state'] = () => json({})
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByText('docker page')
  expect(calls).toContain('start')
})

describe('a session that ends', () => {
  test('the socket is turned away and nobody is signed in: the login screen, at the same address', async () => {
    const { props, server, turnAway, calls, router } = given({}, '/docker')
    await start(props)
    await screen.findByText('docker page')
    server[statusCall] = () => json(stranger)
    await turnAway()
    await loginForm()
    expect(screen.getByText('Your session has ended. Sign in again to go on.')).toBeDefined()
    expect(router.view().place.path).toBe('/docker')
    expect(calls.at(-1)).toBe('stop')
  })

  test('a user who is still known stays: the connection goes on by itself', async () => {
    const { props, turnAway, calls } = given()
    await start(props)
    await screen.findByText('page')
    await turnAway()
    expect(screen.getByText('page')).toBeDefined()
    expect(calls).not.toContain('stop')
  })

  test('a server that is away ends nothing; every failed attempt asks once', async () => {
    const { props, server, turnAway, asked } = given()
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => offline
    const before = asked(statusCall)
    await turnAway()
    await turnAway()
    expect(asked(statusCall)).toBe(before + 2)
    expect(screen.getByText('page')).toBeDefined()
  })

  test('while one question is open no other is asked', async () => {
    const { props, server, turnAway, asked } = given()
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => new Promise(() => {})
    const before = asked(statusCall)
    await turnAway()
    await turnAway()
    expect(asked(statusCall)).toBe(before + 1)
  })

  test('[spec 2 §4] new credentials: the question waits for the answer that brings the new session', async () => {
    let bring = () => {}
    const rotation = new Promise<Response>((resolve) => (bring = () => resolve(json({ success: true }))))
    const { props, server, api, turnAway, asked } = given({ 'POST /api/x': () => rotation })
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => json(stranger)
    const before = asked(statusCall)
    const sent = api.send('/api/x', { method: 'POST' })
    await turnAway()
    expect(asked(statusCall)).toBe(before)
    server[statusCall] = () => json({ ...stranger, user: ann })
    await act(async () => {
      bring()
      await sent
    })
    await vi.waitFor(() => expect(asked(statusCall)).toBe(before + 1), within(30_000))
    expect(screen.getByText('page')).toBeDefined()
  })

  test('signed in again in another tab: coming back to this one lets it in', async () => {
    const { props, server, turnAway } = given()
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => json(stranger)
    await turnAway()
    await loginForm()
    server[statusCall] = () => offline
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
    await loginForm()
    server[statusCall] = () => json({ ...stranger, user: ann })
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
    await screen.findByText('page')
  })

  test('a change refused with 401 asks as well', async () => {
    const { props, server, api } = given({ 'POST /api/x': () => json({}, 401) })
    await start(props)
    await screen.findByText('page')
    server[statusCall] = () => json(stranger)
    await act(() => api.send('/api/x', { method: 'POST' }))
    await loginForm()
  })
})

test('[spec 1 §4] in without a status: it is asked for once the connection stands', async () => {
  const { props, server, live, asked } = given({ [statusCall]: () => offline })
  live.connection.set({ status: 'connecting' })
  await start(props)
  await screen.findByText('page')
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull()
  const before = asked(statusCall)
  await act(async () => live.connection.set({ status: 'connected' }))
  await act(async () => live.connection.set({ lastUpdate: 1 }))
  expect(asked(statusCall)).toBe(before + 1)
  server[statusCall] = () => json({ ...stranger, user: ann })
  await act(async () => live.connection.set({ status: 'reconnecting' }))
  await act(async () => live.connection.set({ status: 'connected' }))
  await screen.findByRole('button', { name: 'Logout' })
})

describe('[spec 1 §2] back from single sign-on', () => {
  test('the parameters leave the address, the rest of it stays', async () => {
    history.replaceState(null, '', '/docker?a=1&oidc=error&oidc_error=group_restricted#x')
    const { props } = given({ [statusCall]: () => json(stranger), 'GET /api/state': () => json({}, 401) })
    await start(props)
    await loginForm()
    expect(screen.getByRole('alert').textContent).toBe('Your account is not in an authorized group.')
    expect(window.location.href).toMatch(/\/docker\?a=1#x$/)
  })

  test('success says so while the page loads', async () => {
    history.replaceState(null, '', '/?oidc=success')
    const { props } = given({ [statusCall]: () => new Promise(() => {}) })
    await start(props)
    expect(screen.getByRole('status').textContent).toBe('Signed in successfully. Loading Pulse…')
    expect(window.location.search).toBe('')
  })

  test('success without a session says what is wrong', async () => {
    history.replaceState(null, '', '/?oidc=success')
    const { props } = given({ [statusCall]: () => json(stranger), 'GET /api/state': () => json({}, 401) })
    await start(props)
    expect((await screen.findByRole('alert')).textContent).toContain('did not keep the session')
  })
})

test.each([
  { stored: 'true', dark: true },
  { stored: 'false', dark: false },
  { stored: null, dark: true },
  { stored: 'nonsense', dark: true },
])('[spec 1 §4] darkMode $stored on a dark system: $dark', async ({ stored, dark }) => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  if (stored) localStorage.setItem('darkMode', stored)
  const { props } = given()
  await start(props)
  expect(document.documentElement.classList.contains('dark')).toBe(dark)
})

test('[spec 1 §2] when the frame itself fails, Error Loading App shows the error text', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { props } = given()
  const broken = {
    ...props.live,
    start: () => {
      throw new Error('no live state')
    },
  }
  await act(async () => render(<App {...props} live={broken} />))
  expect(screen.getByRole('heading', { name: 'Error Loading App' })).toBeDefined()
  expect(screen.getByText('no live state')).toBeDefined()
})
