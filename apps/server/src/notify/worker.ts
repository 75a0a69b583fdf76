import { deliveryLimits } from '@pulse/contract'
import type { Clock, Dispatcher, NoticeEnding, SentNotice } from '@pulse/domain'
import type { DeliveryStore } from '../db/deliveries.ts'
import { createDueTimer } from '../timing/due-timer.ts'
import type { Channel, Outcome } from './channel.ts'
import type { Health } from './health.ts'
import {
  attemptOf,
  itemColumns,
  type Job,
  newJob,
  noticeOf,
  resultColumns,
  rowOf,
  sentNotices,
} from './job.ts'
import { createJobQueue } from './job-queue.ts'
import type { Notes } from './notes.ts'
import { leastPauseMs, pauseAfter } from './retry-pause.ts'
import { sendWithin } from './send-within.ts'
import type { Writer } from './writer.ts'

const dayMs = 86_400_000
/**
 * A message that keeps failing may itself be the cause. Then up to this many messages are attempted in
 * parallel.
 */
const mostJobs = 3
const stubbornAttempts = 3

export interface WorkerEdges {
  channel: () => Channel | undefined
  dispatcher: Dispatcher
  store: DeliveryStore
  writer: Writer
  health: Health
  notes: Notes
  clock: Clock
  publicUrl: () => string | undefined
  /** Whether this process certainly is the only one that sends; asked right before each attempt. */
  maySend: () => boolean
  /** for times in the text of messages */
  timezone: () => string
  /** Messages about open alerts were delivered. */
  notified: (notices: readonly SentNotice[]) => void
  /** The dispatcher's next due time may have changed. */
  changed: () => void
  report: (error: unknown) => void
}

/** Sends the messages of one channel in sequence. Channels do not wait for one another. */
export interface Worker {
  /** Looks for a message that is due. */
  kick(): void
  /** Adds a message that a restart interrupted, or that an administrator sends again. */
  add(job: Job): void
  /** Retries a waiting message now; false when this worker does not have it. */
  hurry(id: string): boolean
  /** Retries all waiting messages now. */
  hurryAll(): void
  waiting(): number
  /** The channel was removed: cancels its messages. */
  discard(): Promise<void>
  /** epoch ms */
  nextAttemptAt(): number | undefined
  stop(): Promise<void>
}

