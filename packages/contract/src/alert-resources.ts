import type { RecordKind } from './kinds.ts'

/** Kinds of records that thresholds can be set for one by one, and what stands before their keys. */
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
 * Under which overrides are stored, evaluated and edited: by the record's own key, so it moves with a guest that migrates
 * and with a container that gets a new image. The names of the documented API are taken in its place when a
 * configuration is saved.
 */
export const overrideKey = (kind: OverrideKind, recordKey: string): string =>
  `${overrideKinds[kind]}:${recordKey}`
