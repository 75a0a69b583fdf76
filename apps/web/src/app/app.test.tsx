// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { App } from './app.tsx'
import {
  ann,
  givenApp,
  inFreshBrowsers,
  json,
  loginForm,
  offline,
  start,
  statusCall,
  stranger,
} from './fake-entry.tsx'

inFreshBrowsers()

test('[spec 1 §2] a loading screen while the check runs; no live connection yet', async () => {
  const { props, calls } = givenApp({ [statusCall]: () => new Promise(() => {}) })
  render(<App {...props} />)
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  expect(calls).toEqual([statusCall])
})

test('once in, the live connection starts; leaving stops it', async () => {
  const { props, calls } = givenApp()
  const view = await start(props)
  await screen.findByText('page')
  expect(calls).toContain('start')
  view.unmount()
  expect(calls.at(-1)).toBe('stop')
})

test('[spec 1 §4] without access the login appears, and no live connection is opened', async () => {
  const { props, calls } = givenApp({
    [statusCall]: () => json(stranger),
    'GET /api/state': () => json({}, 401),
  })
  await start(props)
  await loginForm()
  expect(document.title).toBe('Sign in · Pulse')
  expect(calls).toEqual([statusCall, 'GET /api/state'])
})

test('[spec 1 §4] nothing set up: the first-run setup', async () => {
  const { props, calls } = givenApp({
    [statusCall]: () => json({ ...stranger, hasAuthentication: false, requiresAuth: false }),
  })
  await start(props)
  await screen.findByRole('heading', { name: 'Set up Pulse' })
  // the credentials are shown once, so returning from a password manager must not hide them
  const before = calls.length
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
  expect(calls).toHaveLength(before)
})

test('after signing in the page that was asked for opens, without a reload', async () => {
  const { props, server, calls } = givenApp(
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

test('[spec 1 §4] access without a status: it is requested once the connection is open', async () => {
  const { props, server, live, asked } = givenApp({ [statusCall]: () => offline })
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
  test('the parameters are removed from the address, the rest stays', async () => {
    history.replaceState(null, '', '/docker?a=1&oidc=error&oidc_error=group_restricted#x')
    const { props } = givenApp({ [statusCall]: () => json(stranger), 'GET /api/state': () => json({}, 401) })
    await start(props)
    await loginForm()
    expect(screen.getByRole('alert').textContent).toBe('Your account is not in an authorized group.')
    expect(window.location.href).toMatch(/\/docker\?a=1#x$/)
  })

  test('a success is shown while the page loads', async () => {
    history.replaceState(null, '', '/?oidc=success')
    const { props } = givenApp({ [statusCall]: () => new Promise(() => {}) })
    await start(props)
    expect(screen.getByRole('status').textContent).toBe('Signed in successfully. Loading Pulse…')
    expect(window.location.search).toBe('')
  })

  test('a success without a session shows the error', async () => {
    history.replaceState(null, '', '/?oidc=success')
    const { props } = givenApp({ [statusCall]: () => json(stranger), 'GET /api/state': () => json({}, 401) })
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
  const { props } = givenApp()
  await start(props)
  expect(document.documentElement.classList.contains('dark')).toBe(dark)
})

test('[spec 1 §2] when the frame itself fails, Error Loading App shows the error text', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { props } = givenApp()
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
