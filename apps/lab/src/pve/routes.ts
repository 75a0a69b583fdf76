import type { PveMajor } from '../options.ts'
import { parametersIn } from '../api/target.ts'
import { accessRoutes } from './access-routes.ts'
import { agentRoutes } from './agent.ts'
import { cephRoutes } from './ceph.ts'
import { clusterRoutes } from './cluster.ts'
import { contentRoutes } from './content.ts'
import { diskRoutes } from './disks.ts'
import { guestConfigRoutes } from './guest-config.ts'
import { historyRoutes } from './history.ts'
import { jobRoutes } from './jobs.ts'
import { lxcRoutes } from './lxc.ts'
import { nodeRoutes } from './nodes.ts'
import type { ParameterRule } from '../api/parameters.ts'
import { qemuRoutes } from './qemu.ts'
import { replicationRoutes } from './replication.ts'
import { resourceRoutes } from './resources.ts'
import type { Route } from './route.ts'
import { snapshotRoutes } from './snapshots.ts'
import { storageRoutes } from './storage.ts'
import { taskLogRoutes } from './task-log.ts'
import { taskRoutes } from './tasks.ts'

export const routes: readonly Route[] = [
  ...accessRoutes,
  ...clusterRoutes,
  ...resourceRoutes,
  ...nodeRoutes,
  ...storageRoutes,
  ...contentRoutes,
  ...qemuRoutes,
  ...agentRoutes,
  ...lxcRoutes,
  ...guestConfigRoutes,
  ...snapshotRoutes,
  ...historyRoutes,
  ...taskRoutes,
  ...diskRoutes,
  ...jobRoutes,
  ...replicationRoutes,
  ...taskLogRoutes,
  ...cephRoutes,
]

export interface Match {
  route: Route
  params: Record<string, string>
  query: Readonly<Record<string, ParameterRule>>
}

interface Compiled {
  route: Route
  segments: readonly string[]
}

const bySize = Map.groupBy(
  routes.map((route): Compiled => ({ route, segments: route.path.split('/') })),
  ({ segments }) => segments.length,
)

export function matchRoute(method: string, path: string, major: PveMajor): Match | undefined {
  const segments = path.split('/')
  for (const { route, segments: expected } of bySize.get(segments.length) ?? []) {
    if ((route.method ?? 'GET') !== method || (route.since ?? 7) > major) continue
    if (major > (route.until ?? major)) continue
    const params = parametersIn(expected, segments)
    if (!params) continue
    const query = typeof route.query === 'function' ? route.query(major) : (route.query ?? {})
    return { route, params, query }
  }
  return undefined
}
