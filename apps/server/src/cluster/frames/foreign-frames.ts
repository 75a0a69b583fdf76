import { type AnyRecord, connectionKey, type PbsBackup, recordSchemas, SourceState } from '@pulse/contract'
import type { Frame } from '@pulse/domain'
import { forgedRecords, type KnownConnection } from './foreign-records.ts'

export interface ForeignFrameEdges {
  /** as this process knows it */
  own: KnownConnection
  connections: () => Iterable<KnownConnection>
  /** the site that has the Ceph cluster already */
  siteOfCeph: (fsid: string) => string | undefined
}

/** `left`: why records are not in it. */
type Believed = { frame: Frame; left: ReadonlySet<string> } | { refused: string }

/**
 * What is believed of a frame of another site's collector: records of the form of their kind, about its own connection. A
 * newer version of it may send records that this process does not understand: those are left out.
 */
export function believedFrame(frame: Frame, { own, connections, siteOfCeph }: ForeignFrameEdges): Believed {
  const left = new Set<string>()
  const records: Record<string, { put: [string, AnyRecord][]; remove: string[] }> = {}
  for (const [kind, { put, remove }] of Object.entries(frame.records)) {
    if (!Object.hasOwn(recordSchemas, kind)) continue
    const understood: [string, AnyRecord][] = []
    for (const [id, record] of put) {
      const { success, data } = recordSchemas[kind as 'guests'].safeParse(record)
      if (!success) left.add(`a record of ${kind} has not the form of its kind`)
      else if (kind === 'cephClusters' && (siteOfCeph(id) ?? own.site) !== own.site)
        left.add('a Ceph cluster belongs to another site')
      else {
        // each receiver finds out itself which clusters list a backup
        if ('listedBy' in data) delete (data as AnyRecord as PbsBackup).listedBy
        understood.push([id, data])
      }
    }
    records[kind] = { put: understood, remove }
  }
  const believed = { ...frame, isForeign: true, records } as Frame
  const forged = forgedRecords(believed, own, connections)
  if (forged !== undefined) return { refused: forged }
  if (frame.state === undefined) return { frame: believed, left }
  const { success, data } = SourceState.safeParse(frame.state)
  if (!success) return { refused: 'the state of the source has not its form' }
  const { site, kind, name } = own
  return { frame: { ...believed, state: { ...data, site, kind, name: connectionKey(kind, name) } }, left }
}
