import { performance } from 'node:perf_hooks'

const SLOT_MS = 10_000
const SLOTS = 6
/** One bucket per millisecond; the last one counts all longer blocks. */
const BUCKETS = 256

/** The last minute of the event loop. */
export interface LoopFigures {
  /** the longest block */
  longestBlockMs: number
  /** 99 % of all moments waited at most this long for the loop; each block is weighted by its length */
  waitP99Ms: number
}

export interface EventLoopMonitor {
  figures(): LoopFigures
  stop(): void
}

/** The iterations of the event loop; a test simulates its own. */
export interface Turns {
  now(): number
  /** total idle time of the loop since a fixed moment */
  idleMs(): number
  /** Runs once per iteration without keeping the process alive; returns the function that stops it. */
  each(run: () => void): () => void
}

const ownTurns: Turns = {
  now: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  each(run) {
    let next: NodeJS.Immediate
    const turn = () => {
      run()
      // An unreferenced immediate does not cause an iteration; it waits for the next one.
      next = setImmediate(turn).unref()
    }
    next = setImmediate(turn).unref()
    return () => clearImmediate(next)
  },
}

interface Slot {
  number: number
  counts: Uint32Array
  sumsMs: Float64Array
  longestMs: number
}

/**
 * Reads the clock once per iteration of the loop. A sampler that wakes every few milliseconds costs a hundred
 * times as much.
 */
export function monitorEventLoop(turns: Turns = ownTurns): EventLoopMonitor {
  const slots: Slot[] = Array.from({ length: SLOTS }, () => ({
    number: -1,
    counts: new Uint32Array(BUCKETS),
    sumsMs: new Float64Array(BUCKETS),
    longestMs: 0,
  }))
  const startedAt = turns.now()
  let at = startedAt
  let idleMs = turns.idleMs()

  const stop = turns.each(() => {
    const now = turns.now()
    const idleNow = turns.idleMs()
    const busyMs = now - at - (idleNow - idleMs)
    at = now
    idleMs = idleNow
    if (busyMs >= 1) note(slotAt(now), busyMs)
  })

  function slotAt(now: number): Slot {
    const number = Math.floor(now / SLOT_MS)
    const slot = slots[number % SLOTS]!
    if (slot.number === number) return slot
    slot.counts.fill(0)
    slot.sumsMs.fill(0)
    return Object.assign(slot, { number, longestMs: 0 })
  }

  return {
    figures() {
      const now = turns.now()
      const first = Math.floor(now / SLOT_MS) - SLOTS + 1
      const recent = slots.filter(({ number }) => number >= first)
      const windowMs = now - Math.max(startedAt, first * SLOT_MS)
      return {
        longestBlockMs: Math.max(0, ...recent.map(({ longestMs }) => longestMs)),
        waitP99Ms: waitMs(recent, windowMs / 100),
      }
    },
    stop,
  }
}

function note(slot: Slot, busyMs: number) {
  const bucket = Math.min(BUCKETS - 1, Math.floor(busyMs))
  slot.counts[bucket]! += 1
  slot.sumsMs[bucket]! += busyMs
  if (busyMs > slot.longestMs) slot.longestMs = busyMs
}

/**
 * The wait that only `allowedMs` of all moments exceed. In a block of b ms, the first b - w ms wait longer
 * than w.
 */
function waitMs(slots: readonly Slot[], allowedMs: number): number {
  let blocks = 0
  let sumMs = 0
  for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
    for (const slot of slots) {
      blocks += slot.counts[bucket]!
      sumMs += slot.sumsMs[bucket]!
    }
    const exact = (sumMs - allowedMs) / blocks
    if (exact >= bucket) return exact
  }
  return 0
}
