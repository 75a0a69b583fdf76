import type { Node, Storage } from '../estate/estate.ts'
import { isEnabledOn } from '../load/storage-reading.ts'
import { memberOf } from './member.ts'
import { isTrue } from '../api/parameters.ts'
import { mayAuditStorage } from './resources.ts'
import type { Call, Route, PveWorld } from './route.ts'

const types7 = [
  'btrfs',
  'cephfs',
  'cifs',
  'dir',
  'glusterfs',
  'iscsi',
  'iscsidirect',
  'lvm',
  'lvmthin',
  'nfs',
  'pbs',
  'rbd',
  'zfs',
  'zfspool',
]

export const storageRoutes: readonly Route[] = [
  {
    path: '/storage',
    query: (major) => ({ type: major === 7 ? types7 : [...types7, 'esxi'] }),
    answer: storageConfig,
  },
  {
    path: '/nodes/{node}/storage',
    query: { content: 'string', enabled: 'boolean', format: 'boolean', storage: 'string', target: 'string' },
    answer: nodeStorages,
  },
]

function storageConfig({ cluster, rights, params }: Call) {
  return cluster.storages
    .filter((storage) => mayAuditStorage(rights, storage))
    .filter(({ type }) => params.type === undefined || type === params.type)
    .map((storage) => ({
      storage: storage.name,
      type: storage.type,
      content: storage.content.join(','),
      ...storage.config,
      ...(storage.shared && { shared: 1 }),
      ...(storage.disabled && { disable: 1 }),
      ...(storage.nodes && { nodes: storage.nodes.join(',') }),
      digest: 'b1f6f6f6a7d0c0b5a5c3a1e0f4c2d7e8a9b0c1d2',
    }))
}

function nodeStorages(call: Call) {
  const { world, cluster, rights, params } = call
  const node = memberOf(call)
  const onlyEnabled = isTrue(params.enabled) || params.content !== undefined
  return cluster.storages
    .filter((storage) => mayAuditStorage(rights, storage))
    .filter((storage) => params.storage === undefined || storage.name === params.storage)
    .filter((storage) => !onlyEnabled || isEnabledOn(storage, node))
    .filter((storage) => hasContent(storage, params.content))
    .map((storage) => ({ storage: storage.name, ...storageFigures(world, storage, node) }))
}

function hasContent(storage: Storage, wanted: string | undefined): boolean {
  return wanted === undefined || wanted.split(',').some((kind) => storage.content.includes(kind))
}

export function storageFigures(world: PveWorld, storage: Storage, node: Node) {
  const { active, totalBytes, usedBytes } = world.readings.storage(storage, node)
  return {
    type: storage.type,
    content: storage.content.join(','),
    shared: Number(storage.shared),
    enabled: Number(isEnabledOn(storage, node)),
    active: Number(active),
    total: totalBytes,
    used: usedBytes,
    avail: totalBytes - usedBytes,
    ...(totalBytes > 0 && { used_fraction: usedBytes / totalBytes }),
  }
}
