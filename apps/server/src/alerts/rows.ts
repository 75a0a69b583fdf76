import { Alert, type AlertHistoryEntry, overrideKey, type OverrideKind, overrideKinds } from '@pulse/contract'
import type { AlertChange, Restored, StoredAlert, StoredResolved, StoredMemory } from '@pulse/domain'
import * as z from 'zod/mini'
import type { AlertHistoryRow, AlertRow } from '../db/schema.ts'

/** epoch ms within the range of `Date` */
const moment = z.number().check(z.minimum(-8.64e15), z.maximum(8.64e15))

/** A resolved alert is stored with its ending. */
export function toAlertRow({ stored, at, ending }: AlertChange): AlertRow {
  const { id } = stored.alert
  if (ending === undefined) return { id, stored: JSON.stringify(stored), resolved_at: null }
  const gone: StoredResolved = { stored, ending, endedAt: at }
  return { id, stored: JSON.stringify(gone), resolved_at: at }
}

/** The fields that the engine needs to restore an alert. */
const AlertText = z.object({
  ...Alert.shape,
  startTime: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
})
const Stored = z.object({
  alert: AlertText,
  episode: z.string(),
  kind: z.string(),
  record: z.string(),
  source: z.string(),
  rule: z.string(),
  trigger: z.number(),
  flappingUntil: z.optional(z.number()),
  steps: z.array(z.object({ at: z.number(), text: z.string() })),
})
const Gone = z.object({
  stored: Stored,
  ending: z.enum(['value', 'passed', 'off', 'displaced', 'gone', 'cleared']),
  endedAt: moment,
})
const Memory = z.object({
  runtime: z.optional(z.object({ ms: z.number(), at: moment })),
  gone: z.array(Gone),
  flapping: z.record(z.string(), z.object({ changes: z.array(z.number()), until: z.optional(z.number()) })),
  rules: z.record(z.string(), z.record(z.string(), z.unknown())),
  cleared: z.optional(
    z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        record: z.string(),
        source: z.string(),
        rule: z.string(),
        level: z.string(),
        node: z.string(),
      }),
    ),
  ),
})

/** Logs a row that cannot be read, and skips it. */
export async function fromAlertRows(
  pages: AsyncIterable<readonly AlertRow[]>,
  onUnreadable: (id: string) => void,
): Promise<Restored> {
  const alerts: StoredAlert[] = []
  const gone: StoredResolved[] = []
  for await (const rows of pages)
    for (const { id, stored, resolved_at } of rows) {
      const one = resolved_at === null ? readAs<StoredAlert>(Stored, stored) : undefined
      const past = resolved_at === null ? undefined : readAs<StoredResolved>(Gone, stored)
      if ((one ?? past?.stored)?.alert.id !== id) onUnreadable(id)
      else if (one) alerts.push(one)
      else gone.push(past!)
    }
  return { alerts, gone }
}

export function readMemory(text: string, onUnreadable: () => void): StoredMemory | undefined {
  const memory = readAs<StoredMemory>(Memory, text)
  if (!memory) onUnreadable()
  return memory
}

/** Keeps unknown fields. */
function readAs<T>(schema: z.ZodMiniType, text: string): T | undefined {
  try {
    const value = JSON.parse(text) as T
    return schema.safeParse(value).success ? value : undefined
  } catch {
    return undefined
  }
}

export function toHistoryRow(change: AlertChange): AlertHistoryRow {
  const { alert, episode, kind, record } = change.stored
  const started_at = Date.parse(alert.startTime)
  const level = alert.level === 'critical' ? 'critical' : 'warning'
  const ended =
    change.ending !== undefined
      ? { ended_at: change.at, duration_ms: Math.max(0, change.durationMs ?? change.at - started_at) }
      : { ended_at: null, duration_ms: null }
  return {
    episode,
    alert_id: alert.id,
    resource_id: alert.resourceId,
    resource_key: resourceKeyOf(kind, record),
    level,
    peak_level: level,
    started_at,
    ...ended,
    alert: JSON.stringify(alert),
  }
}

/** The key of overrides, for kinds that can have overrides. */
export const resourceKeyOf = (kind: string, record: string): string =>
  Object.hasOwn(overrideKinds, kind) ? overrideKey(kind as OverrideKind, record) : `${kind}:${record}`

/** `live`: the current alert while it is open. Returns undefined for a row that cannot be read. */
export function toHistoryEntry(row: AlertHistoryRow, live: Alert | undefined): AlertHistoryEntry | undefined {
  const alert = live ?? readAs<Alert>(AlertText, row.alert)
  if (!alert) return undefined
  const level = (name: string) => (name === 'critical' ? 'critical' : 'warning')
  const last = row.ended_at ?? Date.parse(alert.lastSeen ?? alert.startTime)
  const durationMs = row.duration_ms ?? Math.max(0, last - row.started_at)
  return {
    ...alert,
    peakLevel: alert.level === 'critical' ? 'critical' : level(row.peak_level),
    status: row.ended_at === null ? 'active' : alert.acknowledged ? 'acknowledged' : 'resolved',
    ...(row.ended_at !== null && { endTime: new Date(row.ended_at).toISOString() }),
    duration: Math.round(durationMs / 1000),
  }
}
