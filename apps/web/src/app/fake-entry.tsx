import { aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { createApi } from '../api/client.ts'
import { createSignal } from '../lib/signal.ts'
import { createCredentials } from '../api/credentials.ts'
import { createRequester } from '../api/request.ts'
import { aLive } from '../live/fake-live.ts'
import { createMemoryHistory } from '../ui/router/fake-history.ts'
import { App } from './app.tsx'
import { createAppRouter } from './router.tsx'
import type { Page } from './routes.ts'
import { browserStartupSteps } from './startup.ts'

const pages: Page[] = [
  {
    path: '/proxmox/overview',
    area: 'proxmox',
    label: 'Overview',
    load: async () => () => <p>page</p>,
  },
  { path: '/docker', area: 'docker', label: 'Docker', load: async () => () => <p>docker page</p> },
]

export const stranger = aSecurityStatus()
export const ann = { name: 'ann', role: 'admin', method: 'session' } as const

type Answer = Response | Error | Promise<Response>
export const json = (body: unknown, status = 200) => Response.json(body, { status })
export const offline = new TypeError('Failed to fetch')

/** The app as the browser starts it, with a server that answers by method and path. */
export function givenApp(answers: Record<string, () => Answer> = {}, path = '/') {
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
    const { refusals } = live.connection.get()
    await act(async () => live.connection.set({ status: 'reconnecting', refusals: refusals + 1 }))
  }
  const asked = (call: string) => calls.filter((one) => one === call).length
  const props = { api, live, router, startupSteps: browserStartupSteps(api) }
  return { calls, asked, server, turnAway, api, live, router, props }
}

export const start = (props: ReturnType<typeof givenApp>['props']) =>
  act(async () => render(<App {...props} />))
export const loginForm = () => screen.findByRole('heading', { name: 'Sign in' })
export const statusCall = 'GET /api/security/status'

/** Clears browser storage before each test. */
export function inFreshBrowsers() {
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
}
