import { type CallStore, StoreRefusal } from './call.ts'
import { type FigureSamples, snappyBlock, writeRequests } from './write-request.ts'

/** Values that wait while the store is away: about 13 minutes of 2,500 guests, hours of a small estate. */
const mostWaiting = 2_000_000
const mostTicks = 8_640
const limitMs = 5_000
/** Of the last attempt when Pulse stops. */
const lastLimitMs = 3_000

/**
 * The store refuses these samples, and would again. By the specification of remote write, they are not to be sent
 * again. 401, 403 and 404 are a mistake in the configuration, which an administrator corrects.
 */
const refused = [400, 413, 415, 422]

const headers = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0',
  'user-agent': 'Pulse',
}

interface Tick {
  at: number
  figures: readonly FigureSamples[]
  size: number
  /** its first requests were taken */
  taken: number
}

export interface Outbox {
  /** Takes the samples of a tick, and tries to send all that wait, unless it is held. Never waits. */
  add(at: number, figures: readonly FigureSamples[], isHeld: boolean): void
  /** since the last call: ticks that were lost; and why nothing is taken at the moment */
  news(): { lostTicks: number; error?: string }
  /** Tries once more to send what waits, and rejects if that fails. */
  close(): Promise<void>
}

/**
 * Sends samples in the order of their ticks. While the store takes none, the newest wait in memory. Each new tick
 * tries again, so a store that is back has everything within seconds.
 */
export function createOutbox(call: CallStore, { most = mostWaiting }: { most?: number } = {}): Outbox {
  const waiting: Tick[] = []
  let size = 0
  let lostTicks = 0
  let isLosing = false
  let error: string | undefined
  let isHeld = false
  let sending: Promise<void> | undefined

  function drop() {
    size -= waiting.shift()!.size
    lostTicks++
  }

  async function sendTick(tick: Tick, ownLimitMs: number) {
    let n = 0
    for (const bytes of writeRequests(tick.at, tick.figures)) {
      if (n++ < tick.taken) continue
      await call({
        method: 'POST',
        path: '/api/v1/write',
        headers,
        body: snappyBlock(bytes),
        limitMs: ownLimitMs,
        read: () => undefined,
      })
      tick.taken = n
    }
  }

  const next = () => (isHeld ? undefined : waiting[0])

  async function send(ownLimitMs: number) {
    for (let tick = next(); tick; tick = next()) {
      try {
        await sendTick(tick, ownLimitMs)
        error = undefined
        isLosing = false
        if (waiting[0] === tick) size -= waiting.shift()!.size
      } catch (cause) {
        error = (cause as Error).message
        if (!(cause instanceof StoreRefusal && refused.includes(cause.status))) return
        isLosing = true
        if (waiting[0] === tick) drop()
      }
    }
  }

  const trySending = (ownLimitMs: number) =>
    (sending ??= send(ownLimitMs).finally(() => (sending = undefined)))

  return {
    add(at, figures, held) {
      isHeld = held
      if (figures.length > 0) {
        const own = figures.reduce((sum, { ids }) => sum + ids.length, 0)
        waiting.push({ at, figures, size: own, taken: 0 })
        size += own
        while (waiting.length > 1 && (size > most || waiting.length > mostTicks)) {
          drop()
          isLosing = true
        }
      }
      void trySending(limitMs)
    },
    news() {
      const lost = lostTicks
      lostTicks = 0
      if (error === undefined) return { lostTicks: lost }
      const fate = isLosing ? 'samples are lost meanwhile' : 'the newest samples wait in memory'
      return { lostTicks: lost, error: `${error}; ${fate}` }
    },
    async close() {
      await (sending ?? trySending(lastLimitMs))
      if (waiting.length > 0)
        throw new Error(`${waiting.length} ticks were not sent: ${error ?? 'they are held'}`)
    },
  }
}
