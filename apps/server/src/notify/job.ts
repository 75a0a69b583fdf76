import { type Alert, type DeliveredAlert, type DeliveryAttempt, deliveryLimits } from '@pulse/contract'
import type { Dispatch, DispatchItem, SourceShare, Notice, Moment, SentNotice } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import type { DeliveryRow } from '../db/schema.ts'
import type { Channel, Outcome } from './channel.ts'

/** An unfinished message. Times are monotonic unless noted otherwise. */
export interface Job {
  id: string
  eventId: string
  /** epoch ms */
  createdAt: number
  dispatch: Dispatch
  /** finished attempts */
  attempts: number
  log: DeliveryAttempt[]
  /** consecutive failed attempts, and the time of the first one */
  failures: number
  failingSince: number | undefined
  nextAt: number
  /** A restart interrupted its last attempt. The message may have arrived, so it is sent again unchanged. */
  isUncertain: boolean
  /** size of the last attempt */
  bytes: number | undefined
}

export const newJob = (dispatch: Dispatch, { now, monotonic }: Moment): Job => ({
  id: `${String(now).padStart(15, '0')}-${randomUUID()}`,
  eventId: randomUUID(),
  createdAt: now,
  dispatch,
  attempts: 0,
  log: [],
  failures: 0,
  failingSince: undefined,
  nextAt: monotonic,
  isUncertain: false,
  bytes: undefined,
})

/** For the alerts: deliveries about each of a message's alerts. */
export const sentNotices = ({ items }: Dispatch, at: number): SentNotice[] =>
  items.map(({ alert, episode, escalatedAfter }) => ({ alertId: alert.id, episode, at, escalatedAfter }))

const resolvedAtOf = ({ endedAt }: DispatchItem): string | undefined =>
  endedAt === undefined ? undefined : new Date(endedAt).toISOString()

export const noticeOf = (
  { eventId, createdAt, dispatch }: Job,
  { publicUrl, timezone }: { publicUrl: string | undefined; timezone: string },
): Notice => ({
  eventId,
  kind: dispatch.kind,
  at: new Date(createdAt).toISOString(),
  alerts: dispatch.items.map((item) => {
    const resolvedAt = resolvedAtOf(item)
    return { alert: item.alert, ...(resolvedAt !== undefined && { resolvedAt }) }
  }),
  left: dispatch.sources.flatMap(({ name, isCritical, left }) =>
    left > 0 ? [{ name, isCritical, count: left }] : [],
  ),
  timezone,
  ...(publicUrl !== undefined && { publicUrl }),
})

/** The first alerts of a message, as the delivery log shows them. */
export const shownAlerts = (alerts: readonly Alert[]): DeliveredAlert[] =>
  alerts
    .slice(0, deliveryLimits.alertsShown)
    .map(({ id, resourceName, type, level, message, startTime }) => ({
      id,
      resourceName,
      type,
      level,
      message,
      startTime,
    }))

/** The alerts of a message, once for the delivery log and once as they are sent. */
export const itemColumns = ({ items }: Pick<Dispatch, 'items'>) => ({
  alert_count: items.length,
  alerts: JSON.stringify(shownAlerts(items.map(({ alert }) => alert))),
  items: JSON.stringify(items),
})

export function rowOf(job: Job, { info, service, address }: Channel): DeliveryRow {
  const { id, eventId, createdAt, dispatch } = job
  return {
    id,
    event_id: eventId,
    kind: dispatch.kind,
    channel_id: info.id,
    channel_kind: info.kind,
    channel_name: info.name,
    service,
    address,
    state: 'waiting',
    created_at: createdAt,
    updated_at: createdAt,
    next_attempt_at: createdAt,
    attempts: 0,
    log: '[]',
    status_code: null,
    error: null,
    payload_size: null,
    ...itemColumns(dispatch),
    alert_ids: '[]',
    sources: JSON.stringify(dispatch.sources),
  }
}

/** The results of a message's attempts. */
export function resultColumns({ attempts, log, bytes }: Job, now: number) {
  const last = log.at(-1)
  return {
    attempts,
    updated_at: now,
    log: JSON.stringify(log),
    status_code: last?.statusCode ?? null,
    error: last?.error ?? null,
    payload_size: bytes ?? null,
  }
}

export function attemptOf(outcome: Outcome, at: string, tookMs: number): DeliveryAttempt {
  const { status, response } = outcome
  return {
    at,
    success: outcome.delivered,
    duration: Math.round(tookMs),
    ...(status !== undefined && { statusCode: status }),
    ...(response !== undefined && { response }),
    ...(!outcome.delivered && { error: outcome.reason }),
  }
}

/** Restores a message from the database, after a restart or when an administrator sends it again. */
export function jobOf(row: DeliveryRow, at: Moment): Job {
  const { id, event_id, channel_id, kind, created_at, attempts, log, state } = row
  return {
    id,
    eventId: event_id,
    createdAt: created_at,
    dispatch: {
      channelId: channel_id,
      kind: kind as Dispatch['kind'],
      items: JSON.parse(row.items) as DispatchItem[],
      sources: JSON.parse(row.sources) as SourceShare[],
    },
    attempts,
    log: JSON.parse(log) as DeliveryAttempt[],
    failures: 0,
    failingSince: undefined,
    nextAt: at.monotonic + leftMs(row, at.now),
    isUncertain: state === 'sending',
    bytes: row.payload_size ?? undefined,
  }
}

/** No more than the whole pause: who stored it may have had another wall clock. */
function leftMs({ updated_at, next_attempt_at: next }: DeliveryRow, now: number): number {
  return next === null ? 0 : Math.max(0, Math.min(next - now, next - updated_at, 60_000))
}
