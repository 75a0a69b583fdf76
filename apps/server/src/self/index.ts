import {
  type Diagnostics,
  getBackups,
  getHealth,
  getPbsBackups,
  getPerformance,
  getPveBackups,
  getReadiness,
  getSnapshots,
  getState,
  getStats,
  getStorage,
  getUnifiedBackups,
  getVersion,
  type PlainStorage,
  ProcessRole,
  type Readiness,
  type VersionInfo,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import os from 'node:os'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Area } from '../area.ts'
import { admit, type Need } from '../auth/gate.ts'
import { acceptsGzip, RawReply, route } from '../http/route.ts'
import type { OnSignal } from '../signal.ts'
import type { PlainView } from '../state/plain-view.ts'
import type { State } from '../state/state.ts'
import { monitorEventLoop } from './event-loop-monitor.ts'
import { selfMetrics, type Traffic } from './metrics.ts'
import { type PolledConnections, selfReport } from './report.ts'
import type { Troubles } from '../troubles/troubles.ts'

export interface SelfEdges {
  state: State
  view: PlainView
  connections: PolledConnections
  live: { onClients: OnSignal<[count: number]>; traffic(): Traffic }
  troubles: Troubles
  version: VersionInfo
  /** version with known newer releases */
  shownVersion: () => VersionInfo
  /** by the monotonic clock */
  upSince: number
  clock: Clock
  log: Logger
  /** absent: this process does everything */
  cluster: { readiness(): Readiness } | undefined
}

/** One process that does everything gets calls as soon as it listens. */
const alone: Readiness = { ready: true, roles: [...ProcessRole.options], leads: true }

/** Strangers see only that there is a problem, not its text. */
const mayKnowWhy: Need = { access: 'admin', scope: 'settings:read' }

/** Pulse's own figures and health, and the whole state. */
export function selfArea({ live, troubles, shownVersion, ...edges }: SelfEdges): Area {
  const { view, upSince, clock } = edges
  const loop = monitorEventLoop()
  const self = selfReport({ ...edges, loop })
  live.onClients(self.clients)
  return {
    name: 'the figures about itself',
    routes: [
      route(getHealth, ({ identity }) => ({
        status: troubles.isDegraded() ? ('degraded' as const) : ('healthy' as const),
        ...(admit(mayKnowWhy, identity.principal).admitted ? { troubles: troubles.list() } : {}),
        timestamp: Math.floor(clock.now() / 1000),
        uptime: (clock.monotonic() - upSince) / 1000,
        legacySSHDetected: false,
        recommendProxyUpgrade: false,
        proxyInstallScriptAvailable: false,
        devModeSSH: false,
      })),
      route(getReadiness, () => {
        const readiness = edges.cluster?.readiness() ?? alone
        return new RawReply(Buffer.from(JSON.stringify(readiness)), {}, readiness.ready ? 200 : 503)
      }),
      route(getVersion, shownVersion),
      route(getState, async ({ caller }) => {
        if (!acceptsGzip(caller)) return new RawReply(await view.json())
        return new RawReply(await view.gzip(), { 'content-encoding': 'gzip', vary: 'accept-encoding' })
      }),
      route(getPerformance, self.performance),
      route(getStats, () => view.stats()),
      ...listingRoutes(edges),
    ],
    diagnose: () => diagnoseSelf(edges),
    metrics: selfMetrics({ ...edges, loop, troubles, version: shownVersion, traffic: live.traffic }),
    start: self.start,
    stop() {
      self.stop()
      loop.stop()
    },
  }
}

type Self = Pick<SelfEdges, 'state' | 'version' | 'upSince' | 'clock'>
type Block = Pick<Diagnostics, 'version' | 'runtime' | 'uptime' | 'errors' | 'system'>

/** Diagnostics of the process itself. */
export const diagnoseSelf = ({ state, version, upSince, clock }: Self): Block => ({
  version: version.version,
  runtime: version.runtime,
  uptime: (clock.monotonic() - upSince) / 1000,
  errors: state.meta.notices.map(({ message }) => message),
  system: {
    os: os.platform(),
    arch: os.arch(),
    goVersion: version.runtime,
    numCPU: os.availableParallelism(),
    numGoroutine: process.getActiveResourcesInfo().length,
    memoryMB: Math.round(process.memoryUsage.rss() / 1024 ** 2),
  },
})

const ofPve = {
  backupTasks: 'pveBackups.backupTasks',
  storageBackups: 'pveBackups.storageBackups',
  guestSnapshots: 'pveBackups.guestSnapshots',
}
const apart = { pbsBackups: 'pbsBackups', pmgBackups: 'pmgBackups' }
const allBackups = {
  backups: { pve: ofPve, pbs: apart.pbsBackups, pmg: apart.pmgBackups },
  pveBackups: ofPve,
  ...apart,
  ...ofPve,
}

/** Single lists of the documented state, for clients that use these calls of Pulse 4.x. */
function listingRoutes({ view, clock }: { view: PlainView; clock: Clock }) {
  const backups = async () => new RawReply(await view.some(allBackups))
  return [
    route(getBackups, backups),
    route(getUnifiedBackups, backups),
    route(getPveBackups, async () => new RawReply(await view.some({ backups: ofPve.storageBackups }))),
    route(getPbsBackups, async () => new RawReply(await view.some({ instances: 'pbs' }))),
    route(getSnapshots, async () => new RawReply(await view.some({ snapshots: ofPve.guestSnapshots }))),
    route(getStorage, async ({ params: { id } }) => {
      const { storage } = JSON.parse(String(await view.some({ storage: 'storage' }))) as {
        storage: PlainStorage[]
      }
      const data = storage.find((one) => one.id === id)
      if (!data)
        throw new AppError('storage_not_found', `There is no storage with the id "${id.slice(0, 100)}".`)
      return { data, timestamp: Math.floor(clock.now() / 1000) }
    }),
  ]
}
