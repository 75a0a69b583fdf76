import { Storage } from '@pulse/contract'
import { expect } from 'vitest'
import type { MapContext } from './map.ts'
import { PveNodeStorage, PveStorageConfig, PveStorageEntry } from './schema.ts'
import { StorageCache } from './storages.ts'

export const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: 'prod',
  health: 'healthy',
  wallOffset: 0,
}
export const listed = (fields: object = {}) =>
  PveStorageEntry.parse({
    storage: 'local',
    node: 'pve1',
    status: 'available',
    plugintype: 'dir',
    shared: 0,
    content: 'iso,backup',
    disk: 25,
    maxdisk: 100,
    ...fields,
  })
export const row = (fields: object = {}) =>
  PveNodeStorage.parse({
    storage: 'local',
    type: 'dir',
    content: 'iso,backup',
    shared: 0,
    enabled: 1,
    active: 1,
    total: 100,
    used: 25,
    avail: 70,
    ...fields,
  })
export const config = (fields: object = {}) =>
  PveStorageConfig.parse({ storage: 'local', type: 'dir', ...fields })
export const online = () => true
export const alive = new Map(['pve1', 'pve2'].map((name) => [name, { online: true, seenAt: 0 }]))

/** A cache that validates its records against the contract whenever they are read. */
export function givenCache() {
  const cache = new StorageCache()
  const records = (to = context) => {
    const all = cache.records(to)
    for (const record of all.values()) expect(Storage.safeParse(record).error).toBeUndefined()
    return all
  }
  return { cache, records }
}
