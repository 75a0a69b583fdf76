import {
  alertDefaults,
  getAlertConfig,
  getSystemConfig,
  getUpdateCheck,
  getUpdatePlan,
  postSystemSettings,
  putPreferences,
  type SecurityStatus,
  type UpdateInfo,
  type UpdatePlan,
  type VersionInfo,
} from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Api } from '../api/client.ts'
import { createCredentials } from '../api/credentials.ts'
import type { Connection } from '../live/connection.ts'
import { aBuild } from '../parts/updates/fake-build.ts'
import { aLive } from '../live/fake-live.ts'
import { showPages } from './fake-app.tsx'
import type { Area, Page } from './routes.ts'

const build = aBuild()

const byHand: UpdatePlan = { canAutoUpdate: false, requiresRoot: false, rollbackSupport: false }

const noUpdate: UpdateInfo = {
  available: false,
  currentVersion: build.version,
  latestVersion: build.version,
  releaseNotes: '',
  releaseDate: '',
  downloadUrl: '',
  isPrerelease: false,
  channel: 'stable',
}

/** no security warnings */
const secured = {
  hasHTTPS: true,
  apiTokenConfigured: true,
  exportProtected: true,
  credentialsEncrypted: true,
}
export const signedIn = aSecurityStatus({
  ...secured,
  user: { name: 'ann', role: 'admin', method: 'session' },
})
export const viewing = aSecurityStatus({ user: { name: 'zoe', role: 'viewer', method: 'session' } })
export const open = aSecurityStatus({ disabled: true })

export const pageOf = (area: Area, path: `/${string}`, label: string, nested = false): Page => ({
  path,
  area,
  label,
  nested,
  load: async () => () => <p>{`page ${label}`}</p>,
})
export const overview = pageOf('proxmox', '/proxmox/overview', 'Overview')
export const everything = [
  overview,
  pageOf('proxmox', '/proxmox/storage', 'Storage'),
  pageOf('docker', '/docker', 'Docker'),
  pageOf('alerts', '/alerts', 'Alerts', true),
  pageOf('settings', '/settings', 'Settings', true),
]

interface Options {
  path?: string
  table?: Page[]
  version?: Partial<VersionInfo> | Error
  connection?: Partial<Connection>
  guests?: Parameters<typeof aLive>[0]
  /** of the server */
  theme?: string | Error
  status?: SecurityStatus
  update?: Partial<UpdateInfo>
}

/** The shell, with a server that answers version and theme. */
export async function showShell({
  path = '/',
  table = [overview],
  version = {},
  connection = {},
  guests = {},
  theme = '',
  status = signedIn,
  update = {},
}: Options = {}) {
  const calls: { path: string; body?: unknown }[] = []
  const live = aLive(guests, connection)
  const api = {
    credentials: createCredentials(),
    send: async () => Response.json({ status: 'healthy', timestamp: 0, uptime: 1 }),
    call: (async ({ path }: { path: string }, input?: { body?: unknown }) => {
      calls.push({ path, ...(input?.body !== undefined && { body: input.body }) })
      if ([getSystemConfig, postSystemSettings, putPreferences].some((one) => one.path === path)) {
        if (theme instanceof Error) throw theme
        return { theme }
      }
      if (path === getAlertConfig.path) return alertDefaults
      if (path === getUpdateCheck.path) return { ...noUpdate, ...update }
      if (path === getUpdatePlan.path) return byHand
      if (version instanceof Error) throw version
      return { ...build, ...version }
    }) as Api['call'],
  }
  const router = await showPages({ table, path, live, api, status })
  return { ...live, router, calls }
}

export const footer = () => screen.getByRole('contentinfo').textContent

/** Clears browser storage before each test. */
export function inFreshBrowsers() {
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
}
