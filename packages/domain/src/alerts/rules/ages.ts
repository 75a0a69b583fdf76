import type {
  AgeDefaults,
  Alert,
  AlertTypeName,
  Guest,
  HeldBackup,
  Protection,
  PveBackup,
} from '@pulse/contract'
import { isDatedAhead } from '../../dated-ahead.ts'
import type { AlertLevel, Resource } from '../condition.ts'
import type { Judging, Rule, Subject } from '../judging.ts'
import { boundedDoubt, longestDoubtMs } from './doubt.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Dated {
  /** type of the alert and prefix of its id */
  type: AlertTypeName
  /** epoch ms */
  at: number
  limits: AgeDefaults
  /** name of the limits in the settings */
  from: string
  resource: Resource
  /** why it is not evaluated */
  off?: string | undefined
  /** A newer one exists and counts instead. */
  isReplaced?: boolean
  /** why a newer one may exist */
  doubt?: (() => string | undefined) | undefined
  /** start of the message */
  label: string
  metadata: Readonly<Record<string, unknown>>
}

/** Compares an age with its limits. Evaluates again at the next limit. */
export function judgeAge(on: Judging, { at, limits, off: reason, isReplaced, doubt, ...dated }: Dated): void {
  const { enabled, warningDays: warn, criticalDays: critical } = limits
  const isOff = !enabled || (warn <= 0 && critical <= 0)
  const off = reason ?? (isOff ? 'Age alerts are off.' : undefined)
  if ((off !== undefined || isReplaced) && !on.isWatched) return
  const ageDays = (on.now - at) / dayMs
  const passed = isReplaced ? [] : [warn, critical].filter((days) => days > 0 && ageDays >= days)
  const level: AlertLevel = critical > 0 && ageDays >= critical ? 'critical' : 'warning'
  const threshold = level === 'critical' ? critical : warn > 0 ? warn : critical
  if (off === undefined && !isReplaced) {
    const next = Math.min(...[warn, critical].filter((days) => days > 0 && ageDays < days))
    if (Number.isFinite(next)) on.recheckIn(at + next * dayMs - on.now)
  }
  if (passed.length === 0 && !on.isWatched) return
  const held = isDatedAhead(at, on.now)
    ? 'Its date is in the future.'
    : passed.length > 0 && !on.isOpen(`${dated.type}-${on.record}`)
      ? doubt?.()
      : undefined
  on.emit({
    id: `${dated.type}-${on.record}`,
    type: dated.type,
    verdict: off !== undefined ? 'off' : held !== undefined ? 'held' : passed.length > 0 ? 'bad' : 'fine',
    reason: off ?? held,
    resource: dated.resource,
    value: Math.max(0, ageDays),
    threshold,
    origin: { from: 'defaults', name: dated.from },
    level,
    since: passed.length > 0 ? at + Math.min(...passed) * dayMs : undefined,
    message: `${dated.label} is ${Math.floor(Math.max(0, ageDays))} days old (threshold ${threshold})`,
    metadata: { ...dated.metadata, ageDays: Math.floor(Math.max(0, ageDays)), thresholdDays: threshold },
  })
}

/** Lists of backups arrive one after another, so a later list may contain a newer backup. */
const listsComeMs = 10 * 60_000

/** The guest of a backup or snapshot; undefined while it is unknown. */
function guestOf(on: Judging, source: string, vmid: number): Guest | undefined {
  const key = `${source}:${vmid}`
  const guest = on.tables.guests.get(key)
  if (guest) return guest
  on.waitFor('guests', key)
  on.holdRest('Its guest is not known.')
  return undefined
}

const resourceOf = ({ id, name, node, instance, type }: Guest): Resource => ({
  id,
  name,
  node,
  instance,
  type: type === 'qemu' ? 'VM' : 'Container',
})

const snapshotAge: Rule<PveBackup> = {
  name: 'snapshot-age',
  judge(record, on) {
    if (record.list !== 'guestSnapshots') return
    if (!on.config.snapshotDefaults.enabled && !on.isWatched) return
    const guest = guestOf(on, record.source, record.vmid)
    if (!guest) return
    judgeAge(on, {
      type: 'snapshot-age',
      at: Date.parse(record.time),
      limits: on.config.snapshotDefaults,
      from: 'snapshotDefaults',
      resource: { ...resourceOf(guest), id: record.id },
      off: on.policyOf('guests', `${record.source}:${record.vmid}`, guest).ownOff,
      label: `Snapshot ${record.name} of ${guest.name}`,
      metadata: {
        snapshotName: record.name,
        snapshotCreatedAt: record.time,
        ...ageOf(Date.parse(record.time), on.now),
        guestName: guest.name,
        guestType: guest.type,
        guestInstance: guest.instance,
        guestNode: guest.node,
        guestVmid: guest.vmid,
        guestId: guest.id,
      },
    })
  },
}

const ageOf = (at: number, now: number) => {
  const hours = Math.max(0, Math.floor((now - at) / hourMs))
  return { snapshotAgeDays: Math.floor(hours / 24), snapshotAgeHours: hours }
}