export function createWorker(channelId: string, edges: WorkerEdges): Worker {
  const {
    channel,
    dispatcher,
    store,
    writer,
    health,
    notes,
    clock,
    publicUrl,
    maySend,
    timezone,
    changed,
    notified,
    report,
  } = edges
  const moment = () => ({ now: clock.now(), monotonic: clock.monotonic() })
  const queue = createJobQueue(clock)
  let running: Promise<void> | undefined
  let isKicked = false
  /** the last message needed a retry; queued alerts go into one message */
  let hasPiledUp = false
  const stopping = new AbortController()
  const nextAt = () => queue.nextAt(dispatcher.waiting(channelId) > 0)
  const dueTimer = createDueTimer({
    clock,
    // a running worker finds due messages itself
    dueAt: () => (running ? undefined : nextAt()),
    run: kick,
    onError: report,
  })

  function kick() {
    isKicked = true
    if (!stopping.signal.aborted) running ??= workWhileKicked()
  }

  /** A kick during the work causes another round. */
  async function workWhileKicked(): Promise<void> {
    while (isKicked && !stopping.signal.aborted) {
      isKicked = false
      await work()
    }
    running = undefined
    dueTimer.reschedule()
  }

  async function work(): Promise<void> {
    try {
      if (!channel()?.info.enabled) await cancelAll()
      while (!stopping.signal.aborted && channel()?.info.enabled) {
        const job = queue.pick() ?? (await form())
        if (!job) return
        await attempt(job)
      }
    } catch (error) {
      report(error)
      queue.restFor(leastPauseMs * 5)
    }
  }

  /** Stores new messages before the first attempt. */
  async function form(): Promise<Job | undefined> {
    const jobs = queue.all()
    const isStuck = jobs.length > 0
    const mayForm =
      !isStuck || (jobs.length < mostJobs && jobs.every(({ attempts }) => attempts >= stubbornAttempts))
    const own = channel()
    if (!mayForm || !own || queue.isResting()) return undefined
    const dispatches = dispatcher.take(channelId, moment(), hasPiledUp || isStuck)
    if (dispatches.length === 0) return undefined
    hasPiledUp = false
    changed()
    const formed = dispatches.map((dispatch) => newJob(dispatch, moment()))
    queue.add(formed)
    await writer.write(() => formed.map((job) => store.adding(rowOf(job, own))))
    return queue.pick()
  }

  async function attempt(job: Job): Promise<void> {
    const own = channel()
    if (!own || !(await isStillWanted(job))) return
    const startedAt = clock.monotonic()
    const at = new Date(clock.now()).toISOString()
    await writer.write(() => [
      store.changing(job.id, { state: 'sending', attempts: job.attempts + 1, updated_at: clock.now() }),
    ])
    if (!maySend()) {
      queue.restFor(leastPauseMs)
      // another process may take it as it was
      await writer.write(() => [store.changing(job.id, { state: 'waiting' })])
      return
    }
    const notice = noticeOf(job, { publicUrl: publicUrl(), timezone: timezone() })
    const outcome = await sendWithin(own, notice, {
      clock,
      stop: stopping.signal,
      report,
    })
    // our own stop interrupted the attempt; the next start sends the message again
    if (stopping.signal.aborted && !outcome.delivered) return
    job.attempts += 1
    job.bytes = outcome.bytes
    const tookMs = clock.monotonic() - startedAt
    job.log = [...job.log, attemptOf(outcome, at, tookMs)].slice(-deliveryLimits.attemptsShown)
    await settle(job, own, outcome, tookMs)
  }

  async function isStillWanted(job: Job): Promise<boolean> {
    if (job.isUncertain) return true
    const items = dispatcher.review(job.dispatch, moment())
    const isWhole = items.length === job.dispatch.items.length
    job.dispatch = { ...job.dispatch, items }
    if (isWhole) return true
    if (items.length > 0) {
      await writer.write(() => [store.changing(job.id, itemColumns(job.dispatch))])
      return true
    }
    await close(job, 'cancelled', 'kept')
    return false
  }

  async function settle(job: Job, own: Channel, outcome: Outcome, tookMs: number): Promise<void> {
    const note = (ids: readonly string[], text: string) =>
      notes.add(ids, { at: new Date(clock.now()).toISOString(), channel: own.info.name, text })
    if (outcome.delivered) {
      hasPiledUp ||= job.attempts > 1
      if (job.attempts > 1) hurryAll()
      health.delivered()
      await closeNamed(job, outcome.named, (ids) => note(ids, sentTexts[job.dispatch.kind]))
      return
    }
    const ids = job.dispatch.items.map(({ alert }) => alert.id)
    job.failures += 1
    job.failingSince ??= clock.monotonic() - tookMs
    queue.restFor(leastPauseMs)
    const failingMs = clock.monotonic() - job.failingSince
    const isFinal = outcome.retry === 'never' || failingMs >= dayMs
    // our own rate limit is no failure of the channel
    const isRateLimited = outcome.retryAfterMs !== undefined && outcome.bytes === 0
    if (!isRateLimited) health.failed(outcome.reason, tookMs, isFinal)
    // every reader of alerts sees this text, so it does not name the destination
    note(ids, `It could not be sent${isFinal ? ' and will not be retried' : ''}; the delivery log says why.`)
    if (isFinal) return close(job, 'failed', 'givenUp')
    const pauseMs = pauseAfter(outcome, own.retryPolicy, { failures: job.failures, failingMs })
    job.nextAt = clock.monotonic() + pauseMs
    await writer.write(() => [
      store.changing(job.id, {
        state: 'waiting',
        next_attempt_at: Math.round(clock.now() + pauseMs),
        ...resultColumns(job, clock.now()),
      }),
    ])
  }

  /** Alerts that the message did not name stay queued. */
  async function closeNamed(job: Job, named: number | undefined, note: (ids: readonly string[]) => void) {
    const { dispatch } = job
    const unnamed = dispatch.items.slice(named ?? dispatch.items.length)
    job.dispatch = { ...dispatch, items: dispatch.items.slice(0, named) }
    const ids = job.dispatch.items.map(({ alert }) => alert.id)
    note(ids)
    if (unnamed.length > 0) dispatcher.finish({ ...dispatch, items: unnamed }, 'unnamed', moment())
    await close(job, 'delivered', 'delivered', JSON.stringify(ids))
    if (dispatch.kind !== 'resolved') notified(sentNotices(job.dispatch, clock.now()))
  }

  /** Stores the delivery and the notification log in one transaction. */
  async function close(
    job: Job,
    state: 'delivered' | 'failed' | 'cancelled',
    ending: NoticeEnding,
    alertIds = '[]',
  ): Promise<void> {
    queue.remove(job)
    const { put, remove } = dispatcher.finish(job.dispatch, ending, moment())
    changed()
    await writer.write(() => [
      store.changing(job.id, {
        state,
        next_attempt_at: null,
        ...resultColumns(job, clock.now()),
        ...(state === 'delivered' && itemColumns(job.dispatch)),
        ...(state !== 'failed' && { items: '[]' }),
        alert_ids: alertIds,
      }),
      ...put.map(store.putting),
      ...remove.map(store.removing),
    ])
  }

  async function cancelAll() {
    for (const job of queue.all()) await close(job, 'cancelled', 'kept')
  }

  function hurryAll() {
    queue.hurry(() => true)
    kick()
  }

  async function stop() {
    dueTimer.stop()
    stopping.abort()
    await running
  }

  return {
    kick,
    add(job) {
      queue.add([job])
      kick()
    },
    hurry(id) {
      const isHere = queue.hurry((job) => job.id === id)
      kick()
      return isHere
    },
    hurryAll,
    waiting: () => queue.all().length,
    nextAttemptAt() {
      const next = nextAt()
      return next === undefined ? undefined : clock.now() + Math.max(0, next - clock.monotonic())
    },
    async discard() {
      await stop()
      await cancelAll()
    },
    stop,
  }
}

const sentTexts = {
  raised: 'Sent.',
  repeated: 'Reminder sent: the alert is still active.',
  escalated: 'Sent as an escalation.',
  resolved: 'The resolved message was sent.',
}
