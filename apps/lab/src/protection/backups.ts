import { fraction, mix } from '../random.ts'
import type { Fate, Guest, Storage } from '../estate/estate.ts'
import { type Plan, planFor } from './plans.ts'

/** The owner of backups: a guest, or a guest that was deleted. */
export type Subject = Pick<Guest, 'vmid' | 'kind' | 'seed' | 'maxDiskBytes' | 'name' | 'fate'>

export interface Backup {
  atSeconds: number
  /** Unfinished: the backup has no size and no verification yet. */
  running: boolean
  /** Size of the content; the space used may be smaller. */
  sizeBytes: number
  isProtected: boolean
  isEncrypted: boolean
  verification: 'ok' | 'failed' | undefined
  /** A random value in [0, 1). */
  luck: number
}

export interface BackedUp {
  subject: Subject
  /** Newest first. */
  backups: Backup[]
}

export const daySeconds = 86_400
const verifiedAfterSeconds = 7200

/** A machine that was deleted, but whose backups were kept. */
const orphan: Subject = {
  vmid: 950,
  kind: 'qemu',
  name: 'decommissioned',
  seed: 950,
  maxDiskBytes: 64 * 1024 ** 3,
  fate: { staleDays: 90 },
}

/** Backups of these guests on a storage. */
export function* backedUpOn(storage: Storage, guests: Iterable<Guest>, nowMs: number): Generator<BackedUp> {
  const plan = planFor(storage)
  if (!plan) return
  const now = Math.floor(nowMs / 1000)
  for (const guest of guests) {
    if (guest.template || guest.fate.none || !plan.takes(guest, storage)) continue
    const backups = backupsOf(guest, storage, plan, now)
    if (storage.name === 'pbs-main' && isBeingBackedUp(guest)) backups.unshift(runningBackup(guest, now))
    if (backups.length > 0) yield { subject: guest, backups }
  }
  if (storage.type === 'pbs') yield { subject: orphan, backups: backupsOf(orphan, storage, plan, now) }
}

/** The guests whose last backup to this storage failed. */
export function* failedOn(
  storage: Storage,
  guests: Iterable<Guest>,
  nowMs: number,
): Generator<{ guest: Guest; atSeconds: number }> {
  for (const guest of guests) {
    if (guest.fate.fails === undefined || guest.template) continue
    yield { guest, atSeconds: lastNightly(guest, storage, Math.floor(nowMs / 1000)) }
  }
}

/** A guest that is locked for a backup and runs is being backed up. */
export const isBeingBackedUp = ({ lock, status }: Guest): boolean => lock === 'backup' && status !== 'stopped'

export const runningSinceSeconds = (now: number): number => now - (now % 3600) - 60

/** The last scheduled time of this guest's backup. */
export function lastNightly(subject: Pick<Guest, 'vmid'>, storage: Storage, now: number): number {
  const due = Math.floor(now / daySeconds) * daySeconds + secondOfDay(subject, storage)
  return due > now ? due - daySeconds : due
}

/** Clusters that share a datastore save at different seconds. */
const secondOfDay = ({ vmid }: Pick<Guest, 'vmid'>, { seed, nightlyAtSeconds }: Storage): number =>
  (nightlyAtSeconds + (vmid % 200) * 37 + (seed % 600)) % daySeconds

function backupsOf(subject: Subject, storage: Storage, plan: Plan, now: number): Backup[] {
  const today = Math.floor(now / daySeconds)
  const newest = today - (today % plan.everyDays)
  const latest = latestSeconds(subject.fate, lastNightly(subject, storage, now), now)
  const backups: Backup[] = []
  for (let day = newest; backups.length < plan.kept; day -= plan.everyDays) {
    const atSeconds = day * daySeconds + secondOfDay(subject, storage)
    if (atSeconds <= latest) backups.push(aBackup(subject, storage, atSeconds, now, backups.length === 0))
    // Stops after 2,000 days without a backup.
    else if (newest - day > 2000) break
  }
  return backups
}

function latestSeconds({ staleDays, fails }: Fate, lastDue: number, now: number): number {
  if (staleDays !== undefined) return now - staleDays * daySeconds
  return fails === undefined ? now : lastDue - 1
}

function aBackup(
  subject: Subject,
  storage: Storage,
  atSeconds: number,
  now: number,
  isNewest: boolean,
): Backup {
  const luck = fraction(subject.seed, atSeconds)
  const isPbs = storage.type === 'pbs'
  return {
    atSeconds,
    running: false,
    sizeBytes: Math.floor(subject.maxDiskBytes * (isPbs ? 1 : 0.2 + 0.3 * luck)) + 787,
    isProtected: luck < 0.04,
    isEncrypted: isPbs && subject.seed % 9 === 0,
    verification: isPbs ? verificationOf(subject.fate, luck, isNewest, now - atSeconds) : undefined,
    luck,
  }
}

function verificationOf(
  { verification }: Fate,
  luck: number,
  isNewest: boolean,
  ageSeconds: number,
): Backup['verification'] {
  if (isNewest && verification !== undefined) return verification === 'none' ? undefined : verification
  return ageSeconds < verifiedAfterSeconds || luck >= 0.9 ? undefined : luck > 0.893 ? 'failed' : 'ok'
}

const runningBackup = (guest: Guest, now: number): Backup => ({
  atSeconds: runningSinceSeconds(now),
  running: true,
  sizeBytes: 0,
  isProtected: false,
  isEncrypted: guest.seed % 9 === 0,
  verification: undefined,
  luck: fraction(guest.seed, now),
})

/** Fingerprint of the key of encrypted backups. */
export const keyFingerprint = '4d:1c:22:9f:70:b1:ce:08'

/** The task that verified a backup, with its UPID on the backup server. */
export function verificationUpid(seed: number, atSeconds: number, node = 'pbs'): string {
  const id = mix(seed, atSeconds).toString(16).toUpperCase().padStart(8, '0')
  const started = (atSeconds + 7200).toString(16).toUpperCase()
  return `UPID:${node}:000003E8:00001F40:${id}:${started}:verificationjob:main\\x3av\\x2dmain\\x2ddaily:root@pam:`
}
