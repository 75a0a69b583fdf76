import type { AnyRecord, Guest, Protection, PveBackup } from '@pulse/contract'
import { BackupAttempts } from './backup-attempts.ts'
import { ByNumber } from './by-number.ts'
import type { Derivation, Touch } from './derivation.ts'
import { createGuestBackups, type Held } from './guest-backups.ts'
import { heldBackup, isLater, type NumberedBackup } from './held-backups.ts'

/** The last backup of each guest, on a storage of its cluster or on a backup server, and its verification. */
export function protection(): Derivation {
  const backups = createGuestBackups()
  const attempts = new BackupAttempts()
  const protections = new ByNumber<string>()
  const placeOf = new Map<string, { number: string; source: string }>()
  /** VMIDs and sources with dependents that were already touched, by touch */
  const touched = new WeakMap<Touch, Set<string>>()

  const changing = (touch: Touch) => (number: string, sources: Iterable<string>) => {
    for (const source of sources) changed(number, source, touch)
  }

  function changed(number: string, source: string, touch: Touch) {
    const already = touched.get(touch) ?? new Set()
    touched.set(touch, already)
    const key = `${number} ${source}`
    if (already.has(key)) return
    // Guests are touched only once backups with their VMID exist, so before that nothing is marked as touched.
    if (backups.hasSome(number)) {
      already.add(key)
      for (const { id } of backups.guestsOf(number, source)) touch('guests', id)
    }
    for (const id of protections.of(number, source)) touch('protections', id)
  }

  /** The VMID is part of the record's identity and never changes. */
  function noteProtection(id: string, record: Protection | undefined) {
    const before = placeOf.get(id)
    const after = record && { number: String(record.vmid), source: record.source }
    if (before && before.source === after?.source) return
    if (before) {
      placeOf.delete(id)
      protections.drop(before, id)
    }
    if (after) {
      placeOf.set(id, after)
      protections.add(after, id)
    }
  }

  function completeGuest(id: string, guest: Guest): Guest {
    const at = provenAt(backups.of(id).newest)
    return at === undefined ? guest : { ...guest, lastBackup: at }
  }

  function completeProtection(record: Protection): Protection {
    const number = String(record.vmid)
    const [guest] = backups.guestsOf(number, record.source)
    const { newest, good, ambiguous }: Held = guest ? backups.of(guest.id) : {}
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
      if (kind === 'guests') return backups.noteGuest(id, record as Guest | undefined, changing(touch))
      if (kind === 'protections') return noteProtection(id, record as Protection | undefined)
      const task = kind === 'pveBackups' ? taskIn(record) : undefined
      if (kind === 'pveBackups')
        for (const [number, source] of attempts.note(id, task)) changed(number, source, touch)
      if (!task) backups.noteBackup(kind as 'pveBackups' | 'pbsBackups', id, record, changing(touch))
    },
    complete: (kind, id, record) =>
      kind === 'guests' ? completeGuest(id, record as Guest) : completeProtection(record as Protection),
  }
}

function taskIn(record: AnyRecord | undefined) {
  const backup = record as PveBackup | undefined
  return backup?.list === 'backupTasks' ? backup : undefined
}

/** The time of a backup, unless its date is in the future. */
const provenAt = (backup: NumberedBackup | undefined): number | undefined =>
  backup?.record.future ? undefined : backup?.at
