import { figures } from '@pulse/contract'
import { ofKind } from '../of-kind.ts'

const storages = ofKind('storage')
const ceph = ofKind('cephClusters')
const disks = ofKind('physicalDisks')

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
  ...storages.figures(figures.storage),
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
  ...ceph.figures(figures.cephClusters),
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
  ...disks.figures(figures.physicalDisks),
]

const poolOf = <P extends { staleSince?: number | undefined }>(pool: P | undefined): P[] =>
  pool === undefined || pool.staleSince !== undefined ? [] : [pool]
