import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import type { Tracked } from './tracked.ts'

/** A record that has not been seen since a restart is looked for after so long, and so often. */
export const unseenMs = 15 * 60_000
/** Whether a list has been read is not always known: it has that long. */
const listsComeMs = 24 * 3_600_000

/** Kinds that a source tells whenever it answers; the lists of others come later, or cannot be read. */
const toldWithAnswer: readonly RecordKind[] = [
  'sources',
  'nodes',
  'guests',
  'pbs',
  'pmg',
  'dockerHosts',
  'dockerContainers',
]

/** Why what an alert from before the start reports may still be so, though nothing has named it since. */
export function unseenReason(one: Tracked, tables: Tables, runsMs: number): string | undefined {
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
  if (toldWithAnswer.includes(one.kind) || tables[one.kind].has(one.record)) return undefined
  const ofNode = node && name
  for (const other of tables[one.kind].values() as Iterable<AnyRecord>)
    if (isFrom(other, one.source) && (!ofNode || !('node' in other) || other.node === name)) return undefined
  return 'Its list has not been read.'
}

const isFrom = (record: AnyRecord, source: string) => !('source' in record) || record.source === source
