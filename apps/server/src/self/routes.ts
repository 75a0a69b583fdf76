import {
  getHealth,
  getPerformance,
  getState,
  getStats,
  getVersion,
  type PerformanceReply,
  type Trouble,
  type VersionInfo,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { admit, type Need } from '../auth/gate.ts'
import type { PlainView } from '../state/plain-view.ts'
import { acceptsGzip, RawReply, route } from '../http/route.ts'

export interface StatusSources {
  view: PlainView
  clock: Clock
  /** by the monotonic clock */
  upSince: number
  version: () => VersionInfo
  performance: () => PerformanceReply
  health: { isDegraded(): boolean; list(): Trouble[] }
}

/** Strangers learn that something is wrong, and nothing of what. */
const mayKnowWhy: Need = { access: 'admin', scope: 'settings:read' }

export const statusRoutes = ({ view, clock, upSince, version, performance, health }: StatusSources) => [
  route(getHealth, ({ identity }) => ({
    status: health.isDegraded() ? ('degraded' as const) : ('healthy' as const),
    ...(admit(mayKnowWhy, identity.principal).admitted ? { troubles: health.list() } : {}),
    timestamp: Math.floor(clock.now() / 1000),
    uptime: (clock.monotonic() - upSince) / 1000,
    legacySSHDetected: false,
    recommendProxyUpgrade: false,
    proxyInstallScriptAvailable: false,
    devModeSSH: false,
  })),
  route(getVersion, version),
  route(getState, async ({ caller }) => {
    if (!acceptsGzip(caller)) return new RawReply(await view.json())
    return new RawReply(await view.gzip(), { 'content-encoding': 'gzip', vary: 'accept-encoding' })
  }),
  route(getPerformance, performance),
  route(getStats, () => view.stats()),
]
