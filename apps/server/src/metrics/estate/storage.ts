import { ofKind } from '../of-kind.ts'

const storages = ofKind('storage')
const ceph = ofKind('cephClusters')
const disks = ofKind('physicalDisks')

const cephHealth: Record<string, number> = { HEALTH_OK: 0, HEALTH_WARN: 1, HEALTH_ERR: 2 }
const diskHealth: Record<string, boolean> = { PASSED: true, OK: true, FAILED: false }

export const storageMetrics = [
  storages.info(
    'pulse_storage_info',
    'A storage of Proxmox VE. Shared storage appears once, with node="cluster". Always 1.',
    {
      source: ({ source }) => source,
      storage: ({ storage }) => storage,
      node: ({ node }) => node,
      connection: ({ instance }) => instance,
      type: ({ type }) => type,
      shared: ({ shared }) => String(shared),
    },
  ),
  storages.gauge(
    'pulse_storage_up',
    'Whether the storage is available; absent when it is disabled.',
    ({ enabled, status }) => (enabled ? status === 'available' : undefined),
  ),
  storages.gauge('pulse_storage_size_bytes', 'Size of the storage.', ({ total }) => total),
  storages.gauge('pulse_storage_used_bytes', 'Used space of the storage.', ({ used }) => used),
  storages.gauge('pulse_storage_available_bytes', 'Free space of the storage.', ({ avail }) => avail),
  storages.split(
    'pulse_zfs_pool_healthy',
    'Whether the ZFS pool of a storage is ONLINE.',
    ['pool'],
    ({ zfsPool }) => poolOf(zfsPool).map(({ name, state }) => [state === 'ONLINE', name] as const),
  ),
  storages.split(
    'pulse_zfs_pool_errors',
    'Read, write and checksum errors of the disks of the ZFS pool since the last zpool clear.',
    ['pool', 'operation'],
    ({ zfsPool }) =>
      poolOf(zfsPool).flatMap(({ name, readErrors, writeErrors, checksumErrors }) => [
        [readErrors, name, 'read'] as const,
        [writeErrors, name, 'write'] as const,
        [checksumErrors, name, 'checksum'] as const,
      ]),
  ),

  ceph.info('pulse_ceph_info', 'A Ceph cluster. Always 1.', {
    source: ({ source }) => source,
    name: ({ name }) => name,
    connection: ({ instance }) => instance,
  }),
  ceph.gauge(
    'pulse_ceph_health',
    'Health of the Ceph cluster: 0 HEALTH_OK, 1 HEALTH_WARN, 2 HEALTH_ERR; absent while unknown.',
    (one) => cephHealth[one.health],
  ),
  ceph.gauge('pulse_ceph_size_bytes', 'Raw size of the Ceph cluster.', ({ totalBytes }) => totalBytes),
  ceph.gauge('pulse_ceph_used_bytes', 'Used raw space of the Ceph cluster.', ({ usedBytes }) => usedBytes),
  ceph.gauge(
    'pulse_ceph_available_bytes',
    'Free raw space of the Ceph cluster.',
    ({ availableBytes }) => availableBytes,
  ),
  ceph.gauge('pulse_ceph_monitors', 'Monitors of the Ceph cluster.', ({ numMons }) => numMons),
  ceph.gauge('pulse_ceph_osds', 'OSDs of the Ceph cluster.', ({ numOsds }) => numOsds),
  ceph.gauge('pulse_ceph_osds_up', 'OSDs of the Ceph cluster that are up.', ({ numOsdsUp }) => numOsdsUp),
  ceph.gauge('pulse_ceph_osds_in', 'OSDs of the Ceph cluster that are in.', ({ numOsdsIn }) => numOsdsIn),
  ceph.split(
    'pulse_ceph_pool_info',
    'A pool of a Ceph cluster. Always 1.',
    ['pool', 'name'],
    ({ pools = [] }) => pools.map(({ id, name }) => [1, String(id), name] as const),
  ),
  ceph.split(
    'pulse_ceph_pool_stored_bytes',
    'Data stored in the pool of the Ceph cluster.',
    ['pool'],
    ({ pools = [] }) => pools.map(({ id, storedBytes }) => [storedBytes, String(id)] as const),
  ),
  ceph.split(
    'pulse_ceph_pool_available_bytes',
    'Free space of the pool of the Ceph cluster.',
    ['pool'],
    ({ pools = [] }) => pools.map(({ id, availableBytes }) => [availableBytes, String(id)] as const),
  ),
  ceph.split(
    'pulse_ceph_pool_objects',
    'Objects in the pool of the Ceph cluster.',
    ['pool'],
    ({ pools = [] }) => pools.map(({ id, objects }) => [objects, String(id)] as const),
  ),

  disks.info('pulse_disk_info', 'A disk of a node of Proxmox VE. Always 1.', {
    source: ({ source }) => source,
    node: ({ node }) => node,
    connection: ({ instance }) => instance,
    device: ({ devPath }) => devPath,
    model: ({ model }) => model,
    serial: ({ serial }) => serial,
    type: ({ type }) => type,
  }),
  disks.gauge(
    'pulse_disk_healthy',
    'Whether the disk reports that it is healthy; absent when it reports no health.',
    (disk) => diskHealth[disk.health],
  ),
  disks.gauge('pulse_disk_size_bytes', 'Size of the disk.', ({ size }) => size),
  disks.gauge('pulse_disk_life_remaining_ratio', 'Remaining life of the disk, 0 to 1.', ({ wearout }) =>
    wearout < 0 ? undefined : wearout / 100,
  ),
  disks.gauge(
    'pulse_disk_temperature_celsius',
    'Temperature of the disk.',
    ({ temperature }) => temperature || undefined,
  ),
]

const poolOf = <P extends { staleSince?: number | undefined }>(pool: P | undefined): P[] =>
  pool === undefined || pool.staleSince !== undefined ? [] : [pool]
