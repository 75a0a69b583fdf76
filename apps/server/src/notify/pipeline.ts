import type { AlertConfig, ChannelStatus, Delivery, TracedNotice } from '@pulse/contract'
import { deliveryLimits } from '@pulse/contract'
import {
  type AlertChange,
  type Clock,
  Dispatcher,
  type EpisodeEnd,
  type SentNotice,
  type StoredAlert,
  type NotificationLogEntry,
} from '@pulse/domain'
import type { Logger } from 'pino'
import type { DeliveryStore } from '../db/deliveries.ts'
import { createMutex } from '../timing/concurrency.ts'
import { yieldToEventLoop } from '../timing/yield.ts'
import type { FaultReport } from '../troubles/faults.ts'
import type { Troubles } from '../troubles/troubles.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { createDueTimer } from '../timing/due-timer.ts'
import type { Channel } from './channel.ts'
import { createHealth, type Health } from './health.ts'
import { jobOf } from './job.ts'
import { createNotes, tracedNotice } from './notes.ts'
import { isPending, pendingDelivery } from './pending-delivery.ts'
import { restored, deliveredOf, sentSince } from './restored.ts'
import { createWorker, type Worker } from './worker.ts'
import { createWriter } from './writer.ts'

const hourMs = 3_600_000
/** Entries of the ledger that one transaction removes. */
const forgottenAtOnce = 1_000

/** What the alerts say of themselves, for whoever sends them. */
export interface AlertSource {
  config: () => AlertConfig
  /** open ones, as they are stored */
  stored: () => readonly StoredAlert[]
  /** when and why episodes that are not open any more ended */
  endsOf: (episodes: readonly string[]) => Promise<ReadonlyMap<string, EpisodeEnd>>
  /** Messages about them were delivered. */
  notified: (notices: readonly SentNotice[]) => void
}

export interface PipelineEdges {
  alerts: AlertSource
  channels: () => readonly Channel[]
  store: DeliveryStore
  clock: Clock
  log: Logger
  troubles: Troubles
  report: FaultReport
  publicUrl: () => string | undefined
}

export type RetryAnswer = 'sent' | 'pending' | 'unknown' | 'done' | 'noChannel'

/** From what becomes of alerts to what leaves Pulse. */
export interface Pipeline {
  hear(changes: readonly AlertChange[]): void
  configure(config: AlertConfig): void
  /** Channels were added, changed or removed; `changed`: those with other settings. */
  setChannels(changed?: readonly string[]): void
  retry(deliveryId: string): Promise<RetryAnswer>
  /** What the disk refused is stored at once: there is room again. */
  storageIsBack(): Promise<void>
  status(): ChannelStatus[]
  /** messages that are still collected */
  pending(): Delivery[]
  /** what became of the messages for a channel */
  counts(id: string): Health['counts'] | undefined
  readonly overflowed: number
  explain(alertId: string): TracedNotice[]
  start(): Promise<void>
  stop(): Promise<void>
}

