import type { AnyRecord, Guest } from '@pulse/contract'
import { ByNumber } from './by-number.ts'
import {
  isBroken,
  isLater,
  isRather,
  isSameBackup,
  numberedBackup,
  type NumberedBackup,
} from './held-backups.ts'
import { backupLocation, type Candidate, fittingAmong, ownersAmong } from './owners-of-backup.ts'

/** The backups of one guest. */
export interface Held {
  newest?: NumberedBackup
  /** newest without a failed verification */
  good?: NumberedBackup
  /** newest that may belong to another guest */
  ambiguous?: NumberedBackup
}

/** Guests with that VMID of these sources may have other backups than before. */
export type Changed = (number: string, sources: Iterable<string>) => void

type Kind = 'pveBackups' | 'pbsBackups'
type HeldBackups = ReadonlyMap<string, Held>

interface NumberedGuest extends Candidate {
  id: string
  number: string
}

/** All backups with one VMID, of any guest. */
interface BackupsOfNumber {
  /** By the source whose guests they may belong to. The clusters that list a backup are all named. */
  listed: Map<string, NumberedBackup[]>
  /** on backup servers, listed by no cluster: they may belong to any guest */
  unlisted: NumberedBackup[]
  /**
   * By source, so that a cluster costs nothing at others that use the same VMIDs. Absent after a change.
   */
  heldListed: Map<string, HeldBackups>
  heldUnlisted?: HeldBackups | undefined
}

/** Whose guests a backup may belong to; undefined: anyone's. */
function listersOf({ record }: NumberedBackup): readonly string[] | undefined {
  return 'list' in record ? (record.listedBy ?? [record.source]) : record.listedBy
}

/** Which backups each guest has. */
export function createGuestBackups() {
  const guests = new Map<string, NumberedGuest>()
  const bearers = new ByNumber<NumberedGuest>()
  const backups = {
    pveBackups: new Map<string, NumberedBackup>(),
    pbsBackups: new Map<string, NumberedBackup>(),
  }
  const byNumber = new Map<string, BackupsOfNumber>()

  const sourcesOf = (number: string) => bearers.sources(number)
  const bearersOf = (number: string, sources: Iterable<string>): NumberedGuest[] =>
    [...sources].flatMap((source) => bearers.of(number, source))

  function guestChanged({ number, source }: NumberedGuest, changed: Changed) {
    const ofNumber = byNumber.get(number)
    const others = ofNumber?.listed.get(source)?.flatMap((one) => listersOf(one) ?? []) ?? []
    const sources = new Set([source, ...others])
    for (const one of sources) ofNumber?.heldListed.delete(one)
    if (!ofNumber || ofNumber.unlisted.length === 0) return changed(number, sources)
    ofNumber.heldUnlisted = undefined
    changed(number, new Set([...sources, ...sourcesOf(number)]))
  }

  function noteGuest(id: string, guest: Guest | undefined, changed: Changed) {
    const before = guests.get(id)
    // Most changes of a guest do not affect ownership.
    if (before && guest && isStill(before, guest)) return
    const after = guest && numbered(id, guest)
    if (before) {
      guests.delete(id)
      bearers.drop(before, before)
      guestChanged(before, changed)
    }
    if (after) {
      guests.set(id, after)
      bearers.add(after, after)
      guestChanged(after, changed)
    }
  }

  function noteBackup(kind: Kind, id: string, record: AnyRecord | undefined, changed: Changed) {
    const known = backups[kind]
    const before = known.get(id)
    const after = record && numberedBackup(kind, record)
    if (before && after && isSameBackup(before, after)) {
      // What is held refers to this object, so it is updated in place.
      Object.assign(before, after)
      return
    }
    if (before) {
      known.delete(id)
      removeBackup(before, changed)
    }
    if (after) {
      known.set(id, after)
      addBackup(after, changed)
    }
  }

  function addBackup(backup: NumberedBackup, changed: Changed) {
    const { number } = backup
    const ofNumber: BackupsOfNumber = byNumber.get(number) ?? {
      listed: new Map(),
      unlisted: [],
      heldListed: new Map(),
    }
    byNumber.set(number, ofNumber)
    const listers = listersOf(backup)
    if (!listers) ofNumber.unlisted.push(backup)
    for (const source of listers ?? []) {
      const ofSource = ofNumber.listed.get(source)
      if (ofSource) ofSource.push(backup)
      else ofNumber.listed.set(source, [backup])
    }
    backupChanged(ofNumber, backup, changed)
  }

  function removeBackup(backup: NumberedBackup, changed: Changed) {
    const { number } = backup
    const ofNumber = byNumber.get(number)!
    const listers = listersOf(backup)
    if (!listers) ofNumber.unlisted.splice(ofNumber.unlisted.indexOf(backup), 1)
    for (const source of listers ?? []) {
      const ofSource = ofNumber.listed.get(source)!
      ofSource.splice(ofSource.indexOf(backup), 1)
      if (ofSource.length === 0) ofNumber.listed.delete(source)
    }
    backupChanged(ofNumber, backup, changed)
    if (ofNumber.listed.size === 0 && ofNumber.unlisted.length === 0) byNumber.delete(number)
  }

  function backupChanged(ofNumber: BackupsOfNumber, backup: NumberedBackup, changed: Changed) {
    const { number, record } = backup
    const listers = listersOf(backup)
    if (!listers) {
      ofNumber.heldUnlisted = undefined
      return changed(number, sourcesOf(number))
    }
    for (const source of listers) ofNumber.heldListed.delete(source)
    changed(number, listers)
    if ('list' in record || ofNumber.unlisted.length === 0) return
    // Where a cluster lists backups decides only about a guest that is the only one of its type.
    ofNumber.heldUnlisted = undefined
    changed(number, sourcesOfOnlyOnes(bearersOf(number, sourcesOf(number))))
  }

  function heldListed(number: string, ofNumber: BackupsOfNumber, source: string): HeldBackups {
    const all = ofNumber.listed.get(source) ?? []
    const sources = new Set([source, ...all.flatMap((one) => listersOf(one) ?? [])])
    const candidates = bearersOf(number, sources)
    const own = candidates.filter((one) => one.source === source)
    const holding = holdingOf(own)
    const among = fittingAmong(candidates)
    for (const backup of all) {
      const { type, record } = backup
      const fitting = among(type, record.listedBy)
      const { sure, possible } = 'list' in record ? fitting.listed(record) : ownersAmong(record, fitting.all)
      for (const { id } of sure) holding.take(id, backup)
      for (const { id } of possible) holding.doubt(id, backup)
    }
    return holding.byGuest
  }

  function heldUnlisted(number: string, { listed, unlisted }: BackupsOfNumber): HeldBackups {
    const candidates = bearersOf(number, sourcesOf(number))
    const holding = holdingOf(candidates)
    const among = fittingAmong(candidates)
    for (const backup of unlisted) {
      const { type, record } = backup
      if ('list' in record) continue
      const listsElsewhere = ({ source }: NumberedGuest) =>
        isElsewhere(listed.get(source) ?? [], backupLocation(record))
      const { sure, possible } = ownersAmong(record, among(type, undefined).all, listsElsewhere)
      for (const { id } of sure) holding.take(id, backup)
      for (const { id } of possible) holding.doubt(id, backup)
    }
    return holding.byGuest
  }

  return {
    noteGuest,
    noteBackup,
    /** Whether a backup with that VMID exists. */
    hasSome: (number: string): boolean => byNumber.has(number),
    guestsOf: (number: string, source: string): readonly { id: string }[] => bearers.of(number, source),
    of(guest: string): Held {
      const { number, source } = guests.get(guest)!
      const ofNumber = byNumber.get(number)
      if (!ofNumber) return {}
      let listed = ofNumber.heldListed.get(source)
      if (!listed) ofNumber.heldListed.set(source, (listed = heldListed(number, ofNumber, source)))
      const known = listed.get(guest) ?? {}
      if (ofNumber.unlisted.length === 0) return known
      ofNumber.heldUnlisted ??= heldUnlisted(number, ofNumber)
      return both(known, ofNumber.heldUnlisted.get(guest) ?? {})
    },
  }
}

