import type { Datastore } from '@pulse/contract'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import type { BackupRow } from './backup-row.ts'
import { isRoot } from './texts.ts'

/** A datastore or namespace of a backup server that is currently unreadable: since when, and why. */
export interface StaleLocation {
  since: number
  reason: string | undefined
}

type StaleLocations = ReadonlyMap<string, StaleLocation>

/** For an unreadable datastore or namespace; undefined while it can be read. */
export function staleLocationOf(
  live: LiveReader,
  { hostKey: server, datastore, namespace }: Pick<BackupRow, 'hostKey' | 'datastore' | 'namespace'>,
): StaleLocation | undefined {
  if (datastore === undefined) return undefined
  const locations = staleLocations(live)
  if (locations.size === 0) return undefined
  return locations.get(storeKey(server, datastore)) ?? locations.get(spaceKey(server, datastore, namespace))
}

const staleLocations = perVersion(
  ['datastores'],
  (live): StaleLocations => new Map([...live.records('datastores').values()].flatMap(staleIn)),
)

function staleIn({ source, name, staleSince, error, namespaces = [] }: Datastore): [string, StaleLocation][] {
  if (staleSince !== undefined) return [[storeKey(source, name), { since: staleSince, reason: error }]]
  return namespaces.flatMap((one) =>
    one.staleSince === undefined
      ? []
      : [[spaceKey(source, name, one.path), { since: one.staleSince, reason: one.error }]],
  )
}

const storeKey = (server: string, datastore: string) => `${server}\0${datastore}`
const spaceKey = (server: string, datastore: string, namespace: string | undefined) =>
  `${storeKey(server, datastore)}\0${isRoot(namespace) ? '' : namespace}`
