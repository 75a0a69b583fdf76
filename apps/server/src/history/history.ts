import type { RecordKind } from '@pulse/contract'
import {
  type Clock,
  FileSystemTable,
  type KeepMs,
  reachMs,
  type SampledField,
  sampledFields,
  Sampler,
  type Tables,
} from '@pulse/domain'
import type { Logger } from 'pino'
import type { Opened, StoredSizes } from '../db/history/messages.ts'
import type { RemovedUntil } from '../db/history/removals.ts'
import type { SamplesElsewhere } from '../samples/settings.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { runYielding } from '../timing/yield.ts'
import { createFailing } from './failing.ts'
import { createHistoryThread } from './history-thread.ts'
import { type Ask, type Asked, createQueries, type HistoryQueries } from './queries.ts'
import { createThings, type ThingRegistry } from './things.ts'

export const sampleMs = 10_000
const maintainMs = 60_000
/** The thread starts after everything else. */
const firstMs = 1_000
/** Ticks that the thread may owe. More are not sampled, so that a slow disk does not fill the memory. */
const mostOwed = 12

const usualReserveBytes = 32_000_000

/** Another store has every sample for as long as it keeps any. */
const unlimited: KeepMs = { raw: Infinity, minute: Infinity, quarter: Infinity, day: undefined }

export interface HistoryEdges {
  tables: Tables
  clock: Clock
  log: Logger
  file: string
  /** disk space that is left for pulse.db */
  reserveBytes?: number
  /** another store for the samples */
  samples?: SamplesElsewhere | undefined
  /** how long each tier shall be kept, by the current settings */
  keepMs: () => KeepMs
  /** an error in sampling, which ends nothing */
  onFault: (error: unknown) => void
  /**
   * The file was opened, again if its thread was replaced: changes that were not durable are lost. `isNew`: it is another
   * one. `keptAside`: the one before was damaged and has this name now.
   */
  onOpened?: (opened: Pick<Opened, 'isNew' | 'keptAside'>) => void
  /** a sentence for administrators; undefined: it is over */
  onTrouble: (text: string | undefined) => void
}

/** Since the start. */
export interface HistoryFigures {
  ticks: number
  /** their samples were lost, because the file took none */
  lostTicks: number
  /** ticks that the thread has not taken yet */
  owed: number
  /** ticks of which another process writes the samples */
  held: number
}

export interface History extends HistoryQueries {
  /** the records with history: those of the state, and file systems of guests */
  tables: Tables
  start(): void
  /** A request to the thread. Rejects with `history_unavailable` if the file cannot be opened. */
  ask: Ask
  stop(): Promise<void>
  figures(): HistoryFigures
  sizes(): Promise<StoredSizes>
  /** Deletes all of it and begins a new one. */
  clear(): Promise<void>
  /** The number of a record, if it has history. */
  numberOf(kind: RecordKind, id: string): number | undefined
  /** How far back each tier can be asked for: less than it is kept if it was kept for less until recently. */
  reachMs(): KeepMs
}

/**
 * Samples the state and hands the samples to the thread that owns history.db. Nothing of the live path waits
 * for it, and no fault of it affects anything else.
 */
