import type { RecordKind } from './kinds.ts'

/** Record kinds that can have their own thresholds, with the prefixes of their keys. */
export const overrideKinds = {
  nodes: 'node',
  guests: 'guest',
  storage: 'storage',
  pbs: 'pbs',
  datastores: 'datastore',
  pmg: 'pmg',
  dockerHosts: 'dockerHost',
  dockerContainers: 'dockerContainer',
} as const satisfies Partial<Record<RecordKind, string>>
export type OverrideKind = keyof typeof overrideKinds

/**
 * The key under which overrides are stored, evaluated and edited. It contains the record's own key, so an
 * override follows a guest that migrates and a container that gets a new image. Saving a configuration also
 * accepts the ids of the documented API.
 */
export const overrideKey = (kind: OverrideKind, recordKey: string): string =>
  `${overrideKinds[kind]}:${recordKey}`
