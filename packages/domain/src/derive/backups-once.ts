import type { AnyRecord, PbsBackup, PveBackup } from '@pulse/contract'
import { sharedLists } from '../shared-lists.ts'
import type { Derivation, Touch } from './derivation.ts'

type Listing = 'pbsBackups' | 'pveBackups'
type Listed = PbsBackup | Extract<PveBackup, { list: 'storageBackups' }>

/**
 * Ids of the listings of one snapshot. Most snapshots have one listing, which is stored as the bare id to
 * save memory.
 */
type Ids = string | Several

interface Several {
  ids: readonly string[]
  /** cached: the sources that list it with this size */
  sources: string[] | undefined
  size: number
}

const otherOf = { pbsBackups: 'pveBackups', pveBackups: 'pbsBackups' } as const

/**
 * A backup on a backup server is listed by the server, and by each cluster that uses it as a storage. Pages
 * show it once, as the server lists it, with the clusters in `listedBy`. These decide which guest it belongs
 * to if several have the VMID. For a server that Pulse does not monitor, each cluster's listing is shown, and
 * lists the others.
 */
export function backupsOnce(): Derivation {
  const listed = { pbsBackups: new Map<string, Listed>(), pveBackups: new Map<string, Listed>() }
  const bySnapshot = { pbsBackups: new Map<string, Ids>(), pveBackups: new Map<string, Ids>() }

  const lists = sharedLists(mostShared)

  /** Touches the listings of that size. An unknown size matches all. */
  function touchWithin(kind: Listing, snapshot: string, size: number, touch: Touch) {
    for (const id of idsOf(bySnapshot[kind].get(snapshot)))
      if (isSize(listed[kind].get(id)!.size, size)) touch(kind, id)
  }

  function sourcesIn(kind: Listing, snapshot: string, size: number): string[] {
    const known = bySnapshot[kind].get(snapshot)
    if (known === undefined) return []
    if (typeof known === 'string') {
      const one = listed[kind].get(known)!
      return isSize(one.size, size) ? lists([one.source]) : []
    }
    if (known.sources && known.size === size) return known.sources
    const sources = new Set<string>()
    for (const id of known.ids) {
      const one = listed[kind].get(id)!
      if (isSize(one.size, size)) sources.add(one.source)
    }
    known.size = size
    return (known.sources = lists([...sources].sort()))
  }

  function touchOthers(kind: Listing, snapshot: string, { size }: Listed, touch: Touch) {
    touchWithin(otherOf[kind], snapshot, size, touch)
    if (kind === 'pveBackups') touchWithin(kind, snapshot, size, touch)
  }

  function forget(kind: Listing, snapshot: string, id: string) {
    listed[kind].delete(id)
    const rest = idsOf(bySnapshot[kind].get(snapshot)).filter((one) => one !== id)
    if (rest.length === 0) bySnapshot[kind].delete(snapshot)
    else bySnapshot[kind].set(snapshot, rest.length === 1 ? rest[0]! : several(rest))
  }

  function remember(kind: Listing, snapshot: string, id: string, one: Listed) {
    listed[kind].set(id, one)
    const known = bySnapshot[kind].get(snapshot)
    bySnapshot[kind].set(snapshot, known === undefined ? id : several([...idsOf(known), id]))
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
      const snapshot = snapshotIn(one)!
      const others = sourcesIn(otherOf[listing], snapshot, one.size)
      if (kind === 'pbsBackups')
        return others.length > 0 ? { ...(record as PbsBackup), listedBy: others } : record
      if (others.length > 0) return undefined
      const clusters = sourcesIn(listing, snapshot, one.size)
      return clusters.length > 1 ? ({ ...(record as PveBackup), listedBy: clusters } as PveBackup) : record
    },
  }
}

const several = (ids: readonly string[]): Several => ({ ids, sources: undefined, size: 0 })

/** Lists beyond this number are not cached. */
const mostShared = 1_000

const idsOf = (ids: Ids | undefined): readonly string[] =>
  ids === undefined ? [] : typeof ids === 'string' ? [ids] : ids.ids

/** An unknown size matches all. */
const isSize = (one: number, other: number) => one === other || one === 0 || other === 0

const isStill = (one: Listed, other: Listed) => one.size === other.size && one.source === other.source

/** Identifies a snapshot across listings; undefined for a backup that no other listing can contain. */
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
