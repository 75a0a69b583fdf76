import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import type { Tracked } from './tracked.ts'

/** Restored alerts without a record are checked at this interval. */
export const unconfirmedMs = 15 * 60_000
/** It is not always known whether a list has been read. After this time it counts as read. */
const listsComeMs = 24 * 3_600_000

/** Kinds that every answer of a source contains. Other lists arrive later, or cannot be read. */
const sentWithAnswer: readonly RecordKind[] = [
  'sources',
  'nodes',
  'guests',
  'pbs',
  'pmg',
  'dockerHosts',
  'dockerContainers',
]

/** Why a restored alert stays open although no record has confirmed it. */
export function unconfirmedReason(one: Tracked, tables: Tables, runsMs: number): string | undefined {
  const source = tables.sources.get(one.source)
  if (!source) return undefined
  const isThere = source.health === 'healthy' || source.health === 'degraded'
  if (!isThere || source.staleSince !== undefined) return `${source.name} has not answered.`
  const name = one.open?.alert.node ?? one.cleared?.node ?? ''
  const node = tables.nodes.get(`${one.source}:${name}`)
  if (node && (node.status !== 'online' || node.staleSince !== undefined))
    return `Node ${name} has not answered.`
  if (runsMs >= listsComeMs) return undefined
  if (source.unreadable?.length) return 'A part of its source cannot be read.'
  if (sentWithAnswer.includes(one.kind) || tables[one.kind].has(one.record)) return undefined
  const ofNode = node && name
  for (const other of tables[one.kind].values() as Iterable<AnyRecord>)
    if (isFrom(other, one.source) && (!ofNode || !('node' in other) || other.node === name)) return undefined
  return 'Its list has not been read.'
}

const isFrom = (record: AnyRecord, source: string) => !('source' in record) || record.source === source
