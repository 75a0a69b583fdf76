import type { RecordKind } from '@pulse/contract'
import {
  type BackTestRequest,
  type BackTestResult,
  type BucketTier,
  type Clock,
  type Sample,
  type SampledField,
  sampledFields,
  Sampler,
  type Tables,
  type Tier,
  type TimedBucket,
  usualKeepMs,
} from '@pulse/domain'
import type { Logger } from 'pino'
import { DatabaseError } from '../database-error.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { runYielding } from '../timing/yield.ts'
import { startThread, type Thread as WorkerThread } from '../worker-thread.ts'
import type { HistoryRequest, HistoryResult, Opened } from '../db/history/messages.ts'
import { createThings, type ThingRegistry } from './things.ts'

// A release has one bundle with the worker next to it; a checkout runs the sources.
const url = new URL(
  import.meta.url.endsWith('.ts') ? '../db/history/worker.ts' : './history-worker.cjs',
  import.meta.url,
)
/** The samples of an hour, compressed, and one figure of all things at a time. */
const options = {
  resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 192 },
  env: {},
  execArgv: [],
}

export const sampleMs = 10_000
const maintainMs = 60_000
/** The thread starts after everything else. */
const firstMs = 1_000
/** The pause before a file that could not be opened is tried again. */
const reopenMs = 60_000
/** Ticks that the thread may owe. More are not sampled, so that a slow disk does not fill the memory. */
const mostOwed = 12

export interface HistoryEdges {
  tables: Tables
  clock: Clock
  log: Logger
  file: string
  /** an error in sampling, which ends nothing */
  onFault: (error: unknown) => void
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
}

export interface History {
  start(): void
  stop(): Promise<void>
  figures(): HistoryFigures
  /** Samples as polled of one field of some records; an empty list for a record without history. */
  samples(field: SampledField, ids: readonly string[], from: number, to: number): Promise<Sample[][]>
  buckets(
    field: SampledField,
    ids: readonly string[],
    tier: BucketTier,
    from: number,
    to: number,
  ): Promise<TimedBucket[][]>
  /** The number of a record, if it has history. */
  numberOf(kind: RecordKind, id: string): number | undefined
  /** Undefined if a later one of the same user has replaced it. */
  backTest(user: string, request: Omit<BackTestRequest, 'field'>): Promise<BackTestResult | undefined>
}

type Asked = HistoryRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never

/**
 * Samples the state and hands the samples to the thread that owns history.db. Nothing of the live path waits
 * for it, and no fault of it affects anything else.
 */
