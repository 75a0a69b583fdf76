import { figures, type PbsServer } from '@pulse/contract'
import { ofKind } from '../of-kind.ts'

const servers = ofKind('pbs')
const datastores = ofKind('datastores')
const replications = ofKind('replicationJobs')

const jobsOf = ({ backupJobs, syncJobs, verifyJobs, pruneJobs, garbageJobs }: PbsServer) =>
  Object.entries({
    backup: backupJobs,
    sync: syncJobs,
    verify: verifyJobs,
    prune: pruneJobs,
    garbage: garbageJobs,
  })

export const backupMetrics = [
  servers.info('pulse_backup_server_info', 'A Proxmox Backup Server. Always 1.', {
    source: ({ source }) => source,
    name: ({ name }) => name,
    version: ({ version }) => version,
  }),
  ...servers.figures(figures.pbs),
  servers.split('pulse_backup_server_jobs', 'Jobs of the backup server by kind.', ['kind'], (server) =>
    jobsOf(server).map(([kind, list]) => [list.length, kind] as const),
  ),
  servers.split(
    'pulse_backup_server_jobs_failed',
    'Jobs of the backup server whose last run failed.',
    ['kind'],
    (server) =>
      jobsOf(server).map(
        ([kind, list]) => [list.filter(({ status }) => status === 'failed').length, kind] as const,
      ),
  ),

  datastores.info('pulse_datastore_info', 'A datastore of a backup server. Always 1.', {
    source: ({ source }) => source,
    datastore: ({ name }) => name,
  }),
  ...datastores.figures(figures.datastores),

  replications.info('pulse_replication_info', 'A replication job of Proxmox VE. Always 1.', {
    source: ({ source }) => source,
    replication: ({ job }) => job,
    vmid: ({ vmid }) => String(vmid),
    node: ({ node }) => node,
    target: ({ target }) => target,
    connection: ({ instance }) => instance,
  }),
  ...replications.figures(figures.replicationJobs),
]
