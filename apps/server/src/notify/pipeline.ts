import {
  type AlertConfig,
  type ChannelStatus,
  type Delivery,
  deliveryLimits,
  type TracedNotice,
} from '@pulse/contract'
import type { AlertChange, Clock, Dispatcher, LedgerChanges } from '@pulse/domain'
import type { Logger } from 'pino'
import type { DeliveryStore } from '../db/deliveries.ts'
import { createMutex } from '../timing/concurrency.ts'
import { createDueTimer } from '../timing/due-timer.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { yieldToEventLoop } from '../timing/yield.ts'
import type { FaultReport } from '../troubles/faults.ts'
import type { Troubles } from '../troubles/troubles.ts'
import type { AlertSource } from './alert-source.ts'
import type { Channel } from './channel.ts'
import { createChannelWorkers } from './channel-workers.ts'
import type { Health } from './health.ts'
import { jobOf } from './job.ts'
import { createNotes, tracedNotice } from './notes.ts'
import { isPending, pendingDelivery } from './pending-delivery.ts'
import { restored } from './restored.ts'
import { createWriter } from './writer.ts'

const hourMs = 3_600_000
/** Entries of the notification log that one transaction removes. */
const removedPerTransaction = 1_000

export interface PipelineEdges {
  alerts: AlertSource
  channels: () => readonly Channel[]
  store: DeliveryStore
  clock: Clock
  log: Logger
  troubles: Troubles
  report: FaultReport
  publicUrl: () => string | undefined
  /** Whether this process certainly is the only one that sends. */
  maySend: () => boolean
}

export type RetryAnswer = 'sent' | 'pending' | 'unknown' | 'done' | 'noChannel'

/** From changes of alerts to delivered messages. */
export interface Pipeline {
  apply(changes: readonly AlertChange[]): void
  configure(config: AlertConfig): void
  /** Channels were added, changed or removed; `changed`: ids of channels with new settings. */
  setChannels(changed?: readonly string[]): void
  retry(deliveryId: string): Promise<RetryAnswer>
  /** The disk accepts writes again; records that it refused are stored now. */
  storageIsBack(): Promise<void>
  status(): ChannelStatus[]
  /** messages that still collect alerts */
  pending(): Delivery[]
  counts(channelId: string): Health['counts'] | undefined
  readonly overflowed: number
  explain(alertId: string): TracedNotice[]
  start(): Promise<void>
  stop(): Promise<void>
}

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

