import {
  getHealth,
  getUpdateCheck,
  getUpdatePlan,
  type Health,
  type SecurityStatus,
  type UpdateInfo,
  type UpdatePlan,
  type VersionInfo,
} from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { ApiProvider } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { SessionProvider, toSession } from '../../api/session.tsx'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { aBuild } from '../../parts/updates/fake-build.ts'
import { resetUpdateFlow } from '../../parts/updates/update-flow.ts'
import { aRouter } from '../../ui/router/fake-history.ts'
import { RouterContext } from '../../ui/router/use-router.ts'
import { Banners } from './banners.tsx'

export const anUpdate = (over: Partial<UpdateInfo> = {}): UpdateInfo => ({
  available: true,
  currentVersion: '5.1.0',
  latestVersion: '5.2.0',
  releaseNotes: '## New\n- faster lists',
  releaseDate: '2026-11-20T10:00:00Z',
  downloadUrl: 'https://releases.example/pulse-v5.2.0-linux-amd64.tar.gz',
  isPrerelease: false,
  channel: 'stable',
  ...over,
})

export const aPlan = (over: Partial<UpdatePlan> = {}): UpdatePlan => ({
  canAutoUpdate: true,
  requiresRoot: true,
  rollbackSupport: true,
  estimatedTime: '2-5 minutes',
  prerequisites: ['Root access', 'Internet connection'],
  ...over,
})

/** All checks of the score pass. */
export const secured = {
  hasHTTPS: true,
  apiTokenConfigured: true,
  exportProtected: true,
  credentialsEncrypted: true,
} as const
export const admin = { name: 'ann', role: 'admin', method: 'session' } as const
export const viewer = { name: 'zoe', role: 'viewer', method: 'session' } as const

interface Options {
  status?: Partial<SecurityStatus>
  health?: Partial<Health>
  isDemo?: boolean
  version?: VersionInfo | undefined
  hasData?: boolean
  /** replies by path; an Error is thrown */
  replies?: Record<string, unknown>
}

const noUpdate = anUpdate({ available: false, latestVersion: '5.1.0', downloadUrl: '' })

/** Renders the banners for a signed-in user, with fake replies. */
export async function showBanners(options: Options = {}) {
  const { status = { ...secured, user: admin }, health = {}, isDemo = false, hasData = true } = options
  const version = 'version' in options ? options.version : aBuild()
  const calls: { path: string; query?: unknown; body?: unknown }[] = []
  const replies: Record<string, unknown> = {
    [getUpdateCheck.path]: noUpdate,
    [getUpdatePlan.path]: aPlan(),
    [getHealth.path]: { status: 'healthy', timestamp: 0, uptime: 1, ...health },
    ...options.replies,
  }
  const answer = (path: string) => {
    const reply = replies[path] ?? new Error(`${path} is not answered`)
    if (reply instanceof Error) throw reply
    return reply
  }
  const api = {
    call: async ({ path }: { path: string }, { query, body }: { query?: unknown; body?: unknown } = {}) => {
      calls.push({ path, ...(query !== undefined && { query }), ...(body !== undefined && { body }) })
      return answer(path)
    },
    async send(path: string, init: { cache?: string } = {}) {
      calls.push({ path, query: init.cache })
      const headers = isDemo ? { 'X-Demo-Mode': 'true' } : undefined
      return Response.json(answer(path), { ...(headers && { headers }) })
    },
  } as unknown as Api
  const live = aLive()
  const found: boolean[] = []
  const onUpdate = (isAvailable: boolean) => void found.push(isAvailable)
  const frame = (hasData: boolean, shown = version) => (
    <RouterContext value={aRouter()}>
      <ApiProvider api={api}>
        <LiveProvider live={live}>
          <SessionProvider session={toSession(aSecurityStatus(status), async () => {})}>
            <Banners version={shown} hasData={hasData} onUpdate={onUpdate} />
          </SessionProvider>
        </LiveProvider>
      </ApiProvider>
    </RouterContext>
  )
  const view = await act(async () => render(frame(hasData)))
  const asked = (path: string) => calls.filter((call) => call.path === path)
  return {
    ...view,
    calls,
    asked,
    live,
    found,
    replies,
    showData: () => act(async () => view.rerender(frame(true))),
    /** the server runs another version after a reconnect */
    runs: (now: VersionInfo) => act(async () => view.rerender(frame(true, now))),
  }
}

/** Clears browser storage before each test. */
export function inFreshBrowsers() {
  beforeEach(() => {
    localStorage.clear()
    sessionStorage.clear()
    resetUpdateFlow()
    vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}
