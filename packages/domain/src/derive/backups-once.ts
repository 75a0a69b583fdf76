import type { AnyRecord, PbsBackup, PveBackup, RecordKind } from '@pulse/contract'
import { isEqual } from '../state/patch.ts'
import type { Derivation, Touch } from './derivation.ts'

interface Seen {
  /** of the backup, the same wherever it is listed */
  snapshot: string
  size: number
  source: string
}

/**
 * A backup on a backup server is listed by the server, and by each cluster that has it as a storage. It is shown once,
 * as the server has it, and knows who lists it: that tells whose guest it is when several have its number.
 */
export function backupsOnce(): Derivation {
  const seen = { pbsBackups: new Map<string, Seen>(), pveBackups: new Map<string, Seen>() }
  type Listing = keyof typeof seen
  const bySnapshot = new Map<string, Record<Listing, Set<string>>>()
  const otherOf = { pbsBackups: 'pveBackups', pveBackups: 'pbsBackups' } as const

  /** The same backup in the other kind of listing; a size that is not known says nothing. */
  function* partners(kind: Listing, { snapshot, size }: Seen): Generator<[string, Seen]> {
    const other = otherOf[kind]
    for (const id of bySnapshot.get(snapshot)?.[other] ?? []) {
      const one = seen[other].get(id)!
      if (one.size === size || one.size === 0 || size === 0) yield [id, one]
    }
  }

  function touchPartners(kind: Listing, one: Seen, touch: Touch) {
    for (const [id] of partners(kind, one)) touch(otherOf[kind], id)
  }

  function forget(kind: Listing, id: string, one: Seen) {
    seen[kind].delete(id)
    const lists = bySnapshot.get(one.snapshot)!
    lists[kind].delete(id)
    if (lists.pbsBackups.size + lists.pveBackups.size === 0) bySnapshot.delete(one.snapshot)
  }

  function remember(kind: Listing, id: string, one: Seen) {
    seen[kind].set(id, one)
    const lists = bySnapshot.get(one.snapshot) ?? { pbsBackups: new Set(), pveBackups: new Set() }
    bySnapshot.set(one.snapshot, lists)
    lists[kind].add(id)
  }

  return {
    reads: ['pbsBackups', 'pveBackups'],
    completes: ['pbsBackups', 'pveBackups'],
    note(kind, id, record, touch) {
      const listing = kind as Listing
      const before = seen[listing].get(id)
      const after = record && identify(kind, record)
      if (before && after && isEqual(before, after)) return
      if (before) {
        touchPartners(listing, before, touch)
        forget(listing, id, before)
      }
      if (after) {
        remember(listing, id, after)
        touchPartners(listing, after, touch)
      }
    },
    complete(kind, id, record) {
      const one = seen[kind as Listing].get(id)
      if (!one) return record
      const sources = new Set<string>()
      for (const [, { source }] of partners(kind as Listing, one)) sources.add(source)
      if (sources.size === 0) return record
      if (kind === 'pveBackups') return undefined
      return { ...(record as PbsBackup), listedBy: [...sources].sort() }
    },
  }
}

/** undefined for what can be in no other listing. */
function identify(kind: RecordKind, record: AnyRecord): Seen | undefined {
  if (kind === 'pbsBackups') {
    const { backupType, vmid, backupTime, size, source } = record as PbsBackup
    return { snapshot: snapshotOf(backupType, vmid, backupTime), size, source }
  }
  const backup = record as PveBackup
  if (backup.list !== 'storageBackups' || !backup.isPBS) return undefined
  // storage:backup/vm/100/2026-01-01T00:00:00Z
  const [, type, id, time] = backup.volid.slice(backup.volid.indexOf(':') + 1).split('/')
  if (type === undefined || id === undefined || time === undefined) return undefined
  return { snapshot: snapshotOf(type, id, time), size: backup.size, source: backup.source }
}

const snapshotOf = (type: string, id: string, time: string) => `${type}/${id}/${Date.parse(time)}`