export function createHistory(edges: HistoryEdges): History {
  const { tables, clock, log, file, onFault, onTrouble } = edges
  const wanted = sampledFields.map(({ kind, name }) => ({ kind, name }))
  const figures: HistoryFigures = { ticks: 0, lostTicks: 0, owed: 0 }
  /** those that the thread counted, and those that did not reach it */
  let lost = { there: 0, here: 0 }
  let thread: WorkerThread<HistoryRequest, HistoryResult> | undefined
  let things: ThingRegistry | undefined
  let sampler: Sampler | undefined
  let numbers = new Map<string, number>()
  let tickers: Ticker[] = []
  let openedAt = -Infinity
  let isOpening = false
  let isStopped = false

  async function ask<D extends HistoryResult['do']>(
    what: Extract<Asked, { do: D }>,
  ): Promise<Extract<HistoryResult, { do: D }>> {
    if (!thread) throw new DatabaseError('the metric history is not open', undefined)
    return (await thread.ask(what as Asked)) as Extract<HistoryResult, { do: D }>
  }

  /** The file may be on a full disk, so a failure is no reason to give up. */
  async function open() {
    if (isOpening || isStopped || clock.monotonic() - openedAt < reopenMs) return
    isOpening = true
    openedAt = clock.monotonic()
    try {
      thread ??= startThread<HistoryRequest, HistoryResult>(
        { url, options, setup: { file }, hello: { do: 'open', fields: wanted }, goodbye: { do: 'close' } },
        {
          clock,
          onEnded: (why) => log.error({ why }, 'the thread of the metric history has ended'),
          onBack: () => things?.resend(),
        },
      )
      const { opened } = await ask({ do: 'open', fields: wanted })
      use(opened)
      onTrouble(undefined)
    } catch (error) {
      onTrouble(`The metric history cannot be opened: ${(error as Error).message}`)
    } finally {
      isOpening = false
    }
  }

  function use(opened: Opened) {
    if (opened.keptAside) {
      log.error({ file: opened.keptAside }, 'the metric history was damaged; a new one has begun')
    }
    numbers = new Map(opened.fields.map(({ kind, name, number }) => [`${kind} ${name}`, number]))
    const registry = createThings(tables, opened, clock.now)
    things = registry
    sampler = new Sampler({
      tables,
      numberOf: ({ kind, name }) => numbers.get(`${kind} ${name}`)!,
      thingOf: registry.numberOf,
    })
  }

  async function tick() {
    if (!sampler) await open()
    if (!sampler || !things) return
    if (figures.owed >= mostOwed) return lose({ here: 1 })
    const columns = await runYielding(sampler.tick())
    const at = clock.now()
    const news = things.sync()
    if (columns.length === 0 && news.length === 0) return
    figures.ticks++
    void send(at, columns, news)
  }

  async function send(
    at: number,
    columns: Extract<Asked, { do: 'append' }>['columns'],
    news: Opened['things'],
  ) {
    figures.owed++
    try {
      const { written } = await ask({ do: 'append', at, columns, things: news })
      if (written.error !== undefined)
        onTrouble(`The metric history cannot be written: ${written.error}. Samples are lost meanwhile.`)
      else onTrouble(undefined)
      lose({ there: written.lostTicks })
    } catch (error) {
      lose({ here: 1 })
      // A damaged file was kept aside, so a new one has to be opened.
      sampler = undefined
      openedAt = -Infinity
      if (!isStopped) log.warn({ err: error }, 'the samples of a tick were lost')
    } finally {
      figures.owed--
    }
  }

  function lose({ there = lost.there, here = 0 }: { there?: number; here?: number }) {
    lost = { there, here: lost.here + here }
    figures.lostTicks = lost.there + lost.here
  }

  async function read<T>(
    { kind, name }: SampledField,
    ids: readonly string[],
    request: (field: number, numbers: number[]) => Promise<T[]>,
    none: () => T,
  ): Promise<T[]> {
    const field = numbers.get(`${kind} ${name}`)
    const known = ids.map((id) => things?.find(kind as RecordKind, id))
    const asked = known.filter((number) => number !== undefined)
    if (field === undefined || asked.length === 0) return ids.map(none)
    const series = await request(field, asked)
    const byNumber = new Map(asked.map((number, n) => [number, series[n]!]))
    return known.map((number) => (number === undefined ? none() : byNumber.get(number)!))
  }

  return {
    start() {
      const repeat = (intervalMs: number, firstMs: number, run: () => unknown) =>
        createTicker({ clock, intervalMs, firstMs, run, onError: onFault })
      tickers = [
        repeat(sampleMs, firstMs, tick),
        repeat(maintainMs, maintainMs, async () => {
          const keepMs: Record<Tier, number | undefined> = usualKeepMs
          if (sampler) await ask({ do: 'maintain', now: clock.now(), keepMs })
        }),
      ]
    },
    async stop() {
      isStopped = true
      for (const ticker of tickers) ticker.stop()
      try {
        await thread?.close()
      } catch (err) {
        log.warn({ err }, 'the last minute of the metric history is lost')
      }
    },
    figures: () => figures,
    numberOf: (kind, id) => things?.find(kind, id),
    async backTest(user, { kind, metric, ...rest }) {
      const field = numbers.get(`${kind} ${metric}`)
      if (field === undefined) throw new DatabaseError('the metric history is not open', undefined)
      return (await ask({ do: 'backTest', user, request: { kind, metric, field, ...rest } })).played
    },
    samples: (field, ids, from, to) =>
      read<Sample[]>(
        field,
        ids,
        async (number, asked) => {
          const { series } = await ask({ do: 'samples', field: number, things: asked, from, to })
          return series
        },
        () => [],
      ),
    buckets: (field, ids, tier, from, to) =>
      read<TimedBucket[]>(
        field,
        ids,
        async (number, asked) => {
          const { series } = await ask({ do: 'buckets', tier, field: number, things: asked, from, to })
          return series
        },
        () => [],
      ),
  }
}