export function createHistory(edges: HistoryEdges): History {
  const { clock, log, file, reserveBytes = usualReserveBytes, samples, onFault, onOpened, onTrouble } = edges
  const fileSystems = new FileSystemTable(edges.tables.guests)
  const tables: Tables = { ...edges.tables, fileSystems: fileSystems.records }
  const sampledKinds = [...new Set(sampledFields.map(({ kind }) => kind))]
  const figures: HistoryFigures = { ticks: 0, lostTicks: 0, owed: 0, held: 0 }
  let things: ThingRegistry | undefined
  let sampler: Sampler | undefined
  let numbers = new Map<string, number>()
  let tickers: Ticker[] = []
  let ticking: Promise<void> | undefined
  let unreadable: number | undefined
  let removedUntil: RemovedUntil = {}
  let isClearing = false
  let isStopped = false
  const failing = createFailing(onTrouble, samples !== undefined)
  const { note } = failing
  const thread = createHistoryThread({
    ...failing,
    file,
    reserveBytes,
    samples: samples?.settings,
    clock,
    log,
    onOpened(opened) {
      use(opened)
      onOpened?.(opened)
    },
  })

  async function numberOf({ kind, name }: Pick<SampledField, 'kind' | 'name'>): Promise<number> {
    await thread.demandOpen()
    return numbers.get(`${kind} ${name}`)!
  }

  function use(opened: Opened) {
    numbers = new Map(opened.fields.map(({ kind, name, number }) => [`${kind} ${name}`, number]))
    removedUntil = opened.removedUntil
    const registry = createThings(tables, sampledKinds)
    things = registry
    sampler = new Sampler({
      tables,
      numberOf: ({ kind, name }) => numbers.get(`${kind} ${name}`)!,
      thingOf: registry.numberOf,
      onFault,
    })
  }

  async function tick() {
    if (isClearing) return
    if (!thread.isOpen()) await thread.open()
    const [own, registry] = [sampler, things]
    if (!thread.isOpen() || !own || !registry) return
    if (figures.owed >= mostOwed) {
      note('append', 'it takes too long')
      figures.lostTicks++
      return
    }
    await runYielding(fileSystems.refresh(clock.now()))
    await identify(registry)
    if (samples && !samples.mayWrite()) return hold()
    const columns = await runYielding(own.tick())
    if (columns.length === 0) return
    figures.ticks++
    void send(clock.now(), columns)
  }

  /** What waits is not sent either. */
  function hold() {
    figures.held++
    void send(clock.now(), [], true)
  }

  /** Without numbers, new things are not sampled; the next tick tries again. */
  async function identify(registry: ThingRegistry) {
    // File systems are known by the number of their guest.
    if (await identifySome(registry)) await identifySome(registry)
  }

  /** Returns whether guests have got their numbers. */
  async function identifySome(registry: ThingRegistry): Promise<boolean> {
    const review = await runYielding(registry.review(clock.now()))
    try {
      if (review.changes.length > 0 || review.wanted.length > 0)
        registry.accept(review, (await thread.send({ do: 'identify', at: clock.now(), ...review })).numbers)
      note('identify', undefined)
      return review.wanted.some(({ kind }) => kind === 'guests')
    } catch (error) {
      failed('identify', error)
      return false
    }
  }

  async function send(at: number, columns: Extract<Asked, { do: 'append' }>['columns'], isHeld = false) {
    figures.owed++
    try {
      const { written } = await thread.send({ do: 'append', at, columns, ...(isHeld && { isHeld }) })
      note('append', written.error)
      figures.lostTicks += written.lostTicks
      if (written.unreadable !== undefined && written.unreadable !== unreadable)
        log.error({ parts: written.unreadable }, 'parts of the metric history cannot be read: they are gaps')
      unreadable = written.unreadable
    } catch (error) {
      figures.lostTicks++
      // A damaged file was kept aside, so a new one has to be opened.
      thread.reopen()
      failed('append', error)
    } finally {
      figures.owed--
    }
  }

  async function maintain() {
    try {
      const done = await thread.send({
        do: 'maintain',
        now: clock.now(),
        monotonic: clock.monotonic(),
        keepMs: { ...edges.keepMs() },
      })
      removedUntil = done.removedUntil
      note('maintain', undefined)
    } catch (error) {
      failed('maintain', error)
    }
  }

  function failed(what: 'identify' | 'append' | 'maintain', error: unknown) {
    if (isStopped) return
    if (note(what, error as Error)) log.warn({ err: error }, 'the metric history cannot be written')
  }

  return {
    tables,
    start() {
      const repeat = (intervalMs: number, firstMs: number, run: () => unknown) =>
        createTicker({ clock, intervalMs, firstMs, run, onError: onFault })
      tickers = [
        repeat(sampleMs, firstMs, () => (ticking = tick())),
        repeat(maintainMs, maintainMs, async () => {
          if (thread.isOpen()) await maintain()
        }),
      ]
    },
    async stop() {
      isStopped = true
      for (const ticker of tickers) ticker.stop()
      try {
        await thread.close()
      } catch (err) {
        log.warn({ err }, 'the last minute of the metric history is lost')
      }
    },
    ask: thread.ask,
    figures: () => figures,
    sizes: async () => (await thread.ask({ do: 'sizes' })).sizes,
    async clear() {
      isClearing = true
      try {
        // what it samples belongs to the file before
        await Promise.allSettled([ticking])
        await thread.clear()
      } finally {
        isClearing = false
      }
    },
    ...createQueries({ ask: thread.ask, numberOf, clock }),
    numberOf: (kind, id) => things?.numberOf(kind, id),
    reachMs: () => (samples ? unlimited : reachMs(edges.keepMs(), removedUntil, clock.now())),
  }
}