export const snapshots: Subject<'pveBackups'> = {
  kind: 'pveBackups',
  concerns: ({ list }) => list === 'guestSnapshots',
  resource: ({ id, node, source }) => ({ id, name: id, node, instance: source, type: 'VM' }),
  rules: [snapshotAge],
}

/** stored start of the failed run, epoch ms */
const failedRun = 'failed run'

const backupAge: Rule<Protection> = {
  name: 'backup-age',
  judge({ newest: own, ambiguous, source, vmid }, on) {
    if (!on.config.backupDefaults.enabled && !on.isWatched) return
    const guest = guestOf(on, source, vmid)
    if (!guest) return
    if (!own || own.future) return on.holdRest('It is not known when it was last backed up.')
    // A backup of uncertain ownership proves only that no newer one exists.
    const isOwn = !ambiguous || isTooOld(ambiguous, on)
    if (!isOwn) return on.holdRest('Its newest backup may be another guest’s.')
    const newest = own
    judgeAge(on, {
      type: 'backup-age',
      at: newest.at,
      limits: on.config.backupDefaults,
      from: 'backupDefaults',
      resource: resourceOf(guest),
      off: on.policyOf('guests', on.record, guest).ownOff,
      doubt: () => doubtOf(on),
      label: `The newest backup of ${guest.name}`,
      metadata: {
        source: newest.datastore === undefined ? 'PVE storage' : 'PBS',
        lastBackupTime: new Date(newest.at).toISOString(),
        ...(newest.storage !== undefined && { storage: newest.storage }),
        ...(newest.datastore !== undefined && { datastore: newest.datastore }),
      },
    })
  },
}

function isTooOld({ at, future }: HeldBackup, { config: { backupDefaults }, now }: Judging): boolean {
  const limits = [backupDefaults.warningDays, backupDefaults.criticalDays].filter((days) => days > 0)
  return !future && (now - at) / dayMs >= Math.min(...limits)
}

/** Why a newer backup may exist; for a limited time. */
function doubtOf(on: Judging): string | undefined {
  const server = silentServer(on)
  if (server !== undefined) on.recheckIn(listsComeMs)
  return boundedDoubt(
    on,
    'doubted since',
    server === undefined ? undefined : `${server} does not answer, and may hold a newer one.`,
  )
}

/** A backup server that is unreachable, for at most a day or since the start. */
const silentServer = (on: Judging): string | undefined =>
  on.once('silent backup server', () => {
    for (const [source, { kind, name, lastSeen }] of on.tables.sources)
      if (kind === 'pbs' && on.silence(source) !== undefined)
        if (lastSeen === undefined || dateAt(on) - lastSeen < longestDoubtMs) return name
    return undefined
  })

/** The earlier of both dates, so that setting the clock makes nothing older. */
const dateAt = ({ now, wallNow }: Judging): number => Math.min(now, wallNow)

/** Whether a backup or a successful run is newer than the failed run. */
function isNewer({ newest, succeeded }: Protection, alert: Alert | undefined, failed: number | undefined) {
  if (!alert) return true
  const failedAt = Math.max(Date.parse(alert.startTime), failed ?? -Infinity)
  const last = newest && !newest.future ? newest.at : -Infinity
  return Math.max(last, succeeded ?? -Infinity) >= failedAt
}

const failedOff = (on: Judging, guest: Guest): string | undefined =>
  on.policyOf('guests', on.record, guest).ownOff ??
  (on.config.disableAllFailedBackups ? 'Alerts about failed backup runs are switched off.' : undefined)

const backupFailed: Rule<Protection> = {
  name: 'backup-failed',
  judge(protection, on) {
    const { failed, source, vmid } = protection
    if (!failed && !on.isWatched) return
    const guest = guestOf(on, source, vmid)
    if (!guest) return
    const id = `backup-failed-${on.record}`
    const off = failedOff(on, guest)
    const isOver = !failed && isNewer(protection, on.openAlert(id), on.recall(failedRun))
    if (isOver || (failed && failed.at !== on.recall(failedRun))) on.keep(failedRun, failed?.at)
    on.emit({
      id,
      type: 'backup-failed',
      verdict: off !== undefined ? 'off' : failed ? 'bad' : isOver ? 'fine' : 'held',
      reason: off ?? (failed || isOver ? undefined : 'No later run of it is known.'),
      resource: resourceOf(guest),
      value: 0,
      threshold: 0,
      level: 'warning',
      since: failed?.at,
      message: `The last backup of ${guest.name} failed${failed ? `: ${failed.error}` : ''}`,
    })
  },
}

export const protections: Subject<'protections'> = {
  kind: 'protections',
  resource: ({ vmid, source }) => ({
    id: `${source}:${vmid}`,
    name: String(vmid),
    node: '',
    instance: source,
    type: 'VM',
  }),
  settlesMs: listsComeMs,
  isJoined: true,
  rules: [backupAge, backupFailed],
}
