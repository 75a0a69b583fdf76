import { type AlertConfig, alertDefaults, type AlertConfigInput } from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { notifyManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { ApiProvider } from '../../api/api.tsx'
import { createApi } from '../../api/client.ts'
import { createCredentials } from '../../api/credentials.ts'
import { QueryRoot } from '../../api/query-root.tsx'
import { createRequester } from '../../api/request.ts'
import { SessionProvider, toSession } from '../../api/session.tsx'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { EditStoresProvider } from '../../parts/sections/edit-stores.tsx'
import { createMemoryHistory } from '../../ui/router/fake-history.ts'
import { Outlet } from '../../ui/router/outlet.tsx'
import { createRouter } from '../../ui/router/router.ts'
import { RouterContext } from '../../ui/router/use-router.ts'
import { toastQueue } from '../../ui/toast.ts'
import { AlertsPage } from './page.tsx'
import type { Section } from './sections.ts'

/** Factory defaults, but active. */
export const anAlertConfig = (change: Partial<AlertConfig> = {}): AlertConfig => ({
  ...alertDefaults,
  activationState: 'active',
  ...change,
})

export const configCall = 'GET /api/alerts/config'
export const saveCall = 'PUT /api/alerts/config'

interface Call {
  call: string
  search: string
  body: unknown
}

interface Given {
  live?: ReturnType<typeof aLive>
  config?: AlertConfig
  role?: 'admin' | 'viewer'
  /** By method and path. Calls not listed get a 404; a number is a bare status; a Response is sent as is. */
  replies?: Record<string, unknown>
  sections?: readonly Section[]
}

notifyManager.setScheduler(queueMicrotask)

/** Renders the alerts pages at an address. The fake server stores the configuration it receives. */
export async function showAlerts(path: string, given: Given = {}) {
  const { live = aLive(), role = 'admin', replies = {}, sections } = given
  const calls: Call[] = []
  let stored = given.config ?? anAlertConfig()
  let underWay = 0
  const answers: Record<string, unknown> = {
    'GET /api/version': { version: '5.1.0', channel: 'stable' },
    'GET /api/config/system': {},
    [configCall]: () => stored,
    [saveCall]: (sent: AlertConfigInput) => {
      stored = { ...stored, ...(sent as AlertConfig) }
      return { success: true, message: '' }
    },
    'GET /api/alerts/history': [],
    ...replies,
  }
  const credentials = createCredentials()
  const requester = createRequester({
    credentials,
    cookies: () => 'pulse_csrf=c5rf',
    wait: async () => {},
    warn: () => {},
    onUnauthorized: () => {},
    async fetch(address, init) {
      const { pathname, search } = new URL(address, 'http://pulse.test')
      const call = `${init.method ?? 'GET'} ${pathname}`
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
      calls.push({ call, search, body })
      underWay += 1
      try {
        const answer = answers[call] ?? 404
        const reply: unknown = await (typeof answer === 'function'
          ? (answer as (sent: unknown) => unknown)(body)
          : answer)
        if (reply instanceof Response) return reply
        return typeof reply === 'number'
          ? new Response('', { status: reply })
          : new Response(JSON.stringify(reply), { status: 200 })
      } finally {
        underWay -= 1
      }
    },
  })
  const page = {
    path: '/alerts',
    load: async () => () => <AlertsPage {...(sections && { table: sections })} />,
  }
  const home = { path: '/proxmox/overview', load: async () => () => <h1>home</h1> }
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = createRouter({
    history,
    pageAt: (at) => (at.startsWith(page.path) ? page : home),
    resolve: (at) => at.replace(/(?<=.)\/$/, ''),
    isServerUp: async () => true,
  })
  router.start()
  const status = aSecurityStatus({ user: { name: 'ann', role, method: 'session' } })
  const view = await act(async () =>
    render(
      <ApiProvider api={createApi(requester, credentials)}>
        <SessionProvider session={toSession(status, async () => {})}>
          <LiveProvider live={live}>
            <QueryRoot>
              <EditStoresProvider>
                <RouterContext value={router}>
                  <main id="content">
                    <Outlet fallback={null} />
                  </main>
                </RouterContext>
              </EditStoresProvider>
            </QueryRoot>
          </LiveProvider>
        </SessionProvider>
      </ApiProvider>,
    ),
  )
  /** Waits until every call has been answered and rendered. */
  const settled = async () => {
    await waitFor(() => {
      if (underWay > 0) throw new Error('calls are under way')
    })
    await act(async () => {})
  }
  await waitFor(() => screen.getByRole('heading', { level: 1 }))
  await settled()
  // sections are lazy-loaded chunks
  await waitFor(() => {
    if (document.querySelector('#content .skeleton')) throw new Error('the section is loading')
  })
  return {
    ...view,
    live,
    router,
    /** path and query string */
    address: () => history.location().path + history.location().search,
    /** the browser's Back button */
    back: () => act(async () => history.go(-1)),
    calls,
    answers,
    settled,
    stored: () => stored,
    asked: (call: string) => calls.filter((one) => one.call === call),
  }
}

export async function click(name: string | RegExp, role = 'button') {
  await act(async () => void fireEvent.click(screen.getByRole(role, { name })))
  await act(async () => {})
}

/** Gives every test in the file an unused browser, and cleans up afterwards. */
export function freshBrowser() {
  beforeEach(() => {
    localStorage.clear()
    toasts()
    vi.stubGlobal('scrollTo', () => {})
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
}

/** Toasts shown since the last call. */
export function toasts(): string[] {
  const shown: string[] = []
  toastQueue.connect(({ kind, text }) => shown.push(`${kind}: ${text}`))()
  return shown
}

export const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
export const inTable = (name: string) => within(screen.getByRole('region', { name }))
