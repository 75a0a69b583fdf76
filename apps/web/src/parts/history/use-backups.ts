import type { Guest, PbsBackup, PveBackup, RecordKind } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { useCallback, useMemo } from 'react'
import { formatUptime } from '../../lib/format.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import type { ChartEvent } from '../chart/series.ts'

type OwnGuest = Pick<Guest, 'source' | 'vmid' | 'type' | 'lastBackup'>

const none: readonly ChartEvent[] = []

/**
 * Backups that are certainly this guest's. The newest one is a field of the guest; the others and how long they took
 * are known while the browser has the list of backups, which a page with charts does not load for them.
 */
export function useBackups(kind: RecordKind, id: string): readonly ChartEvent[] {
  const guest = useLive(
    ['guests'],
    useCallback(
      (live): OwnGuest | undefined => {
        const found = kind === 'guests' ? live.get('guests', id) : undefined
        if (!found) return undefined
        const { source, vmid, type, lastBackup } = found
        return { source, vmid, type, ...(lastBackup !== undefined && { lastBackup }) }
      },
      [kind, id],
    ),
    isEqual,
  )
  const listed = useLive(
    ['pveBackups', 'pbsBackups'],
    useCallback((live) => (guest ? listedBackups(live, guest) : none), [guest]),
    isEqual,
  )
  return useMemo(() => {
    const newest = guest?.lastBackup
    if (newest === undefined || listed.some((one) => isNear(one, newest))) return listed
    return [...listed, backupAt(newest)]
  }, [guest, listed])
}

/** Runs, and backups without a known run. */
function listedBackups(live: LiveReader, guest: OwnGuest): readonly ChartEvent[] {
  const pve = [...live.records('pveBackups').values()]
  const runs = pve.flatMap((one) => runOf(one, guest) ?? [])
  const stored = [
    ...pve.flatMap((one) => storedAt(one, guest) ?? []),
    ...[...live.records('pbsBackups').values()].flatMap((one) => sentAt(one, guest) ?? []),
  ]
  const others = [...new Set(stored)].filter((at) => !runs.some((run) => isNear(run, at)))
  return [...runs, ...others.map(backupAt)]
}

/** vzdump starts the backup of a guest some seconds after its run. */
const nearMs = 60_000
const isNear = ({ from, to }: ChartEvent, at: number): boolean => from - nearMs <= at && at <= to + nearMs

const backupAt = (at: number): ChartEvent => ({
  id: `backup ${at}`,
  from: at,
  to: at,
  text: 'Backup',
  symbol: 'backup',
})

function runOf(one: PveBackup, { source, vmid }: OwnGuest): ChartEvent | undefined {
  if (one.list !== 'backupTasks' || one.source !== source) return undefined
  const ofSeveral = one.guests?.find((each) => each.vmid === vmid)
  if (one.vmid !== vmid && !ofSeveral) return undefined
  const from = Date.parse(one.startTime)
  const to = one.endTime === undefined ? undefined : Date.parse(one.endTime)
  const error = ofSeveral ? ofSeveral.error : one.error
  return {
    id: one.upid,
    from,
    // one that still runs has no end yet
    to: to ?? from,
    text: [
      `${ofSeveral ? 'Backup with other guests' : 'Backup'}${error === undefined ? '' : ` failed: ${error}`}`,
      ...(to === undefined || to <= from ? [] : [formatUptime((to - from) / 1_000)]),
    ].join(', '),
    symbol: 'backup',
  }
}

function storedAt(one: PveBackup, { source, vmid, type }: OwnGuest): number | undefined {
  if (one.list !== 'storageBackups' || one.vmid !== vmid || one.future) return undefined
  const isOwn = one.source === source && (one.type === type || one.type === 'unknown')
  return isOwn && !isShared(one.listedBy) ? one.ctime * 1_000 : undefined
}

function sentAt(one: PbsBackup, { source, vmid, type }: OwnGuest): number | undefined {
  if (Number(one.vmid) !== vmid || one.future) return undefined
  const isOwn = one.listedBy?.includes(source) && one.backupType === (type === 'lxc' ? 'ct' : 'vm')
  return isOwn && !isShared(one.listedBy) ? Date.parse(one.backupTime) : undefined
}

/** Several clusters list it, so that it may belong to a guest of another one. */
const isShared = (listedBy: readonly string[] | undefined): boolean => (listedBy?.length ?? 0) > 1
