import type { PbsServer } from '@pulse/contract'
import { inSeconds, ofKind } from '../of-kind.ts'

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
  servers.gauge(
    'pulse_backup_server_cpu_usage_ratio',
    'Share of the CPUs of the backup server in use, 0 to 1.',
    ({ cpu }) => cpu,
  ),
  servers.gauge(
    'pulse_backup_server_memory_size_bytes',
    'Memory of the backup server.',
    ({ memoryTotal }) => memoryTotal,
  ),
  servers.gauge(
    'pulse_backup_server_memory_used_bytes',
    'Memory of the backup server in use.',
    ({ memoryUsed }) => memoryUsed,
  ),
  servers.gauge(
    'pulse_backup_server_start_time_seconds',
    'Start time of the backup server, in seconds since 1970.',
    ({ startedAt }) => inSeconds(startedAt),
  ),
  servers.split('pulse_backup_server_jobs', 'Jobs of the backup server by type.', ['kind'], (server) =>
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
  servers.gauge(
    'pulse_backup_server_tasks_failed',
    'Recent failed tasks of the backup server, excluding the last run of each job.',
    ({ failedTasks }) => failedTasks.length,
  ),

  datastores.info('pulse_datastore_info', 'A datastore of a backup server. Always 1.', {
    source: ({ source }) => source,
    datastore: ({ name }) => name,
  }),
  datastores.gauge(
    'pulse_datastore_up',
    'Whether the datastore is available.',
    ({ status }) => status === 'available',
  ),
  datastores.gauge('pulse_datastore_size_bytes', 'Size of the datastore.', ({ total }) => total),
  datastores.gauge('pulse_datastore_used_bytes', 'Used space of the datastore.', ({ used }) => used),
  datastores.gauge('pulse_datastore_available_bytes', 'Free space of the datastore.', ({ free }) => free),
  datastores.gauge(
    'pulse_datastore_deduplication_ratio',
    'Deduplication factor of the datastore: size of its backups divided by the space they use.',
    ({ deduplicationFactor }) => deduplicationFactor,
  ),
  datastores.gauge(
    'pulse_datastore_full_timestamp_seconds',
    'Estimated time when the datastore is full, in seconds since 1970; absent when its usage does not grow.',
    ({ fullAt }) => inSeconds(fullAt),
  ),

  replications.info('pulse_replication_info', 'A replication job of Proxmox VE. Always 1.', {
    source: ({ source }) => source,
    replication: ({ job }) => job,
    vmid: ({ vmid }) => String(vmid),
    node: ({ node }) => node,
    target: ({ target }) => target,
    connection: ({ instance }) => instance,
  }),
  replications.gauge(
    'pulse_replication_enabled',
    'Whether the replication job is enabled.',
    ({ enabled }) => enabled,
  ),
  replications.gauge(
    'pulse_replication_sync_timestamp_seconds',
    'Time of the last successful run of the replication job, in seconds since 1970.',
    (job) => inSeconds(job.lastSync),
  ),
  replications.gauge(
    'pulse_replication_failures',
    'Failed runs of the replication job since its last success.',
    ({ failCount }) => failCount,
  ),
]
