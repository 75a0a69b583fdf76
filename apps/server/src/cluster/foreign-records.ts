import type { RecordKind } from '@pulse/contract'
import type { Frame } from '@pulse/domain'

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

/**
 * Why records in a frame of a connection are not its own; undefined: nothing shows that. The collectors of a site must not
 * be able to change what is shown of another one.
 */
export function foreignRecords(
  { source, records }: Pick<Frame, 'source' | 'records'>,
  isConnection: (id: string) => boolean,
): string | undefined {
  const isForeign = (id: string) => {
    if (id.startsWith(`${source}:`)) return false
    const end = id.indexOf(':')
    const owner = end < 0 ? id : id.slice(0, end)
    return owner !== source && isConnection(owner)
  }
  for (const [kind, { put, remove }] of Object.entries(records)) {
    if (ofNoConnection.has(kind) && put.length + remove.length > 0)
      return `a connection has no records of the kind ${kind}`
    for (const [id, record] of put) {
      const named = 'source' in record ? record.source : source
      if (named !== source || isForeign(id)) return `a record of ${kind} belongs to another source`
    }
  }
  return undefined
}
