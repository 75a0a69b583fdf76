import { type FiguresOf, inSeconds, metric } from './figure.ts'

const cephHealth: Readonly<Record<string, number>> = { HEALTH_OK: 0, HEALTH_WARN: 1, HEALTH_ERR: 2 }
const diskHealth: Readonly<Record<string, boolean>> = { PASSED: true, OK: true, FAILED: false }

export const storageFigures: FiguresOf<'storage'> = {
  up: {
    unit: 'state',
    // PVE says `unknown` of the storages of a node that is down.
    read: ({ enabled, status }) => (enabled && status !== 'unknown' ? status === 'available' : undefined),
    ...metric(
      'pulse_storage_up',
      'Whether the storage is available; absent while unknown and when it is disabled.',
    ),
  },
  size: {
    unit: 'bytes',
    read: ({ total }) => total,
    field: 'total',
    history: 'gauge',
    ...metric('pulse_storage_size_bytes', 'Size of the storage.'),
  },
  used: {
    unit: 'bytes',
    read: ({ used }) => used,
    field: 'used',
    history: 'gauge',
    ...metric('pulse_storage_used_bytes', 'Used space of the storage.'),
  },
  available: {
    unit: 'bytes',
    read: ({ avail }) => avail,
    field: 'avail',
    history: 'gauge',
    ...metric('pulse_storage_available_bytes', 'Free space of the storage.'),
  },
  usage: {
    unit: 'percent',
    read: ({ total, usage }) => (total === 0 ? undefined : usage),
    history: 'gauge',
  },
  forecastFull: {
    unit: 'seconds',
    read: ({ forecast }) => inSeconds(forecast?.fullAt),
    ...metric(
      'pulse_storage_full_timestamp_seconds',
      'Estimated time when the storage is full by its history, in seconds since 1970; absent without a forecast.',
    ),
  },
}

export const cephFigures: FiguresOf<'cephClusters'> = {
  health: {
    unit: 'state',
    read: ({ health }) => cephHealth[health],
    ...metric(
      'pulse_ceph_health',
      'Health of the Ceph cluster: 0 HEALTH_OK, 1 HEALTH_WARN, 2 HEALTH_ERR; absent while unknown.',
    ),
  },
  size: {
    unit: 'bytes',
    read: ({ totalBytes }) => totalBytes,
    ...metric('pulse_ceph_size_bytes', 'Raw size of the Ceph cluster.'),
  },
  used: {
    unit: 'bytes',
    read: ({ usedBytes }) => usedBytes,
    field: 'usedBytes',
    history: 'gauge',
    ...metric('pulse_ceph_used_bytes', 'Used raw space of the Ceph cluster.'),
  },
  available: {
    unit: 'bytes',
    read: ({ availableBytes }) => availableBytes,
    field: 'availableBytes',
    history: 'gauge',
    ...metric('pulse_ceph_available_bytes', 'Free raw space of the Ceph cluster.'),
  },
  usage: {
    unit: 'percent',
    read: ({ usagePercent }) => usagePercent,
    field: 'usagePercent',
    history: 'gauge',
  },
  forecastFull: {
    unit: 'seconds',
    read: ({ forecast }) => inSeconds(forecast?.fullAt),
    ...metric(
      'pulse_ceph_full_timestamp_seconds',
      'Estimated time when the Ceph cluster reaches its full ratio by its history, in seconds since 1970; absent without a forecast.',
    ),
  },
  monitors: {
    unit: 'count',
    read: ({ numMons }) => numMons,
    ...metric('pulse_ceph_monitors', 'Monitors of the Ceph cluster.'),
  },
  osds: {
    unit: 'count',
    read: ({ numOsds }) => numOsds,
    ...metric('pulse_ceph_osds', 'OSDs of the Ceph cluster.'),
  },
  osdsUp: {
    unit: 'count',
    read: ({ numOsdsUp }) => numOsdsUp,
    ...metric('pulse_ceph_osds_up', 'OSDs of the Ceph cluster that are up.'),
  },
  osdsIn: {
    unit: 'count',
    read: ({ numOsdsIn }) => numOsdsIn,
    ...metric('pulse_ceph_osds_in', 'OSDs of the Ceph cluster that are in.'),
  },
}

export const physicalDiskFigures: FiguresOf<'physicalDisks'> = {
  healthy: {
    unit: 'state',
    read: ({ health }) => diskHealth[health],
    ...metric(
      'pulse_disk_healthy',
      'Whether the disk reports that it is healthy; absent when it reports no health.',
    ),
  },
  size: { unit: 'bytes', read: ({ size }) => size, ...metric('pulse_disk_size_bytes', 'Size of the disk.') },
  lifeRemaining: {
    unit: 'ratio',
    read: ({ wearout }) => (wearout < 0 ? undefined : wearout / 100),
    history: 'gauge',
    ...metric('pulse_disk_life_remaining_ratio', 'Remaining life of the disk, 0 to 1.'),
  },
  temperature: {
    unit: '°C',
    read: ({ temperature }) => temperature || undefined,
    field: 'temperature',
    history: 'gauge',
    ...metric('pulse_disk_temperature_celsius', 'Temperature of the disk.'),
  },
}
