import type { Alert } from '@pulse/contract'
import {
  Dispatcher,
  type EpisodeEnd,
  type Moment,
  type NotificationLogEntry,
  type SentNotice,
  type SourceShare,
} from '@pulse/domain'
import type { DeliveryStore } from '../db/deliveries.ts'
import type { AlertSource } from './alert-source.ts'
import type { Channel } from './channel.ts'
import { type Job, jobOf } from './job.ts'
import type { Writer } from './writer.ts'

const hourMs = 3_600_000

interface RestoreEdges {
  alerts: Pick<AlertSource, 'config' | 'stored' | 'endsOf'>
  channels: readonly Channel[]
  store: DeliveryStore
  writer: Pick<Writer, 'write'>
}

export interface Restored {
  dispatcher: Dispatcher
  /** the notification log of the configured channels */
  log: readonly NotificationLogEntry[]
  /** unfinished messages */
  jobs: readonly Job[]
  /** deliveries about open episodes, each once */
  notified: readonly SentNotice[]
}

/** Restores the dispatcher and the messages that the last stop interrupted, from the database. */
export async function restored(
  { alerts, channels, store, writer }: RestoreEdges,
  moment: Moment,
): Promise<Restored> {
  const infos = channels.map(({ info }) => info)
  const ids = new Set(infos.map(({ id }) => id))
  for (const id of await store.channels())
    if (!ids.has(id)) await writer.write(() => store.removingChannel(id))
  const { log, jobs } = await readUnfinished(store, ids, moment)
  const underWay = jobs.map(({ dispatch }) => dispatch)

  const open = alerts.stored()
  const openIds = new Set(open.map(({ episode }) => episode))
  const items = underWay.flatMap((dispatch) => dispatch.items)
  const ended = [...log, ...items].map(({ episode }) => episode).filter((episode) => !openIds.has(episode))
  const ends = await alerts.endsOf([...new Set(ended)])
  const endOf = (episode: string) => ends.get(episode) ?? unknownEnd(moment.now)

  const sent = await sentSince(store, moment.now - hourMs)
  const dispatcher = new Dispatcher(alerts.config(), infos, { open, log, endOf, underWay, sent }, moment)
  return { dispatcher, log, jobs, notified: deliveredOf(log, openIds) }
}

/**
 * The history has no entry of this episode: it was cleared, or the process ended before the entry was stored.
 */
const unknownEnd = (at: number): EpisodeEnd => ({
  at,
  reason: 'unwatched',
  note: 'It resolved before Pulse restarted; its history has no reason.',
})

/**
 * Reads page by page. After an outage, a hundred channels hold the same thousands of alerts in their logs and
 * messages; equal alerts share one object.
 */
async function readUnfinished(
  store: Pick<DeliveryStore, 'log' | 'unfinished' | 'get'>,
  channelIds: ReadonlySet<string>,
  moment: Moment,
): Promise<{ log: NotificationLogEntry[]; jobs: Job[] }> {
  const known = new Map<string, Alert>()
  function shared<T extends { alert: Alert }>(item: T): T {
    const text = JSON.stringify(item.alert)
    const alert = known.get(text) ?? item.alert
    known.set(text, alert)
    return { ...item, alert }
  }
  const log: NotificationLogEntry[] = []
  for await (const rows of store.log())
    for (const row of rows)
      if (channelIds.has(row.channel_id)) log.push(shared(JSON.parse(row.entry) as NotificationLogEntry))
  const jobs: Job[] = []
  for await (const rows of store.unfinished())
    for (const { id, channel_id } of rows) {
      const row = channelIds.has(channel_id) ? await store.get(id) : undefined
      if (!row) continue
      const job = jobOf(row, moment)
      jobs.push({ ...job, dispatch: { ...job.dispatch, items: job.dispatch.items.map(shared) } })
    }
  return { log, jobs }
}

/** The latest delivery about each open episode, over all channels. */
function deliveredOf(log: readonly NotificationLogEntry[], openIds: ReadonlySet<string>): SentNotice[] {
  const found = new Map<string, SentNotice>()
  for (const { alert, episode, at, escalatedAfter, isDelivered } of log) {
    if (!isDelivered || !openIds.has(episode)) continue
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

/** A delivered message that counts towards the hourly caps. */
interface Sent {
  channelId: string
  isEscalation: boolean
  alertIds: string[]
  sources: SourceShare[]
  /** epoch ms */
  at: number
}

/** Reads page by page; equal ids share one string. */
async function sentSince(store: Pick<DeliveryStore, 'sentSince'>, ms: number): Promise<Sent[]> {
  const sent: Sent[] = []
  const known = new Map<string, string>()
  const shared = (id: string) => {
    const same = known.get(id) ?? id
    known.set(id, same)
    return same
  }
  for await (const rows of store.sentSince(ms))
    for (const { channel_id: channelId, kind, alert_ids, sources, updated_at: at } of rows)
      sent.push({
        channelId,
        isEscalation: kind === 'escalated',
        alertIds: (JSON.parse(alert_ids) as string[]).map(shared),
        sources: JSON.parse(sources) as SourceShare[],
        at,
      })
  return sent
}
