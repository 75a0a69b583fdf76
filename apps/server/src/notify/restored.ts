import type { Alert } from '@pulse/contract'
import type { SentNotice, SourceShare, NotificationLogEntry } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { DeliveryStore } from '../db/deliveries.ts'
import { type Job, jobOf } from './job.ts'

export interface RestoredNotifications {
  told: NotificationLogEntry[]
  jobs: Job[]
}

/**
 * What is stored of who was told what and of messages that are not finished, page by page: a hundred destinations that
 * were away have the same thousands of alerts each, which are kept once. What is there of channels that are gone goes.
 */
export async function restored(
  store: Pick<DeliveryStore, 'channels' | 'removingChannel' | 'log' | 'unfinished' | 'get'>,
  isChannel: (channelId: string) => boolean,
  write: (queries: readonly CompiledQuery[]) => Promise<void>,
  moment: { now: number; monotonic: number },
): Promise<RestoredNotifications> {
  const known = new Map<string, Alert>()
  function once<T extends { alert: Alert }>(item: T): T {
    const text = JSON.stringify(item.alert)
    const alert = known.get(text) ?? item.alert
    known.set(text, alert)
    return { ...item, alert }
  }
  for (const id of await store.channels()) if (!isChannel(id)) await write(store.removingChannel(id))
  const told: NotificationLogEntry[] = []
  for await (const rows of store.log())
    for (const row of rows)
      if (isChannel(row.channel_id)) told.push(once(JSON.parse(row.entry) as NotificationLogEntry))
  const jobs: Job[] = []
  for await (const rows of store.unfinished())
    for (const { id, channel_id } of rows) {
      const row = isChannel(channel_id) ? await store.get(id) : undefined
      if (!row) continue
      const job = jobOf(row, moment)
      jobs.push({ ...job, dispatch: { ...job.dispatch, items: job.dispatch.items.map(once) } })
    }
  return { told, jobs }
}

/** What channels were sent about episodes that are open, each once. */
export function deliveredOf(
  told: readonly NotificationLogEntry[],
  isOpen: ReadonlySet<string>,
): SentNotice[] {
  const found = new Map<string, SentNotice>()
  for (const { alert, episode, at, escalatedAfter, isDelivered } of told) {
    if (!isDelivered || !isOpen.has(episode)) continue
    const known = found.get(episode)
    found.set(episode, {
      alertId: alert.id,
      episode,
      at: Math.max(at, known?.at ?? 0),
      escalatedAfter: Math.max(escalatedAfter, known?.escalatedAfter ?? 0),
    })
  }
  return [...found.values()]
}

/** A message that was delivered: it counts for the limits of an hour. */
interface Sent {
  channelId: string
  isEscalation: boolean
  alertIds: string[]
  sources: SourceShare[]
  /** epoch ms */
  at: number
}

/** Page by page; an id that a hundred channels were sent is kept once. */
export async function sentSince(store: Pick<DeliveryStore, 'sentSince'>, ms: number): Promise<Sent[]> {
  const sent: Sent[] = []
  const known = new Map<string, string>()
  const once = (id: string) => {
    const same = known.get(id) ?? id
    known.set(id, same)
    return same
  }
  for await (const rows of store.sentSince(ms))
    for (const { channel_id: channelId, kind, alert_ids, sources, updated_at: at } of rows)
      sent.push({
        channelId,
        isEscalation: kind === 'escalated',
        alertIds: (JSON.parse(alert_ids) as string[]).map(once),
        sources: JSON.parse(sources) as SourceShare[],
        at,
      })
  return sent
}
