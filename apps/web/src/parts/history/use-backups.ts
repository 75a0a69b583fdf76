import type { Guest, RecordKind } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { useCallback, useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import {
  type BackupRun,
  createGuestBackups,
  type GuestBackups,
  guestBackupKinds,
} from '../backups/guest-backups.ts'
import { backupText, isNear, type ListedBackup } from './change-events.ts'

type OwnGuest = Pick<Guest, 'source' | 'vmid' | 'type'>

const none: readonly ListedBackup[] = []
const noKinds: readonly RecordKind[] = []

/**
 * Backups that are certainly this guest's. The newest one is a field of the guest; the others and whether they failed
 * are known while the browser has the list of backups, which a page with charts does not load for them.
 */
export function useBackups(kind: RecordKind, id: string): readonly ListedBackup[] {
  const guest = useLive(
    ['guests'],
    useCallback(
      (live): OwnGuest | undefined => {
        const found = kind === 'guests' ? live.get('guests', id) : undefined
        return found && { source: found.source, vmid: found.vmid, type: found.type }
      },
      [kind, id],
    ),
    isEqual,
  )
  const newest = useLive(
    ['guests'],
    useCallback((live) => (kind === 'guests' ? live.get('guests', id)?.lastBackup : undefined), [kind, id]),
  )
  const select = useMemo(() => guest && createGuestBackups(guest), [guest])
  const found = useLive(
    guest ? guestBackupKinds : noKinds,
    useCallback((live) => select?.(live), [select]),
  )
  return useMemo(() => {
    const listed = found ? eventsOf(found, guest!.vmid) : none
    if (newest === undefined || listed.some((one) => isNear(one, newest))) return listed
    return [...listed, backupAt(newest)]
  }, [guest, found, newest])
}

/** Runs, and backups without a known run. */
function eventsOf({ backups, runs }: GuestBackups, vmid: number): readonly ListedBackup[] {
  const ran = runs.map((one) => runOf(one, vmid))
  const stored = backups
    .filter(({ ambiguous, future }) => !ambiguous && !future)
    .map(({ backupTime }) => backupTime * 1_000)
  const others = [...new Set(stored)].filter((at) => !ran.some((run) => isNear(run, at)))
  return [...ran, ...others.map(backupAt)]
}

const backupAt = (at: number): ListedBackup => ({
  id: `backup ${at}`,
  from: at,
  to: at,
  text: 'Backup',
  symbol: 'backup',
})

function runOf(one: BackupRun, vmid: number): ListedBackup {
  const ofSeveral = one.guests?.find((each) => each.vmid === vmid)
  const from = Date.parse(one.startTime)
  const to = one.endTime === undefined ? undefined : Date.parse(one.endTime)
  const error = ofSeveral ? ofSeveral.error : one.error
  // one that still runs has no end yet
  const span = { from, to: to ?? from }
  return {
    id: one.upid,
    ...span,
    text: backupText(span, error, ofSeveral && 'Backup with other guests'),
    symbol: 'backup',
    run: { ofSeveral: ofSeveral !== undefined, error },
  }
}