function holdingOf(guests: readonly NumberedGuest[]) {
  const byGuest = new Map<string, Held>(guests.map(({ id }) => [id, {}]))
  return {
    byGuest,
    take(guest: string, backup: NumberedBackup) {
      const known = byGuest.get(guest)
      if (!known) return
      known.newest = newer(known.newest, backup)
      if (!isBroken(backup)) known.good = newer(known.good, backup)
    },
    doubt(guest: string, backup: NumberedBackup) {
      const known = byGuest.get(guest)
      if (known) known.ambiguous = newer(known.ambiguous, backup)
    },
  }
}

function both(one: Held, other: Held): Held {
  const held: Held = { ...one }
  for (const key of ['newest', 'good', 'ambiguous'] as const) {
    const backup = other[key]
    if (backup) held[key] = newer(held[key], backup)
  }
  return held
}

/** Whether a cluster lists backups of backup servers, but none in this location. */
function isElsewhere(ofCluster: readonly NumberedBackup[], location: string): boolean {
  let isSome = false
  for (const { record } of ofCluster) {
    if ('list' in record) continue
    if (backupLocation(record) === location) return false
    isSome = true
  }
  return isSome
}

/** Sources of guests that are the only ones of their type. */
function sourcesOfOnlyOnes(all: readonly NumberedGuest[]): string[] {
  const byType = Map.groupBy(all, ({ type }) => type)
  return [...byType.values()].flatMap((ofType) => (ofType.length === 1 ? [ofType[0]!.source] : []))
}

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

const numbered = (id: string, { vmid, source, instance, name, type }: Guest): NumberedGuest => ({
  id,
  number: String(vmid),
  source,
  instance,
  name,
  type,
})
