import type { Backup, PbsBackup, PmgBackup, PveBackup } from '@pulse/contract'
import { ownersOf, ownersOfListed } from '@pulse/domain'
import { dayOf } from '../../lib/days.ts'
import { nodeKey } from '../nodes/nodes.ts'
import { guestIdOf } from '../thing/thing-ids.ts'
import type { GuestNames } from './guest-names.ts'
import type { ListedLocations } from './listed-locations.ts'

/** A backup in the page's common form, with derived fields. */
export interface BackupRow extends Backup {
  /** id of the connection that reports it */
  source: string
  /** local date, as YYYY-MM-DD */
  day: string
  /** key of the daily counts: day and source */
  mark: string
  /** key of the guest: the same for all its backups */
  group: string
  /** several guests have its number, and its owner is uncertain */
  ambiguous: boolean
  /** its date was in the future when it was read */
  future?: true
  /** key of its row in the node table: see `nodeKey`, or the id of a backup server */
  hostKey: string
  /** false for files on a PVE storage, which cannot be verified */
  verifiable: boolean
}

export type BackupKind = 'pveBackups' | 'pbsBackups' | 'pmgBackups'

type StorageBackup = Extract<PveBackup, { list: 'storageBackups' }>
type Snapshot = Extract<PveBackup, { list: 'guestSnapshots' }>

/** undefined for a backup task, which is not a backup itself. */
export function describePve(backup: PveBackup, names: GuestNames): BackupRow | undefined {
  if (backup.list === 'backupTasks') return undefined
  return backup.list === 'guestSnapshots' ? ofSnapshot(backup, names) : ofFile(backup, names)
}

function ofSnapshot(snapshot: Snapshot, names: GuestNames): BackupRow {
  const { vmid, instance, node, source, name, description = '', vmstate } = snapshot
  const guest = names.get(vmid)?.find((one) => one.source === source)
  return withDerived(
    {
      backupType: 'snapshot',
      vmid,
      name: guest?.name ?? '',
      type: snapshot.type === 'lxc' ? 'LXC' : 'VM',
      node,
      instance,
      backupTime: seconds(snapshot.time),
      backupName: vmstate ? `${name} with RAM` : name,
      description,
      status: 'ok',
      protected: false,
    },
    { source, cluster: source, ambiguous: false, hostKey: nodeKey({ instance, node }) },
  )
}

const fileTypes = { qemu: 'VM', lxc: 'LXC', host: 'Host', unknown: 'VM' } as const

function ofFile(file: StorageBackup, names: GuestNames): BackupRow {
  const { vmid, instance, node, notes = '', storage, size, isPBS } = file
  const bearers = names.get(vmid) ?? []
  const { sure, possible } = ownersOfListed(
    file,
    bearers.filter(({ type }) => file.type === 'unknown' || type === file.type),
  )
  const guest = sure[0]
  const [, path = file.volid] = file.volid.split(/:(.*)/s)
  return withDerived(
    {
      backupType: isPBS ? 'remote' : 'local',
      vmid,
      name: guest?.name ?? firstLine(notes),
      type: guest ? (guest.type === 'lxc' ? 'LXC' : 'VM') : fileTypes[file.type],
      node,
      instance,
      backupTime: file.ctime,
      backupName: path.startsWith('backup/') ? path.slice('backup/'.length) : path,
      description: notes,
      status: file.verification === 'failed' ? 'failed' : file.verified ? 'verified' : 'unverified',
      ...(size > 0 && { size }),
      storage,
      verified: file.verified,
      protected: file.protected,
      ...(file.encryption && { encrypted: true }),
      ...(file.future && { future: true }),
    },
    {
      source: file.source,
      cluster: file.source,
      ambiguous: possible.length > 0,
      hostKey: nodeKey({ instance, node }),
      verifiable: isPBS,
    },
  )
}

const serverTypes: Readonly<Record<string, Backup['type']>> = { vm: 'VM', ct: 'LXC' }

