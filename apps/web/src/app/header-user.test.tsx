// @vitest-environment happy-dom
import type { SecurityStatus } from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiProvider } from '../api/api.tsx'
import { createApi } from '../api/client.ts'
import { createCredentials } from '../api/credentials.ts'
import { createRequester } from '../api/request.ts'
import { SessionProvider, toSession } from '../api/session.tsx'
import { HeaderUser } from './header-user.tsx'

const status = aSecurityStatus({ user: { name: 'ann', role: 'admin', method: 'session' } })

async function show(change: Partial<SecurityStatus> = {}, answer: () => Response = () => Response.json({})) {
  const steps: string[] = []
  const credentials = createCredentials()
  credentials.set({ kind: 'token', token: 't' })
  const requester = createRequester({
    async fetch(url, { method = 'GET' }) {
      steps.push(`${method} ${url}`)
      return answer()
    },
    cookies: () => '',
    wait: async () => {},
    warn: () => {},
    onUnauthorized: () => {},
    credentials,
  })
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void steps.push(`go ${String(url)}`))
  await act(async () =>
    render(
      <ApiProvider api={createApi(requester, credentials)}>
        <SessionProvider session={toSession({ ...status, ...change }, async () => {})}>
          <HeaderUser />
        </SessionProvider>
      </ApiProvider>,
    ),
  )
  return { steps, credentials }
}

const logout = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Logout' })))

let warned: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('in demo mode the header says so and offers no logout', async () => {
  await show({ demo: true, user: { name: 'demo', role: 'viewer', method: 'none' } })
  expect(screen.getByText(/^Demo/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull()
})

describe('[spec 1 §2] the header', () => {
  test.each([
    { who: 'a local user', change: {}, name: 'ann' },
    { who: 'a proxy user', change: { hasProxyAuth: true, proxyAuthUsername: 'pat' }, name: 'pat' },
    { who: 'a single sign-on user', change: { oidcUsername: 'sam' }, name: 'sam' },
  ])('names $who', async ({ change, name }) => {
    await show(change)
    expect(screen.getByText(name)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Logout' })).toBeDefined()
  })

  test('labels viewers only', async () => {
    await show({ user: { name: 'vic', role: 'viewer', method: 'session' } })
    expect(screen.getByText('Viewer')).toBeDefined()
    cleanup()
    await show()
    expect(screen.queryByText('Viewer')).toBeNull()
  })

  test.each([
    { when: 'while authentication is off', change: { disabled: true } },
    { when: 'while no user is known', change: { user: undefined } as unknown as Partial<SecurityStatus> },
  ])('shows nothing $when', async ({ change }) => {
    await show(change)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('[spec 1 §4] Logout', () => {
  test('ends the session, clears the storage except the theme, and opens /', async () => {
    localStorage.setItem('darkMode', 'true')
    localStorage.setItem('dashboardShowFilters', 'true')
    sessionStorage.setItem('x', 'y')
    const { steps, credentials } = await show()
    await logout()
    expect(steps).toEqual(['POST /api/logout', 'go /'])
    expect({ ...localStorage }).toEqual({ darkMode: 'true', just_logged_out: 'true' })
    expect(sessionStorage).toHaveLength(0)
    expect(credentials.get()).toBeUndefined()
  })

  test('without a chosen theme none is stored', async () => {
    await show()
    await logout()
    expect(localStorage.getItem('darkMode')).toBeNull()
  })

  test('that fails at the server is logged, and the rest is done', async () => {
    const { steps } = await show({}, () => Response.json({ error: 'no' }, { status: 500 }))
    await logout()
    expect(warned).toHaveBeenCalledOnce()
    expect(steps).toEqual(['POST /api/logout', 'go /'])
    expect(localStorage.getItem('just_logged_out')).toBe('true')
  })

  test('of a proxy user opens the logout address of the proxy only', async () => {
    const { steps } = await show({
      hasProxyAuth: true,
      proxyAuthUsername: 'pat',
      proxyAuthLogoutURL: 'https://proxy.example/out',
    })
    await logout()
    expect(steps).toEqual(['go https://proxy.example/out'])
    expect(localStorage.getItem('just_logged_out')).toBeNull()
  })

  test("of a single sign-on user ends the own session first, then opens the provider's address", async () => {
    const { steps } = await show({ oidcUsername: 'sam', oidcLogoutURL: 'https://idp.example/out' })
    await logout()
    expect(steps).toEqual(['POST /api/logout', 'go https://idp.example/out'])
    expect(localStorage.getItem('just_logged_out')).toBeNull()
  })

  test.each([
    { who: 'a proxy user', change: { hasProxyAuth: true, proxyAuthUsername: 'pat' } },
    { who: 'a single sign-on user', change: { oidcUsername: 'sam' } },
  ])('of $who without a logout address is like any other', async ({ change }) => {
    const { steps } = await show(change)
    await logout()
    expect(steps).toEqual(['POST /api/logout', 'go /'])
  })
})