export function createPipeline(edges: PipelineEdges): Pipeline {
  const { alerts, channels, store, clock, log, troubles, report, publicUrl } = edges
  const moment = () => ({ now: clock.now(), monotonic: clock.monotonic() })
  const writer = createWriter(store, clock, log)
  const notes = createNotes()
  const workers = new Map<string, Worker>()
  const healths = new Map<string, Health>()
  let dispatcher: Dispatcher | undefined
  /** what came before the start was through */
  let early: AlertChange[] = []
  let trimming: Ticker | undefined
  let isStopped = false
  let toldOverflow = 0
  /** until everything has been decided by what is in force */
  let deciding: Promise<void> | undefined
  const byHand = createMutex()

  const dueTimer = createDueTimer({
    clock,
    dueAt: () => dispatcher?.nextDue(clock.monotonic()),
    run: () => apply((to) => to.due(moment())),
    onError: (error) => report('notifier', error),
  })

  const channelOf = (id: string) => channels().find(({ info }) => info.id === id)
  const nameOf = (id: string) => channelOf(id)?.info.name ?? id

  function addWorker(id: string, to: Dispatcher) {
    const health = createHealth(id, () => nameOf(id), troubles, clock)
    healths.set(id, health)
    const worker = createWorker(id, {
      channel: () => channelOf(id),
      dispatcher: to,
      store,
      writer,
      health,
      notes,
      clock,
      publicUrl,
      timezone: () => alerts.config().schedule.quietHours.timezone,
      changed: dueTimer.reschedule,
      notified: alerts.notified,
      report: (error) => report('notifier', error),
    })
    workers.set(id, worker)
    return worker
  }

  function removeWorker(id: string) {
    const [worker, health] = [workers.get(id), healths.get(id)]
    workers.delete(id)
    healths.delete(id)
    health?.forget()
    worker?.discard().catch((error: unknown) => report('notifier', error))
  }

  /** Something has happened: everybody looks whether it is for them. */
  function go() {
    if (!dispatcher || isStopped) return
    tellOverflow(dispatcher)
    if (dispatcher.isBusy) deciding ??= decideInTurns(dispatcher)
    for (const worker of workers.values()) worker.kick()
    dueTimer.reschedule()
  }

  function tellOverflow({ overflowed }: Dispatcher) {
    if (overflowed === toldOverflow) return
    toldOverflow = overflowed
    const problem = new Error(`${overflowed} notifications exceeded the queue since the start`)
    troubles.happened(
      'notify-overflow',
      'The notification queue is full. Further notifications are sent when there is room.',
      problem,
    )
  }

  /** In parts: what a hundred channels need not know any more is too much for one transaction. */
  async function forget({
    remove,
  }: {
    remove: readonly Pick<NotificationLogEntry, 'episode' | 'channelId'>[]
  }) {
    for (let from = 0; from < remove.length; from += forgottenAtOnce)
      await writer.write(() => remove.slice(from, from + forgottenAtOnce).map(store.removing))
  }

  function apply(change: (to: Dispatcher) => void) {
    if (!dispatcher) return
    change(dispatcher)
    void forget(dispatcher.drain())
    go()
  }

  /** Thousands of alerts for many channels: others have their turn in between. */
  async function decideInTurns(by: Dispatcher): Promise<void> {
    while (by.isBusy) {
      await yieldToEventLoop()
      if (isStopped) return
      try {
        by.step(moment())
      } catch (error) {
        report('notifier', error)
      }
    }
    deciding = undefined
    apply(() => {})
  }

  async function restore(): Promise<Dispatcher> {
    const known = new Set(channels().map(({ info }) => info.id))
    const open = alerts.stored()
    const isOpen = new Set(open.map(({ episode }) => episode))
    const { told, jobs } = await restored(
      store,
      (id) => known.has(id),
      (queries) => writer.write(() => queries),
      moment(),
    )
    const underWay = jobs.map(({ dispatch }) => dispatch)
    const episodes = [
      ...told.map(({ episode }) => episode),
      ...underWay.flatMap(({ items }) => items.map(({ episode }) => episode)),
    ].filter((episode) => !isOpen.has(episode))
    const ends = await alerts.endsOf([...new Set(episodes)])
    const sent = await sentSince(store, clock.now() - hourMs)
    const made = new Dispatcher(
      alerts.config(),
      channels().map(({ info }) => info),
      { open, told, endOf: (episode) => ends.get(episode) ?? unknownEnd(clock.now()), underWay, sent },
      moment(),
    )
    for (const { info } of channels()) addWorker(info.id, made)
    for (const { alert, channelId, at, isDelivered } of told)
      if (isDelivered)
        notes.add([alert.id], { at: new Date(at).toISOString(), channel: nameOf(channelId), text: 'Sent.' })
    for (const { channel_id, at } of await store.lastDelivered()) {
      const health = healths.get(channel_id)
      if (health) health.lastDeliveredAt = at
    }
    alerts.notified(deliveredOf(told, isOpen))
    for (const job of jobs) workers.get(job.dispatch.channelId)?.add(job)
    return made
  }

  function trim() {
    const open = new Set(alerts.stored().map(({ alert }) => alert.id))
    notes.trim((id) => open.has(id), clock.now())
    return store.trim(deliveryLimits.kept, clock.now() - hourMs)
  }

  /** One after the other: of two at once the second finds what the first has begun. */
  async function sendAgain(deliveryId: string): Promise<RetryAnswer> {
    if (isPending(deliveryId)) return 'pending'
    for (const worker of workers.values()) if (worker.hurry(deliveryId)) return 'sent'
    const row = await store.get(deliveryId)
    if (!row) return 'unknown'
    if (row.state !== 'failed' || row.items === '[]') return 'done'
    const worker = workers.get(row.channel_id)
    if (!worker || !dispatcher || !channelOf(row.channel_id)?.info.enabled) return 'noChannel'
    const job = { ...jobOf(row, moment()), nextAt: clock.monotonic(), isUncertain: true }
    await writer.write(() => [
      store.changing(row.id, { state: 'waiting', next_attempt_at: clock.now(), error: null }),
    ])
    dispatcher.adopt(job.dispatch, moment())
    worker.add(job)
    return 'sent'
  }

  return {
    hear(changes) {
      if (!dispatcher) early.push(...changes)
      else apply((to) => to.hear(changes, moment()))
    },
    configure(config) {
      if (!dispatcher) return
      dispatcher.configure(config)
      go()
    },
    setChannels(changed = []) {
      if (!dispatcher) return
      const by = dispatcher
      const ids = new Set(channels().map(({ info }) => info.id))
      for (const id of ids) if (!workers.has(id)) addWorker(id, by)
      void forget(by.setChannels(channels().map(({ info }) => info)))
      for (const id of changed) {
        by.forgive(id)
        healths.get(id)?.forget()
        workers.get(id)?.hurryAll()
      }
      for (const id of [...workers.keys()].filter((one) => !ids.has(one))) removeWorker(id)
      apply(() => {})
    },
    storageIsBack: () => writer.write(() => []),
    retry: (deliveryId) => byHand(() => sendAgain(deliveryId)),
    status: () =>
      channels().map(({ info: { id, kind, name, enabled } }) => {
        const worker = workers.get(id)
        const health = healths.get(id)
        const next = worker?.nextAttemptAt()
        const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
        return {
          id,
          kind,
          name,
          enabled,
          waiting: (worker?.waiting() ?? 0) + (dispatcher?.waiting(id) ?? 0),
          lastDeliveredAt: iso(health?.lastDeliveredAt),
          failingSince: iso(health?.failingSince),
          lastError: health?.lastError,
          nextAttemptAt: iso(next),
        }
      }),
    pending: () =>
      channels().flatMap(({ info }) =>
        (dispatcher?.pending(info.id, moment()) ?? []).map((waiting) => pendingDelivery(info, waiting)),
      ),
    counts: (id) => healths.get(id)?.counts,
    get overflowed() {
      return dispatcher?.overflowed ?? 0
    },
    explain(alertId) {
      const at = new Date(clock.now()).toISOString()
      const standing = dispatcher?.explain(alertId, moment()) ?? []
      return [...notes.of(alertId), ...standing.map((one) => ({ at, ...tracedNotice(one) }))]
    },
    async start() {
      const made = await restore()
      dispatcher = made
      made.hear(early.splice(0), moment())
      await forget(made.drain())
      trimming = createTicker({
        clock,
        intervalMs: hourMs,
        run: trim,
        onError: (err) => log.error({ err }, 'cannot delete old entries from the delivery log'),
      })
      trimming.now()
      go()
    },
    async stop() {
      isStopped = true
      dueTimer.stop()
      trimming?.stop()
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
      await writer.write(() => [])
      writer.stop()
      dispatcher = undefined
    },
  }
}

/** Nobody knows that its condition is over. */
const unknownEnd = (at: number): EpisodeEnd => ({
  at,
  reason: 'unwatched',
  note: 'It resolved before Pulse restarted; its history has no reason.',
})
