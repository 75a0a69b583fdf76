import type { VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Area } from '../area.ts'
import type { OnSignal } from '../signal.ts'
import type { PlainView } from '../state/plain-view.ts'
import type { State } from '../state/state.ts'
import { diagnoseSelf } from './diagnose.ts'
import { monitorEventLoop } from './event-loop-monitor.ts'
import { selfMetrics, type Traffic } from './metrics.ts'
import { type PolledConnections, selfReport } from './report.ts'
import { listingRoutes } from './listings.ts'
import { statusRoutes } from './routes.ts'
import type { Troubles } from '../troubles/troubles.ts'

export interface SelfEdges {
  state: State
  view: PlainView
  connections: PolledConnections
  live: { onClients: OnSignal<[count: number]>; traffic(): Traffic }
  troubles: Troubles
  version: VersionInfo
  /** with what is known of newer ones */
  shownVersion: () => VersionInfo
  /** by the monotonic clock */
  upSince: number
  clock: Clock
  log: Logger
}

/** How Pulse itself is doing: its figures, its health, and the state as a whole. */
export function selfArea({ live, troubles, shownVersion, ...edges }: SelfEdges): Area {
  const loop = monitorEventLoop()
  const self = selfReport({ ...edges, loop })
  live.onClients(self.clients)
  return {
    name: 'the figures about itself',
    routes: [
      ...statusRoutes({
        ...edges,
        version: shownVersion,
        performance: self.performance,
        health: troubles,
      }),
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
