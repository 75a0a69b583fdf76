import type { Guest, PbsBackup, PveBackup } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'
import { type BackupRow, describePbs, describePve } from './backup-row.ts'
import { createGuestNames, type NamedGuest } from './guest-names.ts'
import { createListedLocations } from './listed-locations.ts'

export type Snapshot = Extract<PveBackup, { list: 'guestSnapshots' }>
export type BackupRun = Extract<PveBackup, { list: 'backupTasks' }>

/** Newest first. */
export interface GuestBackups {
  backups: readonly BackupRow[]
  snapshots: readonly Snapshot[]
  /** of this guest, alone or with others */
  runs: readonly BackupRun[]
}

export const guestBackupKinds = ['pveBackups', 'pbsBackups', 'guests'] as const
const kinds = ['pveBackups', 'pbsBackups'] as const
type BackupKind = (typeof kinds)[number]

type OwnGuest = Pick<Guest, 'source' | 'vmid' | 'type'>

/**
 * The backups, snapshots and backup runs of one guest, among up to 50,000. All are read again only after a change of one with its
 * number, or of a guest with its number.
 */
export function createGuestBackups(guest: OwnGuest): (live: LiveReader) => GuestBackups {
  const namesOf = createGuestNames()
  const versions = new Map<BackupKind, number>()
  let numbered: ReadonlySet<string> = new Set()
  let bearers: readonly NamedGuest[] | undefined
  let result: GuestBackups | undefined

  function isChanged(live: LiveReader, kind: BackupKind): boolean {
    const before = versions.get(kind)
    versions.set(kind, live.version(kind))
    if (before === undefined) return true
    const ids = live.changedSince(kind, before)
    return ids === undefined || ids.some((id) => numbered.has(id) || isNumbered(live.get(kind, id), guest))
  }

  return (live) => {
    const names = namesOf(live)
    const now = names.get(guest.vmid)
    // not lazily: each call notes the version
    const changes = kinds.map((kind) => isChanged(live, kind))
    if (result && now === bearers && !changes.includes(true)) return result
    bearers = now
    const pve = [...live.records('pveBackups')].filter(([, backup]) => isNumbered(backup, guest))
    const pbs = [...live.records('pbsBackups')].filter(([, backup]) => isNumbered(backup, guest))
    numbered = new Set([...pve, ...pbs].map(([id]) => id))
    const listed = createListedLocations()
    for (const [id, backup] of pbs) listed.note(id, backup)
    const rows: BackupRow[] = []
    const snapshots: Snapshot[] = []
    const runs: BackupRun[] = []
    for (const [, backup] of pve) {
      if (backup.list === 'guestSnapshots') {
        if (backup.source === guest.source) snapshots.push(backup)
        continue
      }
      if (backup.list === 'backupTasks') {
        if (backup.source === guest.source) runs.push(backup)
        continue
      }
      const row = describePve(backup, names)
      if (row && isOwn(row, guest, [backup.source])) rows.push(row)
    }
    for (const [, backup] of pbs) {
      const row = describePbs(backup, names, listed)
      if (isOwn(row, guest, backup.listedBy)) rows.push(row)
    }
    return (result = {
      backups: rows.toSorted((a, b) => b.backupTime - a.backupTime),
      snapshots: snapshots.toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time)),
      runs: runs.toSorted((a, b) => Date.parse(b.startTime) - Date.parse(a.startTime)),
    })
  }
}

function isNumbered(backup: PveBackup | PbsBackup | undefined, { vmid }: OwnGuest): boolean {
  if (!backup) return false
  if (Number(backup.vmid) === vmid) return true
  return (
    'list' in backup &&
    backup.list === 'backupTasks' &&
    (backup.guests?.some((one) => one.vmid === vmid) ?? false)
  )
}

/** The backup is certainly this guest's, or possibly, which its row then says. */
function isOwn(row: BackupRow, { source, vmid, type }: OwnGuest, listedBy: readonly string[] | undefined) {
  const label = type === 'lxc' ? 'LXC' : 'VM'
  if (row.ambiguous) return row.type === label && (listedBy?.includes(source) ?? true)
  return row.group === `${label}\0${vmid}\0${source}`
}
