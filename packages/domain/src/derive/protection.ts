import type { AnyRecord, Guest, Protection, PveBackup } from '@pulse/contract'
import { BackupAttempts } from './backup-attempts.ts'
import type { Derivation, Touch } from './derivation.ts'
import {
  heldBackup,
  isBroken,
  isLater,
  isRather,
  isSameBackup,
  numberedBackup,
  type NumberedBackup,
} from './held-backups.ts'
import { backupLocation, type Candidate, fittingAmong, ownersAmong } from './owners-of-backup.ts'

interface NumberedGuest extends Candidate {
  number: string
}

/** The backups of one guest. */
interface Held {
  newest?: NumberedBackup
  /** newest without a failed verification */
  good?: NumberedBackup
  /** newest that may belong to another guest */
  ambiguous?: NumberedBackup
}

/** All backups with one VMID, of any guest. */
interface BackupsOfNumber {
  backups: NumberedBackup[]
  /** by guest; undefined after a change */
  held: ReadonlyMap<string, Held> | undefined
}

/** The last backup of each guest, on a storage of its cluster or on a backup server, and its verification. */
export function protection(): Derivation {
  const guests = new Map<string, NumberedGuest>()
  const bearers = new Map<string, string[]>()
  const backups = {
    pveBackups: new Map<string, NumberedBackup>(),
    pbsBackups: new Map<string, NumberedBackup>(),
  }
  const byNumber = new Map<string, BackupsOfNumber>()
  const attempts = new BackupAttempts()
  /** protection records by VMID */
  const protections = new Map<string, Set<string>>()
  const numberOf = new Map<string, string>()
  /** VMIDs with dependents that were already touched, by touch */
  const touched = new WeakMap<Touch, Set<string>>()

  function changed(number: string, touch: Touch) {
    const ofNumber = byNumber.get(number)
    if (ofNumber) ofNumber.held = undefined
    const already = touched.get(touch)
    if (already?.has(number)) return
    // Guests are touched only once backups with their VMID exist, so before that the VMID is not marked as
    // touched.
    if (ofNumber && already) already.add(number)
    else if (ofNumber) touched.set(touch, new Set([number]))
    if (ofNumber) for (const guest of bearers.get(number) ?? []) touch('guests', guest)
    for (const id of protections.get(number) ?? []) touch('protections', id)
  }

  function noteGuest(id: string, guest: Guest | undefined, touch: Touch) {
    const before = guests.get(id)
    // Most changes of a guest do not affect ownership.
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

  function noteBackup(kind: keyof typeof backups, id: string, record: AnyRecord | undefined, touch: Touch) {
    const known = backups[kind]
    const before = known.get(id)
    const after = record && numberedBackup(kind, record)
    const isSame = before !== undefined && after !== undefined && isSameBackup(before, after)
    if (before && before.number === after?.number) {
      // `held` refers to this object, so it is updated in place.
      Object.assign(before, after)
      if (!isSame) changed(before.number, touch)
      return
    }
    if (before) {
      known.delete(id)
      const ofNumber = byNumber.get(before.number)!
      ofNumber.backups.splice(ofNumber.backups.indexOf(before), 1)
      changed(before.number, touch)
      if (ofNumber.backups.length === 0) byNumber.delete(before.number)
    }
    if (after) {
      known.set(id, after)
      const ofNumber = byNumber.get(after.number) ?? { backups: [], held: undefined }
      byNumber.set(after.number, ofNumber)
      ofNumber.backups.push(after)
      changed(after.number, touch)
    }
  }

  /** The VMID is part of the record's identity and never changes. */
  function noteProtection(id: string, record: Protection | undefined) {
    const number = record ? String(record.vmid) : numberOf.get(id)!
    const ids = protections.get(number) ?? new Set()
    if (record) {
      numberOf.set(id, number)
      protections.set(number, ids.add(id))
    } else {
      numberOf.delete(id)
      ids.delete(id)
      if (ids.size === 0) protections.delete(number)
    }
  }

  function heldOf(number: string, guest: string): Held | undefined {
    const ofNumber = byNumber.get(number)
    return ofNumber && (ofNumber.held ??= heldOn(number, ofNumber)).get(guest)
  }

  function heldOn(number: string, ofNumber: BackupsOfNumber): ReadonlyMap<string, Held> {
    const candidates = bearers.get(number)!.map((id) => ({ id, ...guests.get(id)! }))
    const byGuest = new Map<string, Held>(candidates.map(({ id }) => [id, {}]))
    const locations = locationsOf(ofNumber.backups)
    const among = fittingAmong(candidates)
    for (const backup of ofNumber.backups) {
      const { type, record } = backup
      const fitting = among(type, record.listedBy)
      const { sure, possible } =
        'list' in record
          ? fitting.listed(record)
          : ownersAmong(
              record,
              fitting.all,
              ({ source }) => locations.get(source)?.has(backupLocation(record)) === false,
            )
      for (const { id } of sure) {
        const known = byGuest.get(id)!
        known.newest = newer(known.newest, backup)
        if (!isBroken(backup)) known.good = newer(known.good, backup)
      }
      for (const { id } of possible) {
        const known = byGuest.get(id)!
        known.ambiguous = newer(known.ambiguous, backup)
      }
    }
    return byGuest
  }

  function completeGuest(id: string, guest: Guest): Guest {
    const at = provenAt(heldOf(guests.get(id)!.number, id)?.newest)
    return at === undefined ? guest : { ...guest, lastBackup: at }
  }

  function completeProtection(record: Protection): Protection {
    const number = String(record.vmid)
    const guest = bearers.get(number)?.find((id) => guests.get(id)!.source === record.source)
    const { newest, good, ambiguous } = (guest !== undefined && heldOf(number, guest)) || {}
    const run = attempts.newest(number, record.source, provenAt(newest))
    const isUnsure = ambiguous !== undefined && isLater(ambiguous, newest)
    if (!newest && !run.failed && run.succeeded === undefined && !isUnsure) return record
    return {
      ...record,
      ...(newest && { newest: heldBackup(newest) }),
      ...(good && good !== newest && { newestGood: heldBackup(good) }),
      ...run,
      ...(isUnsure && { ambiguous: heldBackup(ambiguous) }),
    }
  }

  return {
    reads: ['guests', 'pveBackups', 'pbsBackups', 'protections'],
    completes: ['guests', 'protections'],
    note(kind, id, record, touch) {
      if (kind === 'guests') return noteGuest(id, record as Guest | undefined, touch)
      if (kind === 'protections') return noteProtection(id, record as Protection | undefined)
      const task = kind === 'pveBackups' ? taskIn(record) : undefined
      if (kind === 'pveBackups') for (const number of attempts.note(id, task)) changed(number, touch)
      if (!task) noteBackup(kind as keyof typeof backups, id, record, touch)
    },
    complete: (kind, id, record) =>
      kind === 'guests' ? completeGuest(id, record as Guest) : completeProtection(record as Protection),
  }
}

/** The backup server locations where each cluster lists backups. */
function locationsOf(backups: readonly NumberedBackup[]): ReadonlyMap<string, ReadonlySet<string>> {
  const locations = new Map<string, Set<string>>()
  for (const { record } of backups) {
    if ('list' in record) continue
    for (const cluster of record.listedBy ?? []) {
      const known = locations.get(cluster)
      if (known) known.add(backupLocation(record))
      else locations.set(cluster, new Set([backupLocation(record)]))
    }
  }
  return locations
}

function taskIn(record: AnyRecord | undefined) {
  const backup = record as PveBackup | undefined
  return backup?.list === 'backupTasks' ? backup : undefined
}

/** The time of a backup, unless its date is in the future. */
const provenAt = (backup: NumberedBackup | undefined): number | undefined =>
  backup?.record.future ? undefined : backup?.at

/** Copies of a backup have the same time. The best one counts, in whatever order they arrive. */
function newer(known: NumberedBackup | undefined, one: NumberedBackup): NumberedBackup {
  if (known === undefined || isLater(one, known)) return one
  return !isLater(known, one) && isRather(one, known) ? one : known
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
