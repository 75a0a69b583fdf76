import type { Datastore } from '@pulse/contract'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import type { BackupRow } from './backup-row.ts'
import { isRoot } from './texts.ts'

/** A place on a backup server that is currently unreadable: since when, and why. */
export interface OldPlace {
  since: number
  reason: string | undefined
}

type OldPlaces = ReadonlyMap<string, OldPlace>

/** For an unreadable datastore or namespace; undefined while the place can be read. */
export function oldPlaceOf(
  live: LiveReader,
  { place: server, datastore, namespace }: Pick<BackupRow, 'place' | 'datastore' | 'namespace'>,
): OldPlace | undefined {
  if (datastore === undefined) return undefined
  const places = oldPlaces(live)
  if (places.size === 0) return undefined
  return places.get(storeKey(server, datastore)) ?? places.get(spaceKey(server, datastore, namespace))
}

const oldPlaces = perVersion(
  ['datastores'],
  (live): OldPlaces => new Map([...live.records('datastores').values()].flatMap(oldIn)),
)

function oldIn({ source, name, staleSince, error, namespaces = [] }: Datastore): [string, OldPlace][] {
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
