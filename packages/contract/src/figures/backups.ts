import { type FiguresOf, inSeconds, metric } from './figure.ts'

export const pbsFigures: FiguresOf<'pbs'> = {
  cpu: {
    unit: 'ratio',
    read: ({ cpu }) => cpu,
    field: 'cpu',
    history: 'gauge',
    ...metric(
      'pulse_backup_server_cpu_usage_ratio',
      'Share of the CPUs of the backup server in use, 0 to 1.',
    ),
  },
  memory: { unit: 'percent', read: ({ memory }) => memory, field: 'memory', history: 'gauge' },
  memorySize: {
    unit: 'bytes',
    read: ({ memoryTotal }) => memoryTotal,
    ...metric('pulse_backup_server_memory_size_bytes', 'Memory of the backup server.'),
  },
  memoryUsed: {
    unit: 'bytes',
    read: ({ memoryUsed }) => memoryUsed,
    field: 'memoryUsed',
    history: 'gauge',
    ...metric('pulse_backup_server_memory_used_bytes', 'Memory of the backup server in use.'),
  },
  startTime: {
    unit: 'seconds',
    read: ({ startedAt }) => inSeconds(startedAt),
    ...metric(
      'pulse_backup_server_start_time_seconds',
      'Start time of the backup server, in seconds since 1970.',
    ),
  },
  failedTasks: {
    unit: 'count',
    read: ({ failedTasks }) => failedTasks.length,
    ...metric(
      'pulse_backup_server_tasks_failed',
      'Recent failed tasks of the backup server, excluding the last run of each job.',
    ),
  },
}

export const datastoreFigures: FiguresOf<'datastores'> = {
  up: {
    unit: 'state',
    read: ({ status }) => (status === 'denied' ? undefined : status === 'available'),
    ...metric(
      'pulse_datastore_up',
      'Whether the datastore is available; absent while Pulse has no permission to read it.',
    ),
  },
  size: {
    unit: 'bytes',
    read: ({ total }) => total,
    field: 'total',
    history: 'gauge',
    ...metric('pulse_datastore_size_bytes', 'Size of the datastore.'),
  },
  used: {
    unit: 'bytes',
    read: ({ used }) => used,
    field: 'used',
    history: 'gauge',
    ...metric('pulse_datastore_used_bytes', 'Used space of the datastore.'),
  },
  available: {
    unit: 'bytes',
    read: ({ free }) => free,
    field: 'free',
    history: 'gauge',
    ...metric('pulse_datastore_available_bytes', 'Free space of the datastore.'),
  },
  usage: {
    unit: 'percent',
    read: ({ total, usage }) => (total === 0 ? undefined : usage),
    field: 'usage',
    history: 'gauge',
  },
  deduplication: {
    unit: 'ratio',
    read: ({ deduplicationFactor }) => deduplicationFactor,
    field: 'deduplicationFactor',
    history: 'gauge',
    ...metric(
      'pulse_datastore_deduplication_ratio',
      'Deduplication factor of the datastore: size of its backups divided by the space they use.',
    ),
  },
  fullTime: {
    unit: 'seconds',
    read: ({ fullAt }) => inSeconds(fullAt),
    ...metric(
      'pulse_datastore_full_timestamp_seconds',
      'Estimated time when the datastore is full, in seconds since 1970; absent when its usage does not grow.',
    ),
  },
  forecastFull: {
    unit: 'seconds',
    read: ({ forecast }) => inSeconds(forecast?.fullAt),
    ...metric(
      'pulse_datastore_forecast_full_timestamp_seconds',
      'Estimated time when the datastore is full by its history, in seconds since 1970; absent without a forecast.',
    ),
  },
}

export const protectionFigures: FiguresOf<'protections'> = {
  newestBackup: {
    unit: 'seconds',
    read: ({ newest }) => (newest?.future ? undefined : inSeconds(newest?.at)),
    ...metric(
      'pulse_guest_backup_timestamp_seconds',
      'Time of the newest backup of the guest, in seconds since 1970; absent without a backup.',
    ),
  },
  newestGoodBackup: {
    unit: 'seconds',
    read({ newest, newestGood }) {
      const good = newest?.verification === 'failed' ? newestGood : newest
      return good?.future ? undefined : inSeconds(good?.at)
    },
    ...metric(
      'pulse_guest_backup_good_timestamp_seconds',
      'Time of the newest backup of the guest that did not fail verification, in seconds since 1970.',
    ),
  },
  failed: {
    unit: 'state',
    read: ({ failed }) => failed !== undefined,
    ...metric('pulse_guest_backup_failed', 'Whether the last backup run of the guest failed.'),
  },
  scheduled: {
    unit: 'state',
    read: ({ inJob }) => inJob,
    ...metric('pulse_guest_backup_scheduled', 'Whether an enabled backup job includes the guest.'),
  },
}

export const replicationFigures: FiguresOf<'replicationJobs'> = {
  enabled: {
    unit: 'state',
    read: ({ enabled }) => enabled,
    ...metric('pulse_replication_enabled', 'Whether the replication job is enabled.'),
  },
  lastSync: {
    unit: 'seconds',
    read: ({ lastSync }) => inSeconds(lastSync),
    ...metric(
      'pulse_replication_sync_timestamp_seconds',
      'Time of the last successful run of the replication job, in seconds since 1970.',
    ),
  },
  failures: {
    unit: 'count',
    read: ({ failCount }) => failCount,
    ...metric('pulse_replication_failures', 'Failed runs of the replication job since its last success.'),
  },
}
