import { figures, metricsOfKind, type PbsServer } from '@pulse/contract'
import { judged } from '../condition.ts'
import type { Rule, Subject } from '../judging.ts'
import { judgeMetric } from '../metric.ts'
import { delayTypes } from '../delays.ts'
import { hostDown, pbsOfflineId } from './source.ts'

const delays = delayTypes.pbs

const metrics: Rule<PbsServer> = {
  name: 'pbs-metrics',
  judge(server, on) {
    for (const metric of metricsOfKind.pbs) judgeMetric(on, metric, delays, figures.pbs[metric], server)
  },
}

const jobLists = [
  ['backup', 'Backup', 'backupJobs'],
  ['sync', 'Sync', 'syncJobs'],
  ['verify', 'Verification', 'verifyJobs'],
  ['prune', 'Prune', 'pruneJobs'],
  ['garbage', 'Garbage collection', 'garbageJobs'],
] as const

/** Jobs with a failed last run. A new run counts when it has ended. */
const jobs: Rule<PbsServer> = {
  name: 'pbs-jobs',
  judge(server, on) {
    for (const [type, label, list] of jobLists)
      for (const { id, store, status, error } of server[list]) {
        const isBad = status === 'failed'
        if (!isBad && !on.isWatched) continue
        const held = status === 'running' || status === 'unknown' ? `Its state is ${status}.` : undefined
        on.emit({
          id: `pbs-job-failed-${on.record}:${type}:${id}`,
          type: 'pbs-job-failed',
          ...judged(isBad, held),
          level: 'warning',
          message: `${label} job ${id} of datastore ${store} on ${server.name} failed${error ? `: ${error}` : ''}`,
          metadata: { job: id, jobType: type, datastore: store },
        })
      }
  },
}

export const pbsServers: Subject<'pbs'> = {
  kind: 'pbs',
  settings: 'pbs',
  resource: ({ id, name, host }) => ({ id, name, node: host, instance: name, type: 'PBS' }),
  down: (_server, on) => hostDown(on, pbsOfflineId(on.record)),
  rules: [metrics, jobs],
}
