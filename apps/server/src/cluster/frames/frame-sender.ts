import type { Subscription } from '@nats-io/transport-node'
import { headers } from '@nats-io/transport-node'
import {
  type Clock,
  createSender,
  type Frame,
  heard,
  type Moments,
  type Observation,
  overdue,
  type Sender,
  type SourceReport,
} from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { findOverdueSources } from '../../state/overdue-sources.ts'
import { createDueTimer } from '../../timing/due-timer.ts'
import type { Bus } from '../nats/bus.ts'
import { createFieldWriter } from './field-writer.ts'
import { encodeFrame } from './frame-codec.ts'
import { partHeader, setPart } from '../nats/parts.ts'
import { polledRecords } from './source-costs.ts'
import { framesOf, resendOf } from '../nats/subjects.ts'

/** Changes may become this many times as large as their base before a new base takes their place. */
const mostGrowth = 4
const leastBytes = 256 * 1024
/** The pause after a frame that could not be sent although there is a line. */
const retryMs = 1_000
/** Receivers give a source this much longer than its promise: the process that collects it says that it does not answer. */
const graceMs = 5_000
/** It waits so long before it says so: it may have been stopped for some seconds, and just ask the source again. */
const doubtMs = 2_000
/** It was stopped if it is about to say so this much too late. The source may have answered meanwhile. */
const stoppedMs = 1_000
/** It says so again and again, so that its silence means something else. */
const sayAgainMs = 10_000
const lastsMs = 30_000

export const header = {
  fence: 'Pulse-Fence',
  ...partHeader,
  /** that a poll of the source reads: the work that it makes */
  records: 'Pulse-Records',
  /** instead of a frame: the source is no more */
  forgotten: 'Pulse-Forgotten',
} as const

export interface FrameSender {
  /** that a poll reads */
  records(): number
  offer(observation: Omit<Observation, 'source'>): void
  /** Its process has a new lease of the source, after one that has ended. */
  renew(fence: string): void
  /** The line is back: receivers may have missed something. */
  resend(): void
  /** The source is no more. Also stops. */
  forget(): Promise<void>
  stop(): void
}

export interface FrameSenderEdges {
  bus: Pick<Bus, 'nats' | 'jetstream' | 'manager' | 'isUp'>
  /** undefined: the process that leads has it */
  site: string | undefined
  source: string
  /** of the lease of the source */
  fence: string
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** A frame could not be sent. A base follows after a pause, or when the line is back. */
  onFault: (error: unknown) => void
}

/**
 * Sends what a source says to all processes. While the line is cut it keeps the newest state only: the records are those
 * of the collector, so that nothing grows.
 */