export function describePbs(
  backup: PbsBackup,
  names: GuestNames,
  listed: Pick<ListedLocations, 'listsElsewhere'>,
): BackupRow {
  const { instance, datastore, namespace, comment = '', verified, verification, owner, size } = backup
  const type = serverTypes[backup.backupType] ?? 'Host'
  const bearers = type === 'Host' ? [] : (names.get(Number(backup.vmid)) ?? [])
  const { sure, possible } = ownersOf(
    backup,
    bearers.filter((one) => (one.type === 'lxc') === (type === 'LXC')),
    ({ source }) => listed.listsElsewhere(source, backup),
  )
  const broken = verification === 'failed'
  return withDerived(
    {
      backupType: 'remote',
      vmid: type === 'Host' ? backup.vmid : Number(backup.vmid) || backup.vmid,
      name: sure[0]?.name ?? firstLine(comment),
      type,
      node: instance,
      instance,
      backupTime: seconds(backup.backupTime),
      backupName: `${backup.backupType}/${backup.vmid}/${backup.backupTime}`,
      description: comment,
      status: broken ? 'failed' : verified ? 'verified' : 'unverified',
      ...(size > 0 && { size }),
      datastore,
      namespace,
      verified,
      protected: backup.protected,
      ...(backup.encrypted && { encrypted: true }),
      ...(backup.future && { future: true }),
      ...(owner !== undefined && { owner }),
    },
    {
      source: backup.source,
      cluster: sure[0]?.source ?? clusterOf(backup),
      ambiguous: possible.length > 0,
      hostKey: backup.source,
      verifiable: true,
    },
  )
}

export const describePmg = ({ source, instance, node, filename, backupTime, size }: PmgBackup): BackupRow =>
  withDerived(
    {
      backupType: 'local',
      vmid: node,
      name: instance,
      type: 'Host',
      node,
      instance,
      backupTime: seconds(backupTime),
      backupName: filename,
      description: '',
      status: 'ok',
      size,
      storage: 'PMG',
      protected: false,
    },
    { source, cluster: instance, ambiguous: false, hostKey: '' },
  )

/** The cluster that lists it, else its location, because several clusters can have the same number there. */
const clusterOf = ({ listedBy, source, namespace }: PbsBackup): string =>
  listedBy?.length === 1 ? listedBy[0]! : `${source}/${namespace}`

interface Derived {
  source: string
  /** source of its current or former guest */
  cluster: string
  ambiguous: boolean
  hostKey: string
  verifiable?: boolean
}

/** Extends the backup in place: there may be 50,000 of them. */
function withDerived(
  backup: Backup & Pick<BackupRow, 'future'>,
  { source, cluster, ambiguous, hostKey, verifiable = false }: Derived,
): BackupRow {
  const { type, vmid, name, backupType, backupTime } = backup
  const day = once(dayOf(backupTime * 1000))
  return Object.assign(backup, {
    source,
    day,
    mark: once(`${day} ${backupType}`),
    group: ambiguous ? `${type}\0${vmid}\0\0${name}` : `${type}\0${vmid}\0${cluster}`,
    ambiguous,
    hostKey,
    verifiable,
  })
}

/** Interns strings: many backups share few days. */
const texts = new Map<string, string>()
function once(text: string): string {
  const known = texts.get(text)
  if (known === undefined) texts.set(text, text)
  return known ?? text
}

/** Common parts of a group's backups; `words` is the backups' own name if their guest is uncertain. */
export function partsOfGroup(group: string) {
  const [type = '', vmid = '', cluster = '', words = ''] = group.split('\0')
  return { type, vmid, cluster, words }
}

/** Store id of the guest that certainly owns the backup; the guest may be gone. */
export function ownerOf(group: string): string | undefined {
  const { type, cluster: source, vmid } = partsOfGroup(group)
  return type === 'Host' || source === '' ? undefined : guestIdOf({ source, vmid })
}

const seconds = (time: string): number => Date.parse(time) / 1000
const firstLine = (text: string): string => text.split('\n', 1)[0]!.trim()

/** Noon of the day: DST changes cannot move it to another day. */
export const noonOf = (day: string): Date => {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year!, month! - 1, date!, 12)
}

/** The last `count` days up to today, oldest first. */
export function lastDays(count: number, nowMs: number): string[] {
  const noon = noonOf(dayOf(nowMs))
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(noon)
    day.setDate(noon.getDate() - (count - 1 - at))
    return dayOf(day.getTime())
  })
}
