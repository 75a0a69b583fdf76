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
  bySource: Map<string, NumberedBackup[]>
  /** number of those that other guests than those of their source decide about or may own */
  shared: number
  /**
   * By guest: of one source while nothing is shared, so that a cluster costs nothing at those with the same VMIDs; else of
   * all. Absent after a change.
   */
  held: Map<string | typeof everyone, ReadonlyMap<string, Held>>
}

const everyone: unique symbol = Symbol('guests of all sources')
type Whom = string | typeof everyone

/** Whose guests a backup can belong to. A storage lists one of its own cluster, unless several clusters share it. */
function whomOf({ record }: NumberedBackup): Whom {
  if (!('list' in record)) return everyone
  const { source, listedBy } = record
  return listedBy?.some((one) => one !== source) ? everyone : source
}

/** The last backup of each guest, on a storage of its cluster or on a backup server, and its verification. */
export function protection(): Derivation {
  const guests = new Map<string, NumberedGuest>()
  /** guests by VMID and source */
  const bearers = new Map<string, Map<string, string[]>>()
  const backups = {
    pveBackups: new Map<string, NumberedBackup>(),
    pbsBackups: new Map<string, NumberedBackup>(),
  }
  const byNumber = new Map<string, BackupsOfNumber>()
  const attempts = new BackupAttempts()
  /** protection records by VMID and source */
  const protections = new Map<string, Map<string, string[]>>()
  const placeOf = new Map<string, { number: string; source: string }>()
  /** VMIDs with dependents that were already touched, by touch */
  const touched = new WeakMap<Touch, Set<string>>()

  function changed(number: string, whom: Whom, touch: Touch) {
    const ofNumber = byNumber.get(number)
    if (whom === everyone) ofNumber?.held.clear()
    ofNumber?.held.delete(whom)
    ofNumber?.held.delete(everyone)
    const already = touched.get(touch)
    const key = whom === everyone ? number : `${number} ${whom}`
    if (already?.has(number) || already?.has(key)) return
    // Guests are touched only once backups with their VMID exist, so before that the VMID is not marked as
    // touched.
    if (ofNumber && already) already.add(key)
    else if (ofNumber) touched.set(touch, new Set([key]))
    if (ofNumber) for (const guest of idsIn(bearers, number, whom)) touch('guests', guest)
    for (const id of idsIn(protections, number, whom)) touch('protections', id)
  }

  /** Whose backups a guest decides about. */
  const decidedBy = ({ number, source }: NumberedGuest): Whom =>
    (byNumber.get(number)?.shared ?? 0) > 0 ? everyone : source

  function noteGuest(id: string, guest: Guest | undefined, touch: Touch) {
    const before = guests.get(id)
    // Most changes of a guest do not affect ownership.
    if (before && guest && isStill(before, guest)) return
    const after = guest && numbered(guest)
    if (before) {
      guests.delete(id)
      dropId(bearers, before, id)
      changed(before.number, decidedBy(before), touch)
    }
    if (after) {
      guests.set(id, after)
      addId(bearers, after, id)
      changed(after.number, decidedBy(after), touch)
    }
  }

  function noteBackup(kind: keyof typeof backups, id: string, record: AnyRecord | undefined, touch: Touch) {
    const known = backups[kind]
    const before = known.get(id)
    const after = record && numberedBackup(kind, record)
    const isSame = before !== undefined && after !== undefined && isSameBackup(before, after)
    if (before && isSame) {
      // `held` refers to this object, so it is updated in place.
      Object.assign(before, after)
      return
    }
    if (before) {
      known.delete(id)
      const whom = whomOf(before)
      const ofNumber = byNumber.get(before.number)!
      const { source } = before.record
      const ofSource = ofNumber.bySource.get(source)!
      ofSource.splice(ofSource.indexOf(before), 1)
      if (ofSource.length === 0) ofNumber.bySource.delete(source)
      if (whom === everyone) ofNumber.shared--
      changed(before.number, whom, touch)
      if (ofNumber.bySource.size === 0) byNumber.delete(before.number)
    }
    if (after) {
      known.set(id, after)
      const whom = whomOf(after)
      const ofNumber = byNumber.get(after.number) ?? { bySource: new Map(), shared: 0, held: new Map() }
      byNumber.set(after.number, ofNumber)
      const { source } = after.record
      const ofSource = ofNumber.bySource.get(source)
      if (ofSource) ofSource.push(after)
      else ofNumber.bySource.set(source, [after])
      if (whom === everyone) ofNumber.shared++
      changed(after.number, whom, touch)
    }
  }

  /** The VMID is part of the record's identity and never changes. */
  function noteProtection(id: string, record: Protection | undefined) {
    const before = placeOf.get(id)
    const after = record && { number: String(record.vmid), source: record.source }
    if (before && before.source === after?.source) return
    if (before) {
      placeOf.delete(id)
      dropId(protections, before, id)
    }
    if (after) {
      placeOf.set(id, after)
      addId(protections, after, id)
    }
  }

  function heldOf(number: string, guest: string): Held | undefined {
    const ofNumber = byNumber.get(number)
    if (!ofNumber) return undefined
    const whom = decidedBy(guests.get(guest)!)
    const known = ofNumber.held.get(whom)
    if (known) return known.get(guest)
    const held = heldOn(number, ofNumber, whom)
    ofNumber.held.set(whom, held)
    return held.get(guest)
  }

  function heldOn(number: string, { bySource }: BackupsOfNumber, whom: Whom): ReadonlyMap<string, Held> {
    const candidates = idsIn(bearers, number, whom).map((id) => ({ id, ...guests.get(id)! }))
    const byGuest = new Map<string, Held>(candidates.map(({ id }) => [id, {}]))
    const all = whom === everyone ? [...bySource.values()].flat() : (bySource.get(whom) ?? [])
    const locations = locationsOf(all)
    const among = fittingAmong(candidates)
    for (const backup of all) {
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
    const guest = bearers.get(number)?.get(record.source)?.[0]
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
      if (kind === 'pveBackups')
        for (const [number, source] of attempts.note(id, task)) changed(number, source, touch)
      if (!task) noteBackup(kind as keyof typeof backups, id, record, touch)
    },
    complete: (kind, id, record) =>
      kind === 'guests' ? completeGuest(id, record as Guest) : completeProtection(record as Protection),
  }
}

/** Ids by VMID and source. */
type Ids = Map<string, Map<string, string[]>>

function idsIn(ids: Ids, number: string, whom: Whom): readonly string[] {
  const bySource = ids.get(number)
  if (!bySource) return []
  return whom === everyone ? [...bySource.values()].flat() : (bySource.get(whom) ?? [])
}

function addId(ids: Ids, { number, source }: { number: string; source: string }, id: string) {
  const bySource = ids.get(number) ?? new Map<string, string[]>()
  ids.set(number, bySource)
  bySource.set(source, [...(bySource.get(source) ?? []), id])
}

function dropId(ids: Ids, { number, source }: { number: string; source: string }, id: string) {
  const bySource = ids.get(number)!
  const others = bySource.get(source)!.filter((one) => one !== id)
  if (others.length > 0) bySource.set(source, others)
  else bySource.delete(source)
  if (bySource.size === 0) ids.delete(number)
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