export function createFrameSender(edges: FrameSenderEdges): FrameSender {
  const { bus, site, source, clock, onFault } = edges
  let { fence } = edges
  /** Receivers take the frames of another sender of the same process for new ones. */
  const id = randomUUID()
  const subject = framesOf(site, source)
  /** all kinds so far, and the last report */
  const latest: { records: Observation['records']; report: SourceReport } = {
    records: {},
    report: {},
  }
  let earlier: Moments | undefined
  /** monotonic: until then the source is not overdue */
  let promisedUntil: number | undefined
  let isOverdue = false
  let overdueAt: number | undefined
  const promises = findOverdueSources(clock, () => {
    const now = clock.monotonic()
    const wasStopped = now - (promisedUntil ?? now) > stoppedMs
    overdueAt = now + (wasStopped ? graceMs : doubtMs)
    doubting.reschedule()
  })
  const doubting = createDueTimer({
    clock,
    dueAt: () => overdueAt,
    run() {
      const now = clock.monotonic()
      const wasStopped = now - overdueAt! > stoppedMs
      overdueAt = wasStopped ? now + graceMs : undefined
      if (wasStopped) return
      isOverdue = true
      sayAgain()
    },
    onError: onFault,
  })
  let sayAgainAt: number | undefined
  const sayingAgain = createDueTimer({ clock, dueAt: () => sayAgainAt, run: sayAgain, onError: onFault })
  let sender: Sender | undefined
  let runs = 0
  let pumping: Promise<void> | undefined
  let isStopped = false
  let retryAt: number | undefined
  const retrying = createDueTimer({
    clock,
    dueAt: () => retryAt,
    run() {
      retryAt = undefined
      resend()
    },
    onError: onFault,
  })
  const shorten = createFieldWriter()
  const count = () => polledRecords(latest.records)
  let isInBase = false
  let baseBytes = 0
  let changedBytes = 0

  const asked: Subscription = bus.nats.subscribe(resendOf(site, source), { callback: () => resend() })

  function offer({ records, state, ...rest }: Omit<Observation, 'source'>) {
    // a base has the records of before, also while the source has not answered a collector that has begun again
    const said =
      state && heard(state, Object.keys(records).length > 0, { state: latest.report.state, earlier })
    if (said) earlier = said.earlier
    const report = { ...rest, ...(said && { state: said.state }) }
    Object.assign(latest.records, records)
    Object.assign(latest.report, report)
    if (report.promiseMs !== undefined) {
      promisedUntil = clock.monotonic() + report.promiseMs
      isOverdue = report.promiseMs <= 0
      overdueAt = undefined
      doubting.reschedule()
      promises.hear({ source, promiseMs: report.promiseMs })
    }
    if (!bus.isUp) {
      sender = undefined
      return
    }
    if (sender) sender.offer({ records, ...reportOf(report) }, clock.monotonic())
    else begin()
    pump()
  }

  /**
   * A source that does not answer this process is in error, which only this process can know: without a word of it, others cannot
   * tell an end of the source from that of the line. What the process that leads says of its sources has no promise.
   */
  function reportOf({ promiseMs, ...report }: SourceReport): SourceReport {
    if (site === undefined) return { ...report, ...(promiseMs !== undefined && { promiseMs }) }
    const state = report.state && isOverdue ? overdue(report.state, report.overdueError) : report.state
    const isFailing = state?.health === 'error'
    if (state) sayAgainAt = isFailing ? clock.monotonic() + sayAgainMs : undefined
    sayingAgain.reschedule()
    if (isFailing) return { ...report, state, promiseMs: lastsMs }
    return { ...report, ...(promiseMs !== undefined && { promiseMs: promiseMs + graceMs }) }
  }

  function sayAgain() {
    const { promiseMs: _, ...report } = latest.report
    if (isStopped || report.state === undefined) return
    const word = reportOf(report)
    // a run that has missed a word ends, so that the line's return begins one with a new promise
    if (!bus.isUp) sender = undefined
    if (!sender) return
    sender.offer({ records: {}, ...word }, clock.monotonic())
    pump()
  }

  /** A new run, with all that is known. */
  function begin() {
    sender = createSender(source, `${id}.${++runs}`)
    const now = clock.monotonic()
    // the source has said nothing since
    const promise = promisedUntil !== undefined && { promiseMs: Math.max(0, promisedUntil - now) }
    sender.offer({ records: latest.records, ...reportOf({ ...latest.report, ...promise }) }, now)
  }

  function resend() {
    if (isStopped || (Object.keys(latest.records).length === 0 && !latest.report.state)) return
    if (sender) sender.resend(clock.monotonic())
    else begin()
    pump()
  }

  function pump() {
    pumping ??= sendAll().finally(() => (pumping = undefined))
  }

  async function sendAll() {
    for (;;) {
      const own = sender
      const frame = isStopped ? undefined : own?.next()
      if (!own || !frame) return
      try {
        await send(frame)
      } catch (error) {
        onFault(error)
        // a new run has begun meanwhile
        if (sender !== own) continue
        // what was lost is in no later frame, so the next one is a base
        sender = undefined
        // otherwise the line's return begins it
        if (bus.isUp) {
          retryAt = clock.monotonic() + retryMs
          retrying.reschedule()
        }
        return
      }
    }
  }

  async function send(frame: Frame) {
    const parts = encodeFrame(shorten(frame))
    if (frame.begins) {
      isInBase = true
      baseBytes = changedBytes = 0
    }
    for (const [n, bytes] of parts.entries()) {
      const own = headers()
      own.set(header.fence, fence)
      setPart(own, n, parts)
      if (n === 0) own.set(header.records, String(count()))
      await bus.jetstream.publish(subject, bytes, { headers: own })
      if (isInBase) baseBytes += bytes.length
      else changedBytes += bytes.length
    }
    if (frame.completes) isInBase = false
    if (changedBytes > Math.max(leastBytes, mostGrowth * baseBytes)) sender?.resend(clock.monotonic())
  }

  function stop() {
    isStopped = true
    for (const timer of [retrying, promises, doubting, sayingAgain]) timer.stop()
    asked.unsubscribe()
  }

  return {
    records: count,
    offer,
    renew(next) {
      fence = next
      resend()
    },
    resend,
    async forget() {
      stop()
      await pumping
      const own = headers()
      own.set(header.fence, fence)
      own.set(header.forgotten, '1')
      await bus.jetstream.publish(subject, undefined, { headers: own })
    },
    stop,
  }
}