export function createPipeline(edges: PipelineEdges): Pipeline {
  const { alerts, channels, store, clock, log, troubles, report, publicUrl, maySend } = edges
  const moment = () => ({ now: clock.now(), monotonic: clock.monotonic() })
  const reportError = (error: unknown) => report('notifier', error)
  const writer = createWriter(store, clock, log)
  const notes = createNotes()
  const retryMutex = createMutex()
  let dispatcher: Dispatcher | undefined
  /** changes that arrive before `start` has finished */
  let early: AlertChange[] = []
  let trimming: Ticker | undefined
  let isStopped = false
  let reportedOverflow = 0
  /** pending while new settings are applied to all episodes */
  let deciding: Promise<void> | undefined

  const dueTimer = createDueTimer({
    clock,
    dueAt: () => dispatcher?.nextDue(clock.monotonic()),
    run: () => update((to) => to.due(moment())),
    onError: reportError,
  })

  const channelOf = (id: string) => channels().find(({ info }) => info.id === id)
  const workers = createChannelWorkers({
    channelOf,
    troubles,
    store,
    writer,
    notes,
    clock,
    publicUrl,
    maySend,
    timezone: () => alerts.config().schedule.quietHours.timezone,
    changed: dueTimer.reschedule,
    notified: alerts.notified,
    report: reportError,
  })

  function update(change: (to: Dispatcher) => void) {
    if (!dispatcher) return
    change(dispatcher)
    void removeEntries(dispatcher.drain())
    proceed()
  }

  /** Makes every worker look for messages that it can send now. */
  function proceed() {
    if (!dispatcher || isStopped) return
    reportOverflow(dispatcher)
    if (dispatcher.isBusy) deciding ??= decideInSteps(dispatcher)
    for (const worker of workers.all()) worker.kick()
    dueTimer.reschedule()
  }

  function reportOverflow({ overflowed }: Dispatcher) {
    if (overflowed === reportedOverflow) return
    reportedOverflow = overflowed
    troubles.happened(
      'notify-overflow',
      'The notification queue is full. Further notifications are sent when there is room.',
      new Error(`${overflowed} notifications exceeded the queue since the start`),
    )
  }

  /**
   * Uses several transactions: a hundred channels may have more entries than one transaction should hold. All
   * removals are queued at once, before a later message can add an entry again.
   */
  async function removeEntries({ remove }: Pick<LedgerChanges, 'remove'>) {
    const parts: Promise<void>[] = []
    for (let from = 0; from < remove.length; from += removedPerTransaction)
      parts.push(writer.write(() => remove.slice(from, from + removedPerTransaction).map(store.removing)))
    await Promise.all(parts)
  }

  /** In one step, thousands of alerts for many channels would block the event loop. */
  async function decideInSteps(by: Dispatcher): Promise<void> {
    while (by.isBusy) {
      await yieldToEventLoop()
      if (isStopped) return
      try {
        by.step(moment())
      } catch (error) {
        reportError(error)
      }
    }
    deciding = undefined
    update(() => {})
  }

  async function restore(): Promise<Dispatcher> {
    const found = await restored({ alerts, channels: channels(), store, writer }, moment())
    workers.follow(channels(), found.dispatcher)
    for (const { alert, channelId, at, isDelivered } of found.log) {
      const channel = channelOf(channelId)?.info.name ?? channelId
      if (isDelivered) notes.add([alert.id], { at: new Date(at).toISOString(), channel, text: 'Sent.' })
    }
    for (const { channel_id, at } of await store.lastDelivered()) {
      const health = workers.healthOf(channel_id)
      if (health) health.lastDeliveredAt = at
    }
    alerts.notified(found.notified)
    for (const job of found.jobs) workers.get(job.dispatch.channelId)?.add(job)
    return found.dispatcher
  }

  function trim() {
    const open = new Set(alerts.stored().map(({ alert }) => alert.id))
    notes.trim((id) => open.has(id), clock.now())
    return store.trim(deliveryLimits.kept, clock.now() - hourMs)
  }

  /** Runs under a mutex: the second of two calls for one message sees the attempt of the first. */
  async function sendAgain(deliveryId: string): Promise<RetryAnswer> {
    if (isPending(deliveryId)) return 'pending'
    for (const worker of workers.all()) if (worker.hurry(deliveryId)) return 'sent'
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
    apply(changes) {
      if (!dispatcher) early.push(...changes)
      else update((to) => to.apply(changes, moment()))
    },
    configure(config) {
      if (!dispatcher) return
      dispatcher.configure(config)
      proceed()
    },
    setChannels(changed = []) {
      update((to) => {
        workers.follow(channels(), to)
        void removeEntries(to.setChannels(channels().map(({ info }) => info)))
        for (const id of changed) {
          to.forgive(id)
          workers.healthOf(id)?.forget()
          workers.get(id)?.hurryAll()
        }
      })
    },
    storageIsBack: () => writer.write(() => []),
    retry: (deliveryId) => retryMutex(() => sendAgain(deliveryId)),
    status: () =>
      channels().map(({ info: { id, kind, name, enabled } }) => {
        const worker = workers.get(id)
        const health = workers.healthOf(id)
        return {
          id,
          kind,
          name,
          enabled,
          waiting: (worker?.waiting() ?? 0) + (dispatcher?.waiting(id) ?? 0),
          lastDeliveredAt: iso(health?.lastDeliveredAt),
          failingSince: iso(health?.failingSince),
          lastError: health?.lastError,
          nextAttemptAt: iso(worker?.nextAttemptAt()),
        }
      }),
    pending: () =>
      channels().flatMap(({ info }) =>
        (dispatcher?.pending(info.id, moment()) ?? []).map((waiting) => pendingDelivery(info, waiting)),
      ),
    counts: (channelId) => workers.healthOf(channelId)?.counts,
    get overflowed() {
      return dispatcher?.overflowed ?? 0
    },
    explain(alertId) {
      const at = new Date(clock.now()).toISOString()
      const unsent = dispatcher?.explain(alertId, moment()) ?? []
      return [...notes.of(alertId), ...unsent.map((one) => ({ at, ...tracedNotice(one) }))]
    },
    async start() {
      const ready = await restore()
      dispatcher = ready
      ready.apply(early.splice(0), moment())
      await removeEntries(ready.drain())
      trimming = createTicker({
        clock,
        intervalMs: hourMs,
        run: trim,
        onError: (err) => log.error({ err }, 'cannot delete old entries from the delivery log'),
      })
      trimming.now()
      proceed()
    },
    async stop() {
      isStopped = true
      dueTimer.stop()
      trimming?.stop()
      await workers.stop()
      await writer.write(() => [])
      writer.stop()
      dispatcher = undefined
    },
  }
}
