import type { AnyRecord, FileSystem, HistoryChange, PastState, RecordKind } from '@pulse/contract'
import { fileSystemId, type Tables } from '@pulse/domain'
import type { Mask } from '../masking/mask.ts'
import type { History } from './history.ts'

/**
 * The real id for each substitute that callers of a demonstration have. A real id that has a substitute finds nothing,
 * so that no caller can try names.
 */
export function realIds(tables: Tables, mask: Mask): (kind: RecordKind, id: string) => string {
  return (kind, id) => {
    for (const own of tables[kind].keys()) if (mask.id(own) === id) return own
    return mask.id(id)
  }
}

/** Kinds whose names are those of connections. */
const named: readonly string[] = ['sources', 'pbs', 'pmg', 'dockerHosts']
/** Fields of other records that have such a name. */
const namingFields = ['instance', 'server']
/** Kinds whose notices have such a name as their place. */
const placedByName: readonly string[] = ['datastores', 'dockerContainers']

/** The mask knows the connections that exist. A past state has others. */
export function learnRecords(mask: Mask, state: PastState['frame']['state']): void {
  for (const [kind, records] of Object.entries(state)) {
    const fields = named.includes(kind) ? ['name', 'displayName'] : namingFields
    for (const record of records as Record<string, unknown>[])
      for (const field of fields) if (typeof record[field] === 'string') mask.learn(record[field])
  }
}

export function learnNotices(mask: Mask, notices: readonly HistoryChange[]): void {
  for (const { kind, what, name, where, from, to } of notices) {
    const names = named.includes(kind) ? [name, ...(what === 'renamed' ? [from, to] : [])] : []
    if (placedByName.includes(kind)) names.push(where)
    for (const one of names) if (typeof one === 'string') mask.learn(one)
  }
}

/** finds nothing */
const nothing = '-'

/** Pages make the id of a file system from its masked names. */
function shownId(mask: Mask, kind: RecordKind, id: string, record: AnyRecord): string {
  if (kind !== 'fileSystems') return mask.id(id)
  const { guestId, disk } = record as FileSystem
  const isNamed = disk.mountpoint || disk.device
  return isNamed ? fileSystemId(mask.id(guestId), mask.deep(disk), 0) : mask.id(id)
}

type Reads = Pick<History, 'charts' | 'series' | 'trends'>

/** The samples for the ids that callers of a demonstration have. */
export function maskedReads(history: Reads, tables: Tables, mask: Mask): Reads {
  function realOf(kind: RecordKind, ids: readonly string[]): string[] {
    const own = new Map<string, string>()
    for (const [id, record] of tables[kind] as ReadonlyMap<string, AnyRecord>)
      own.set(shownId(mask, kind, id, record), id)
    return ids.map((id) => {
      const masked = mask.id(id)
      return own.get(id) ?? (tables[kind].has(masked) ? nothing : masked)
    })
  }
  function asReal<R extends { id: string }>(kind: RecordKind, records: readonly R[]): R[] {
    const ids = realOf(
      kind,
      records.map(({ id }) => id),
    )
    return records.map((record, n) => ({ ...record, id: ids[n]! }))
  }
  return {
    charts: (kind, records, ...rest) => history.charts(kind, asReal(kind, records), ...rest),
    series(kind, records, ...rest) {
      const shown = asReal(kind, records).map(({ id, shown: asked }) => ({
        id,
        shown: tables[kind].has(id) ? asked : mask.id(asked),
      }))
      return history.series(kind, shown, ...rest)
    },
    async trends(field, ids, ...rest) {
      const trends = await history.trends(field, realOf(field.kind, ids), ...rest)
      return { ...trends, ids: trends.ids.map((id) => mask.id(id)) }
    },
  }
}
