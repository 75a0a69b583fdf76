import type { Guest, PbsBackup, Protection, PveBackup, RecordKind, RecordOf } from '@pulse/contract'
import { createEstate } from '../estate.ts'

const when = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`
export const atMinute = (minute: number): number => Date.parse(when(minute))

export const aGuest = (source: string, vmid: number, more: Partial<Guest> = {}): Guest => ({
  id: `${source}-pve1-${vmid}`,
  instance: source,
  node: 'pve1',
  vmid,
  name: `${source} ${vmid}`,
  type: 'qemu',
  status: 'running',
  cpus: 1,
  template: false,
  source,
  ...more,
})

/** A backup in the listing of a cluster's storage. */
export const listed = (
  source: string,
  vmid: number,
  minute: number,
  more: Partial<PveBackup> = {},
): PveBackup =>
  ({
    list: 'storageBackups',
    id: `${source}-store-${vmid}-${minute}`,
    storage: 'store',
    node: 'pve1',
    instance: source,
    type: 'qemu',
    vmid,
    time: when(minute),
    ctime: atMinute(minute) / 1000,
    size: 5,
    format: 'vma',
    protected: false,
    volid: `store:backup/vm/${vmid}/${when(minute)}`,
    isPBS: false,
    verified: false,
    source,
    ...more,
  }) as PveBackup

/** A finished vzdump run, for one guest or several. */
export const aRun = (
  source: string,
  minute: number,
  more: Partial<Extract<PveBackup, { list: 'backupTasks' }>>,
): PveBackup => ({
  list: 'backupTasks',
  id: `${source}-run-${minute}`,
  upid: `run-${minute}`,
  node: 'pve1',
  type: 'vzdump',
  vmid: 0,
  status: more.error ?? 'OK',
  startTime: when(minute),
  endTime: when(minute),
  source,
  ...more,
})

/** The cluster's own record of a guest's protection. */
export const aProtection = (source: string, vmid: number, more: Partial<Protection> = {}) => ({
  id: `${source}-${vmid}`,
  vmid,
  source,
  ...more,
})

export const onServer = (vmid: number, minute: number, more: Partial<PbsBackup> = {}): PbsBackup => ({
  id: `pbs-${vmid}-${minute}`,
  instance: 'vault',
  datastore: 'main',
  namespace: '',
  backupType: 'vm',
  vmid: String(vmid),
  backupTime: when(minute),
  size: 5,
  protected: false,
  verified: true,
  source: 'pbs-1',
  ...more,
})

type Lists = { [K in RecordKind]?: readonly (RecordOf<K> & { id: string })[] }

/** An estate with the given lists of each source. */
export function given(bySource: Record<string, Lists>) {
  const estate = createEstate()
  const say = (source: string, lists: Lists) =>
    estate.observe(
      source,
      Object.fromEntries(
        Object.entries(lists).map(([kind, list]) => [
          kind,
          new Map((list as readonly { id: string }[]).map((one) => [one.id, one])),
        ]),
      ),
    )
  for (const [source, lists] of Object.entries(bySource)) say(source, lists)
  const lastBackups = () =>
    Object.fromEntries(
      [...estate.tables.guests.values()].flatMap(({ id, lastBackup }) =>
        lastBackup === undefined ? [] : [[id, lastBackup]],
      ),
    )
  return { estate, say, lastBackups }
}
