import { type Alert, type DeliveredAlert, type DeliveryAttempt, deliveryLimits } from '@pulse/contract'
import type { Dispatch, DispatchItem, SourceShare, Notice } from '@pulse/domain'
import type { DeliveryRow } from '../db/schema.ts'
import type { Channel, Outcome } from './channel.ts'

/** One message that is not finished. Moments are monotonic unless they are told. */
export interface Job {
  id: string
  eventId: string
  /** epoch ms */
  createdAt: number
  dispatch: Dispatch
  /** of those that are over */
  attempts: number
  log: DeliveryAttempt[]
  /** tries that failed, one after the other, and since when */
  failures: number
  failingSince: number | undefined
  nextAt: number
  /** A restart cut its last try off: it may have arrived, so all of it is sent again. */
  isUncertain: boolean
  /** of what was sent last */
  bytes: number | undefined
}

export const isOverAt = ({ endedAt }: DispatchItem): string | undefined =>
  endedAt === undefined ? undefined : new Date(endedAt).toISOString()

export const noticeOf = (
  { eventId, createdAt, dispatch }: Job,
  { publicUrl, timezone }: { publicUrl: string | undefined; timezone: string },
): Notice => ({
  eventId,
  kind: dispatch.kind,
  at: new Date(createdAt).toISOString(),
  alerts: dispatch.items.map((item) => {
    const resolvedAt = isOverAt(item)
    return { alert: item.alert, ...(resolvedAt !== undefined && { resolvedAt }) }
  }),
  left: dispatch.sources.flatMap(({ name, isCritical, left }) =>
    left > 0 ? [{ name, isCritical, count: left }] : [],
  ),
  timezone,
  ...(publicUrl !== undefined && { publicUrl }),
})

/** What the log shows of alerts: the first of them, briefly. */
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

/** What the log shows of its alerts, and what is sent. */
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

/** What became of its tries. */
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

/** As a restart, or somebody who wants it sent again, finds it. */
export function jobOf(row: DeliveryRow, now: { now: number; monotonic: number }): Job {
  const { id, event_id, channel_id, kind, created_at, attempts, log, state, next_attempt_at } = row
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
    nextAt: now.monotonic + Math.max(0, Math.min((next_attempt_at ?? 0) - now.now, 60_000)),
    isUncertain: state === 'sending',
    bytes: row.payload_size ?? undefined,
  }
}
