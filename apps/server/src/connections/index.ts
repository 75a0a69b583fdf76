import { getSchedulerHealth, type SystemSettings } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import { connectionStore } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import { route } from '../http/route.ts'
import type { Vault } from '../seal.ts'
import { type ConnectionArea, type ConnectionEdges, createConnections } from './connections.ts'
import { diagnoseConnections } from './diagnose.ts'
import { connectionsPart } from './export-part.ts'
import { callMetrics } from './metrics.ts'
import type { OnSignal } from '../signal.ts'
import { toPace } from './pace.ts'
import { connectionRoutes } from './routes.ts'
import { schedulerHealth } from './scheduler-health.ts'

export interface ConnectionAreaEdges extends Omit<ConnectionEdges, 'pace' | 'store'> {
  db: Database
  vault: Vault
  settings: { current(): SystemSettings; onChange: OnSignal<[now: SystemSettings, before: SystemSettings]> }
  audit: Pick<Audit, 'record'>
  /** `withoutZfs`: the operator of the machine has disabled queries about ZFS pools */
  config: { withoutZfs: boolean }
  /** declared connections cannot be changed here */
  locks: {
    around(connections: ConnectionArea): ConnectionArea
    isDeclared: Parameters<typeof connectionsPart>[0]['isManaged']
  }
}

/** The sources that an administrator manages. */
export function connectionArea({
  audit,
  locks,
  settings,
  db,
  vault,
  config,
  ...edges
}: ConnectionAreaEdges): ConnectionArea & Area & Pick<ConnectionEdges, 'pace'> {
  const { clock, state } = edges
  const store = connectionStore(db, vault)
  const { withoutZfs } = config
  const pace: ConnectionEdges['pace'] = (kind) => toPace(settings.current(), kind, withoutZfs)
  const connections = locks.around(createConnections({ ...edges, store, pace }))
  settings.onChange((now, before) => {
    // The new interval takes effect at once, without waiting for the end of a longer one.
    if (!isDeepStrictEqual(toPace(now, 'pve'), toPace(before, 'pve')))
      for (const one of connections.running()) one.refresh()
  })
  const part = connectionsPart({ store, now: clock.now, isManaged: locks.isDeclared })
  return {
    ...connections,
    pace,
    name: 'the connections',
    routes: [
      ...connectionRoutes(connections, audit),
      route(getSchedulerHealth, () =>
        schedulerHealth(connections.watched(), {
          isAdaptive: settings.current().adaptivePollingEnabled,
          now: clock.now(),
        }),
      ),
    ],
    exportParts: [part],
    caches: [{ ...connections, tables: ['connections'] }],
    diagnose: () => diagnoseConnections({ connections, state, clock }),
    metrics: callMetrics(connections),
  }
}
