import {
  allScopes,
  type ApiToken,
  type AuditRecord,
  type OidcConfig,
  oidcDefaults,
  type SecurityStatus,
  type User,
} from '@pulse/contract'
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { ApiProvider } from '../../api/api.tsx'
import { createApi } from '../../api/client.ts'
import { createCredentials } from '../../api/credentials.ts'
import { createRequester } from '../../api/request.ts'
import { QueryRoot } from '../../api/query-root.tsx'
import { EditStoresProvider } from '../../parts/sections/edit-stores.tsx'
import { SessionProvider, toSession } from '../../api/session.tsx'
import { aLive } from '../../live/fake-live.ts'
import { type Live, LiveProvider } from '../../live/live.tsx'

export const aStatus = (over: Partial<SecurityStatus> = {}): SecurityStatus => ({
  hasAuthentication: true,
  requiresAuth: true,
  configuredButPendingRestart: false,
  oidcEnabled: false,
  hasProxyAuth: false,
  hasHTTPS: true,
  publicAccess: false,
  isPrivateNetwork: true,
  isTrustedNetwork: true,
  user: { name: 'admin', role: 'admin', method: 'session' },
  clientIP: '192.0.2.5',
  authUsername: 'admin',
  apiTokenConfigured: true,
  apiTokenHint: 'ab12cd…ef34',
  exportProtected: true,
  unprotectedExportAllowed: false,
  hasAuditLogging: true,
  credentialsEncrypted: true,
  deploymentType: 'docker',
  ...over,
})

export const viewer = { name: 'zoe', role: 'viewer', method: 'session' } as const

export const aToken = (over: Partial<ApiToken> = {}): ApiToken => ({
  id: 't1',
  name: 'grafana',
  prefix: 'ab12cd',
  suffix: 'ef34',
  scopes: [...allScopes],
  createdAt: '2026-01-01T10:00:00Z',
  source: 'user',
  ...over,
})

export const aUser = (over: Partial<User> = {}): User => ({
  id: 'u1',
  name: 'zoe',
  role: 'viewer',
  source: 'local',
  createdAt: '2026-01-01T10:00:00Z',
  ...over,
})

export const anOidcConfig = (over: Partial<OidcConfig> = {}): OidcConfig => ({
  enabled: false,
  issuerUrl: '',
  clientId: '',
  redirectUrl: '',
  logoutUrl: '',
  scopes: [...oidcDefaults.scopes],
  usernameClaim: oidcDefaults.usernameClaim,
  emailClaim: oidcDefaults.emailClaim,
  groupsClaim: '',
  allowedGroups: [],
  allowedDomains: [],
  allowedEmails: [],
  adminGroups: [],
  everyoneIsAdmin: false,
  clientSecretSet: false,
  defaultRedirect: 'https://pulse.example.org/api/oidc/callback',
  ...over,
})

export const anAuditRecord = (over: Partial<AuditRecord> = {}): AuditRecord => ({
  id: 'a1',
  time: '2026-01-01T10:00:00Z',
  event: 'login',
  success: true,
  actor: 'admin',
  method: 'session',
  ...over,
})

/** A response other than 200 with JSON. */
export class Answer {
  readonly status: number
  readonly text: string
  constructor(status: number, body: unknown = '') {
    this.status = status
    this.text = typeof body === 'string' ? body : JSON.stringify(body)
  }
}

interface Call {
  call: string
  search: string
  body: unknown
  headers: Record<string, string>
}

interface Given {
  /** stay in the state before the first response */
  pending?: boolean
  status?: SecurityStatus
  /** by method and path, or a promise of them; calls not listed get a 404 */
  replies?: Record<string, unknown>
  /** no call is answered */
  away?: boolean
  /** empty by default */
  live?: Live
}

notifyManager.setScheduler(queueMicrotask)
let queries: QueryClient

/** Waits until every pending call has been answered and rendered. */
export async function settled() {
  const isIdle = () => queries.isFetching() + queries.isMutating() === 0
  await waitFor(() => {
    if (!isIdle()) throw new Error('calls are under way')
  })
  await act(async () => {})
}

/** As when the user returns to the page later. */
export async function loadAgain() {
  await act(() => queries.invalidateQueries())
  await settled()
}

/** Renders with a session, the page's real API client, and a fake server. */
export async function renderSettings(children: ReactNode, given: Given = {}) {
  const { pending = false, status = aStatus(), replies = {}, away = false, live = aLive() } = given
  const calls: Call[] = []
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
      calls.push({ call, search, body, headers: init.headers as Record<string, string> })
      if (away) throw new TypeError('Failed to fetch')
      const { status: code, text } = answerOf(
        Object.hasOwn(replies, call) ? await replies[call] : new Answer(404),
      )
      return new Response(code === 204 ? null : text, { status: code })
    },
  })
  let refreshed = 0
  const session = toSession(status, async () => void refreshed++)
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const view = await act(async () =>
    render(
      <ApiProvider api={createApi(requester, credentials)}>
        <SessionProvider session={session}>
          <EditStoresProvider>
            <QueryRoot>
              <QueryClientProvider client={queries}>
                <LiveProvider live={live}>{children}</LiveProvider>
              </QueryClientProvider>
            </QueryRoot>
          </EditStoresProvider>
        </SessionProvider>
      </ApiProvider>,
    ),
  )
  if (!pending) await settled()
  return { ...view, calls, replies, refreshed: () => refreshed }
}

const answerOf = (reply: unknown) => (reply instanceof Answer ? reply : new Answer(200, reply))
