import {
  type AnyRecord,
  connectionKey,
  kindOf,
  mainSite,
  type RecordKind,
  recordSchemas,
  type SourceKind,
} from '@pulse/contract'
import type { Frame } from '@pulse/domain'

/** A connection as the database has it. */
export interface KnownConnection {
  site: string
  kind: SourceKind
  name: string
}

/** Collectors of other sites have no database. What they send is believed about their own connections only. */
export const isForeign = (site: string | undefined): boolean => site !== undefined && site !== mainSite

/** No connection has these: each process makes them itself, or the one that leads sends them. */
const ofNoConnection: ReadonlySet<string> = new Set<RecordKind>([
  'activeAlerts',
  'dockerContainers',
  'dockerHosts',
  'forecasts',
  'meta',
  'nodeSensors',
  'recentlyResolved',
  'sources',
])

const ofKind: Record<SourceKind, ReadonlySet<string>> = {
  pve: new Set<RecordKind>([
    'nodes',
    'guests',
    'storage',
    'physicalDisks',
    'cephClusters',
    'pveBackups',
    'protections',
    'replicationJobs',
  ]),
  pbs: new Set<RecordKind>(['pbs', 'datastores', 'pbsBackups']),
  pmg: new Set<RecordKind>(['pmg', 'pmgBackups']),
}

/**
 * Why records in a frame of a connection are not its own; undefined: nothing shows that. The collectors of a site must not
 * be able to change what is shown of another one.
 */
export function foreignRecords(
  { source, records }: Pick<Frame, 'source' | 'records'>,
  isConnection: (id: string) => boolean,
): string | undefined {
  const isForeignId = (id: string) => {
    if (id.startsWith(`${source}:`)) return false
    const end = id.indexOf(':')
    const owner = end < 0 ? id : id.slice(0, end)
    return owner !== source && isConnection(owner)
  }
  for (const [kind, { put, remove }] of Object.entries(records)) {
    // of a newer version, and taken by nothing; a sender may have chosen any text
    if (!Object.hasOwn(recordSchemas, kind)) continue
    if (ofNoConnection.has(kind) && put.length + remove.length > 0)
      return `a connection has no records of the kind ${kind}`
    for (const [id, record] of put) {
      const named = 'source' in record ? record.source : source
      if (named !== source || isForeignId(id)) return `a record of ${kind} belongs to another source`
    }
  }
  return undefined
}

/** The same about what only a dishonest collector would send. The records have the form of their kind. */
export function forgedRecords(
  { records }: Pick<Frame, 'records'>,
  own: KnownConnection,
  all: () => Iterable<KnownConnection>,
): string | undefined {
  const names = createNames(own, all)
  for (const [kind, { put }] of Object.entries(records) as [RecordKind, Frame['records']['guests'] & {}][]) {
    if (put.length > 0 && !ofKind[own.kind].has(kind))
      return `a ${own.kind} connection has no records of the kind ${kind}`
    const { key } = kindOf(kind)
    for (const [id, record] of put) {
      if (key?.(record as never) !== id) return `a record of ${kind} has another identity than its fields`
      if (names.isOfOther(record)) return `a record of ${kind} has the name of another connection`
    }
  }
  return undefined
}

/** Ids of hosts and guests begin with the name of their connection. A new name may arrive a while after its frames. */
function createNames(own: KnownConnection, all: () => Iterable<KnownConnection>) {
  let others: KnownConnection[] | undefined
  const isWithin = (id: string, { kind, name }: KnownConnection) => {
    const key = connectionKey(kind, name)
    return id === key || id.startsWith(`${key}-`)
  }
  const isElsewhere = (other: KnownConnection) => other.kind !== own.kind || other.name !== own.name
  return {
    isOfOther(record: AnyRecord): boolean {
      const { id, server, instance } = record as { id?: string; server?: string; instance?: string }
      const ids = [id, server].filter((one) => one !== undefined && !isWithin(one, own)) as string[]
      const isOtherInstance = instance !== undefined && instance !== own.name
      if (ids.length === 0 && !isOtherInstance) return false
      others ??= [...all()].filter(isElsewhere)
      return others.some(
        (other) => ids.some((one) => isWithin(one, other)) || (isOtherInstance && instance === other.name),
      )
    },
  }
}
