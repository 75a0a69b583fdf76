import type { AnyRecord, RecordKind } from '@pulse/contract'
import { isEqual, type Records } from '../state/patch.ts'
import type { Frame, Observation, SourceReport } from './observation.ts'

/** Turns the observations of one source into frames: first a base, then changes. */
export interface Sender {
  /** `now` is monotonic. */
  offer(observation: Omit<Observation, 'source'>, now?: number): void
  /** The receiver missed a frame, so it gets a base. */
  resend(now: number): void
  /** The next pending frame; undefined if there is none. */
  next(): Frame | undefined
}

/** Records per frame: at most some hundred kilobytes, and about a millisecond of the receiver's time. */
export const recordsPerFrame = 500

/** `run` is a random id of this sender. */
export function createSender(source: string, run: string, perFrame = recordsPerFrame): Sender {
  const sent = new Map<RecordKind, Records<AnyRecord>>()
  const queue: Generator<Frame, void>[] = []
  let last: SourceReport = {}
  let isAsked = false
  let promisedUntil: number | undefined
  let sequence = 0

  /** A kind that was not sent before begins a base, so that the receiver drops records of an earlier run. */
  function* framesOf(records: Observation['records'], report: SourceReport): Generator<Frame, void> {
    const given = Object.entries(records) as [RecordKind, Records<AnyRecord>][]
    const isBase = isAsked || sequence === 0 || given.some(([kind]) => !sent.has(kind))
    isAsked = false
    const picture = isBase ? new Map([...sent, ...given]) : new Map(given)
    let frame = {
      begins: isBase,
      size: 0,
      records: {} as Record<string, { put: unknown[]; remove: string[] }>,
    }

    const take = (more: Partial<Frame> = {}) => {
      const { begins, records: changes } = frame
      frame = { begins: false, size: 0, records: {} }
      return {
        source,
        run,
        sequence: ++sequence,
        ...(begins && { begins }),
        ...more,
        records: changes,
      } as Frame
    }
    for (const [kind, after] of picture) {
      const before = isBase ? none : sent.get(kind)!
      sent.set(kind, after)
      const changes = () => (frame.records[kind] ??= { put: [], remove: [] })
      if (isBase) changes()
      if (before === after) continue
      for (const [id, record] of after) {
        const old = before.get(id)
        if (old !== undefined && isEqual(old, record)) continue
        changes().put.push([id, record])
        if (++frame.size === perFrame) yield take()
      }
      for (const id of before.keys()) {
        if (after.has(id)) continue
        changes().remove.push(id)
        if (++frame.size === perFrame) yield take()
      }
    }
    if (isBase || frame.size > 0 || report.state || report.promiseMs !== undefined)
      yield take({ ...(isBase && { completes: true }), ...report })
  }

  return {
    offer({ records, state, promiseMs, overdueError }, now = 0) {
      const said = { ...(state && { state }), ...(overdueError !== undefined && { overdueError }) }
      const report = { ...said, ...(promiseMs !== undefined && { promiseMs }) }
      if (state) last = said
      if (promiseMs !== undefined) promisedUntil = now + promiseMs
      queue.push(framesOf(records, report))
    },
    resend(now) {
      if (isAsked) return
      isAsked = true
      const report = { ...last, ...(promisedUntil !== undefined && { promiseMs: promisedUntil - now }) }
      queue.push(framesOf({}, report))
    },
    next() {
      for (let first = queue[0]; first; first = queue[0]) {
        const { value } = first.next()
        if (value) return value
        queue.shift()
      }
      return undefined
    },
  }
}

const none: Records<AnyRecord> = new Map()
