import type { AnyRecord, Guest, PbsBackup, PveBackup, RecordKind } from '@pulse/contract'
import { isEqual } from '../state/patch.ts'
import type { Derivation, Touch } from './derivation.ts'
import { type Candidate, ownersOf } from './owners-of-backup.ts'

interface NumberedGuest extends Candidate {
  number: string
}

interface NumberedBackup {
  number: string
  /** of the guest; `unknown` fits all */
  type: string
  at: number
  /** where it lies: with a cluster, or on a backup server */
  of: { source: string } | Pick<PbsBackup, 'namespace' | 'comment' | 'listedBy'>
}

/** All backups of one number, whichever guests bear it. */
interface Shelf {
  backups: Map<string, NumberedBackup>
  /** newest backup by guest; undefined when something changed since */
  newest: ReadonlyMap<string, number> | undefined
}

/** When a guest was last backed up, to a storage of its cluster or to a backup server. */
export function lastBackup(): Derivation {
  const guests = new Map<string, NumberedGuest>()
  const bearers = new Map<string, string[]>()
  const backups = new Map<string, NumberedBackup>()
  const shelves = new Map<string, Shelf>()

  function changed(number: string, touch: Touch) {
    const shelf = shelves.get(number)
    if (!shelf) return
    shelf.newest = undefined
    for (const guest of bearers.get(number) ?? []) touch('guests', guest)
  }

  function noteGuest(id: string, guest: Guest | undefined, touch: Touch) {
    const before = guests.get(id)
    // Most of what changes of a guest has nothing to do with whose backup is whose.
    if (before && guest && isStill(before, guest)) return
    const after = guest && numbered(guest)
    if (before) {
      guests.delete(id)
      const others = bearers.get(before.number)!.filter((one) => one !== id)
      if (others.length > 0) bearers.set(before.number, others)
      else bearers.delete(before.number)
      changed(before.number, touch)
    }
    if (after) {
      guests.set(id, after)
      bearers.set(after.number, [...(bearers.get(after.number) ?? []), id])
      changed(after.number, touch)
    }
  }

  function noteBackup(id: string, after: NumberedBackup | undefined, touch: Touch) {
    const before = backups.get(id)
    if (isEqual(before, after)) return
    if (before) {
      backups.delete(id)
      const shelf = shelves.get(before.number)!
      shelf.backups.delete(id)
      changed(before.number, touch)
      if (shelf.backups.size === 0) shelves.delete(before.number)
    }
    if (after) {
      backups.set(id, after)
      const shelf = shelves.get(after.number) ?? { backups: new Map(), newest: undefined }
      shelves.set(after.number, shelf)
      shelf.backups.set(id, after)
      changed(after.number, touch)
    }
  }

  function newestOn(number: string, shelf: Shelf): ReadonlyMap<string, number> {
    const candidates = bearers.get(number)!.map((id) => ({ id, ...guests.get(id)! }))
    const newest = new Map<string, number>()
    for (const { type, at, of } of shelf.backups.values()) {
      const fitting = candidates.filter((guest) => type === 'unknown' || guest.type === type)
      const owners =
        'source' in of ? fitting.filter(({ source }) => source === of.source) : ownersOf(of, fitting)
      for (const { id } of owners) newest.set(id, Math.max(at, newest.get(id) ?? 0))
    }
    return newest
  }

  return {
    reads: ['guests', 'pveBackups', 'pbsBackups'],
    completes: ['guests'],
    note(kind, id, record, touch) {
      if (kind === 'guests') noteGuest(id, record as Guest | undefined, touch)
      else noteBackup(`${kind} ${id}`, record && numberedBackup(kind, record), touch)
    },
    complete(_kind, id, record) {
      const number = guests.get(id)!.number
      const shelf = shelves.get(number)
      const at = shelf && (shelf.newest ??= newestOn(number, shelf)).get(id)
      return at === undefined ? record : { ...(record as Guest), lastBackup: at }
    },
  }
}

const isStill = (known: NumberedGuest, { vmid, source, instance, name, type }: Guest) =>
  known.number === String(vmid) &&
  known.source === source &&
  known.instance === instance &&
  known.name === name &&
  known.type === type

const numbered = ({ vmid, source, instance, name, type }: Guest): NumberedGuest => ({
  number: String(vmid),
  source,
  instance,
  name,
  type,
})

const guestTypes: Record<string, string> = { vm: 'qemu', ct: 'lxc' }

/** undefined for what is no backup of a guest. */
function numberedBackup(kind: RecordKind, record: AnyRecord): NumberedBackup | undefined {
  if (kind === 'pbsBackups') {
    const { backupType, vmid, backupTime, namespace, comment, listedBy } = record as PbsBackup
    const at = Date.parse(backupTime)
    const type = guestTypes[backupType]
    if (type === undefined || Number.isNaN(at)) return undefined
    return { number: vmid, type, at, of: { namespace, comment, listedBy } }
  }
  const backup = record as PveBackup
  if (backup.list !== 'storageBackups' || backup.type === 'host') return undefined
  const { source, type, ctime, vmid } = backup
  return { number: String(vmid), type, at: ctime * 1000, of: { source } }
}
