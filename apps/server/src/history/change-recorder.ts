import { type ChangeEntry, ChangeReader, type Clock, type Listing } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Logged } from '../db/history/past-messages.ts'
import type { State } from '../state/state.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { yieldToEventLoop } from '../timing/yield.ts'
import { isOfHistory } from './failing.ts'

const intervalMs = 10_000
/** Entries of one message to the thread: copying them takes about a millisecond. */
const mostSent = 250
/**
 * Entries that may wait for the thread; in a large estate, as many as there are records, because many sources may answer
 * at once, or be removed. With more, everything is sent again later instead.
 */
const mostWaiting = 10_000
/** Between two times of sending everything again. */
const resendMs = 60_000
/** A source that has answered for this long has said what it has, slow lists included. */
const settledMs = 10 * 60_000

export interface ChangeRecorderEdges {
  state: Pick<State, 'tables' | 'subscribe'>
  clock: Clock
  log: Logger
  /** Rejects while the file is not open. */
  send(entries: ChangeEntry[]): Promise<Logged>
  onFault: (error: unknown) => void
}

export interface ChangeRecorder {
  start(): void
  stop(): Promise<void>
  /** Changes that were not durable are lost: everything is sent again. */
  resend(): void
  /** since the start: entries that the thread took; and now: those that it has not taken yet */
  figures(): { changes: number; owed: number }
}

/**
 * Hands the changes of the state to the thread that logs them. It reads patches as they come, and sends them at an
 * interval. Nothing waits for it.
 */
export function createChangeRecorder(edges: ChangeRecorderEdges): ChangeRecorder {
  const { state, clock, log, send, onFault } = edges
  const reader = new ChangeReader(clock)
  const startedAt = clock.monotonic()
  /** by source: since when it has answered */
  const answering = new Map<string, number>()
  let listed = new Set<string>()
  const waiting = new Messages()
  /** records that there were while it waited */
  let most = 0
  /** everything is sent at the next tick */
  let isDue = false
  /** patches are read: what was sent before them is with the thread or in the queue */
  let isFollowing = false
  let isOpen = false
  let isSending = false
  let changes = 0
  let sentAllAt = -Infinity
  /** why changes were lost; until the file takes them again */
  let lostWhy: string | undefined
  let ticker: Ticker | undefined
  let unsubscribe = () => {}

  const records = () => Object.values(state.tables).reduce((sum, { size }) => sum + size, 0)

  function queue(entries: readonly ChangeEntry[]) {
    if (!isFollowing) return
    const removed = entries.filter((entry) => entry.do === 'remove').length
    most = Math.max(waiting.count === 0 ? 0 : most, records() + removed)
    if (waiting.count + entries.length > Math.max(mostWaiting, most))
      return giveUp('the thread takes too long')
    for (const entry of entries) waiting.add(entry)
    if (waiting.count >= mostSent && !isSending) ticker?.now()
  }

  function giveUp(why: string) {
    waiting.clear()
    isFollowing = false
    isDue = true
    if (why !== lostWhy) log.warn({ why }, 'changes for the history were lost; all records are sent again')
    lostWhy = why
  }

  async function drain() {
    while (waiting.count > 0 || isOpen) {
      // not as a part of the step that published
      await yieldToEventLoop()
      const entries = waiting.next()
      const { isOpen: isMore, lost } = await send(entries)
      isOpen = isMore
      changes += entries.length
      if (lost !== undefined) return giveUp(lost)
      if (!isOpen) lostWhy = undefined
      if (waiting.count === 0) return
    }
  }

  /** Through the same queue as the patches that come meanwhile, so that their order stays. */
  async function sendAll(steps: Iterator<readonly ChangeEntry[], void, undefined>) {
    for (;;) {
      const step = steps.next()
      if (step.done || !isFollowing) return
      queue(step.value)
      if (waiting.count >= mostSent) await drain()
      else await yieldToEventLoop()
    }
  }

  async function begin() {
    isDue = false
    isFollowing = true
    sentAllAt = clock.monotonic()
    waiting.clear()
    listed = new Set()
    await sendAll(reader.readAll(state.tables))
  }

  /** Lists what the settled sources have, once, so that records that went while Pulse was off are removed. */
  async function listSettled() {
    const now = clock.monotonic()
    for (const id of answering.keys()) if (!state.tables.sources.has(id)) answering.delete(id)
    for (const [id, { health }] of state.tables.sources)
      if (health === 'healthy' || health === 'degraded') answering.set(id, answering.get(id) ?? now)
      else answering.delete(id)
    // Alerts and the sources themselves are there from the start.
    const settled = new Set(now - startedAt >= settledMs && !listed.has('') ? [''] : [])
    for (const [id, since] of answering) if (now - since >= settledMs && !listed.has(id)) settled.add(id)
    if (settled.size === 0) return
    for (const id of settled) listed.add(id)
    await sendAll(asEntries(reader.list(state.tables, settled)))
  }

  async function tick() {
    isSending = true
    try {
      if (isDue && clock.monotonic() - sentAllAt >= resendMs) await begin()
      if (!isFollowing) return
      await listSettled()
      await drain()
    } catch (error) {
      giveUp((error as Error).message)
      if (!isOfHistory(error)) throw error
    } finally {
      isSending = false
    }
  }

  return {
    start() {
      unsubscribe = state.subscribe((patch) => {
        if (isFollowing) queue(reader.read(patch))
      })
      ticker = createTicker({ clock, intervalMs, run: tick, onError: onFault })
    },
    async stop() {
      unsubscribe()
      ticker?.stop()
      try {
        if (isFollowing) await drain()
      } catch (err) {
        log.warn({ err }, 'the last changes for the history are lost')
      }
    },
    resend() {
      waiting.clear()
      isFollowing = false
      isDue = true
      sentAllAt = -Infinity
    },
    figures: () => ({ changes, owed: waiting.count + (isSending ? 1 : 0) }),
  }
}

/** Entries in the messages that they will be sent in: taking some from the front of a long list would move all others. */
class Messages {
  #messages: ChangeEntry[][] = []
  /** of entries */
  count = 0

  add(entry: ChangeEntry) {
    if ((this.#messages.at(-1)?.length ?? mostSent) >= mostSent) this.#messages.push([])
    this.#messages.at(-1)!.push(entry)
    this.count++
  }

  next(): ChangeEntry[] {
    const entries = this.#messages.shift() ?? []
    this.count -= entries.length
    return entries
  }

  clear() {
    this.#messages = []
    this.count = 0
  }
}

function* asEntries(listings: Iterable<Listing>): Generator<ChangeEntry[], void> {
  for (const listing of listings) yield [listing]
}
