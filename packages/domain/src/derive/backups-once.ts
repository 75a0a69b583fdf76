import type { AnyRecord, PbsBackup, PveBackup } from '@pulse/contract'
import type { Derivation, Touch } from './derivation.ts'

type Listing = 'pbsBackups' | 'pveBackups'
type Listed = PbsBackup | Extract<PveBackup, { list: 'storageBackups' }>

/** What was listed as one snapshot: mostly by one, so no set is kept for it. */
type Ids = string | readonly string[]

const otherOf = { pbsBackups: 'pveBackups', pveBackups: 'pbsBackups' } as const

/**
 * A backup on a backup server is listed by the server, and by each cluster that has it as a storage. It is shown once,
 * as the server has it, and knows who lists it: that tells whose guest it is when several have its number. Of a server
 * that is not watched each cluster's listing is shown, and knows of the others.
 */
export function backupsOnce(): Derivation {
  const listed = { pbsBackups: new Map<string, Listed>(), pveBackups: new Map<string, Listed>() }
  const bySnapshot = { pbsBackups: new Map<string, Ids>(), pveBackups: new Map<string, Ids>() }

  /** The same backup in that kind of listing; a size that is not known says nothing. */
  function* within(kind: Listing, snapshot: string, { size }: Listed): Generator<[string, Listed]> {
    for (const id of asList(bySnapshot[kind].get(snapshot))) {
      const one = listed[kind].get(id)!
      if (one.size === size || one.size === 0 || size === 0) yield [id, one]
    }
  }

  function sourcesIn(kind: Listing, one: Listed): string[] {
    const sources = new Set<string>()
    for (const [, { source }] of within(kind, snapshotIn(one)!, one)) sources.add(source)
    return [...sources].sort()
  }

  function touchOthers(kind: Listing, snapshot: string, one: Listed, touch: Touch) {
    for (const [id] of within(otherOf[kind], snapshot, one)) touch(otherOf[kind], id)
    if (kind === 'pveBackups') for (const [id] of within(kind, snapshot, one)) touch(kind, id)
  }

  function forget(kind: Listing, snapshot: string, id: string) {
    listed[kind].delete(id)
    const rest = asList(bySnapshot[kind].get(snapshot)).filter((one) => one !== id)
    if (rest.length === 0) bySnapshot[kind].delete(snapshot)
    else bySnapshot[kind].set(snapshot, rest.length === 1 ? rest[0]! : rest)
  }

  function remember(kind: Listing, snapshot: string, id: string, one: Listed) {
    listed[kind].set(id, one)
    const known = bySnapshot[kind].get(snapshot)
    bySnapshot[kind].set(snapshot, known === undefined ? id : [...asList(known), id])
  }

  return {
    reads: ['pbsBackups', 'pveBackups'],
    completes: ['pbsBackups', 'pveBackups'],
    note(kind, id, record, touch) {
      const listing = kind as Listing
      const before = listed[listing].get(id)
      const then = before && snapshotIn(before)
      const now = record && snapshotIn(record)
      if (before && now !== undefined && then === now && isStill(before, record as Listed)) {
        listed[listing].set(id, record as Listed)
        return
      }
      if (before && then !== undefined) {
        touchOthers(listing, then, before, touch)
        forget(listing, then, id)
      }
      if (now !== undefined) {
        remember(listing, now, id, record as Listed)
        touchOthers(listing, now, record as Listed, touch)
      }
    },
    complete(kind, id, record) {
      const listing = kind as Listing
      const one = listed[listing].get(id)
      if (!one) return record
      const others = sourcesIn(otherOf[listing], one)
      if (kind === 'pbsBackups')
        return others.length > 0 ? { ...(record as PbsBackup), listedBy: others } : record
      if (others.length > 0) return undefined
      const clusters = sourcesIn(listing, one)
      return clusters.length > 1 ? ({ ...(record as PveBackup), listedBy: clusters } as PveBackup) : record
    },
  }
}

const asList = (ids: Ids | undefined): readonly string[] =>
  ids === undefined ? [] : typeof ids === 'string' ? [ids] : ids

const isStill = (one: Listed, other: Listed) => one.size === other.size && one.source === other.source

/** The same wherever it is listed; undefined for what can be in no other listing. */
function snapshotIn(record: AnyRecord): string | undefined {
  if (!('list' in record)) {
    const { backupType, vmid, backupTime } = record as PbsBackup
    return snapshotOf(backupType, vmid, backupTime)
  }
  const backup = record as PveBackup
  if (backup.list !== 'storageBackups' || !backup.isPBS) return undefined
  // storage:backup/vm/100/2026-01-01T00:00:00Z
  const [, type, id, time] = backup.volid.slice(backup.volid.indexOf(':') + 1).split('/')
  return type === undefined || id === undefined || time === undefined ? undefined : snapshotOf(type, id, time)
}

const snapshotOf = (type: string, id: string, time: string) => `${type}/${id}/${Date.parse(time)}`
