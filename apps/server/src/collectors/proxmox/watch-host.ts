import type { Connection } from '@pulse/domain'
import { AdaptiveInterval } from '../../polling/adaptive.ts'
import { type Publisher, SOON_MS } from '../../polling/publisher.ts'
import { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import { pause } from '../../timing/pause.ts'
import { createConcurrencyLimit } from '../concurrency-limit.ts'
import type { PartLoop } from '../part.ts'
import { publishSource, shownAt } from '../publish-source.ts'
import type { CollectorEdges, RunningCollector } from '../source.ts'
import { pauseAfter, type SourceError } from '../source-error.ts'
import { createSource, runParts, toCollector } from '../watch-source.ts'
import { openHostClient } from './host-client.ts'
import type { HostContext, HostPart, HostRun, RecordContext } from './host-part.ts'
import type { Product } from './product.ts'
import type { Ask } from './test-connection.ts'

/** In poll intervals: one late answer marks nothing stale, one missing answer does. */
const freshRounds = 1.5
const turnMs = 1_000
/** Limits how often newly granted rights cause a poll of everything. */
const grantedMs = 300_000
/** For all parts together, so that long calls do not delay the greeting. */
const callsAtOnce = 3
/** A new session polls everything once more in the same minute. */
const slack = 2
/** An unknown call is repeated later, because an update may add it. */
const unknownMs = 300_000
/** A missing right may be granted at any time, by an administrator who then checks the effect. */
const deniedMs = 60_000
/** The pause before the gate of an absent host is checked again. */
const absentMs = 5_000

/** How to check that a host answers and accepts the account, and the parts that then poll it. */
export interface WatchedHost<Cache> {
  product: Product
  /** Returns its version; undefined if the host does not reveal it. */
  greet: (ask: Ask) => Promise<string | undefined>
  parts: readonly HostPart<Cache>[]
  /** data shared by the parts of one connection */
  cache: () => Cache
}

const GREETING = 'version'

/** Watches a source that is a single host: its intervals, backoff, breaker, health and parts. */
export function watchHost<Cache>(
  initial: Connection,
  edges: CollectorEdges,
  { product, greet, parts, cache: createCache }: WatchedHost<Cache>,
  openClient = openHostClient,
): RunningCollector {
  const source = createSource(initial, edges, { main: GREETING, granted }, slack)
  const { clock, log, connection, pace, load, budget, health, tally, wallOffset } = source
  const client = openClient(connection, product, source)
  const breaker = new CircuitBreaker(clock)
  const limit = createConcurrencyLimit(callsAtOnce)
  const adaptive = new AdaptiveInterval()
  const cache = createCache()
  let measuredMs: number | undefined
  let version: string | undefined
  let things = 0
  let wantsAll = true
  let grantedAt = -Infinity
  const intervalMs = () => measuredMs ?? pace().hostMs

  const publisher: Publisher = publishSource<RecordContext>(source, {
    context: (shared) => ({
      ...shared,
      host: connection.host,
      version,
      answeredAt: health.lastAnswerAt === undefined ? 0 : shownAt(health.lastAnswerAt, shared),
    }),
    records: (context) => running.records((run) => run.records?.(context)),
  })

  /** Checks that the host answers and accepts the account. The other parts wait for that. */
  const greeting: HostPart<Cache> = {
    name: GREETING,
    calls: { perLook: 1 },
    start: () => ({
      loops: [{ name: GREETING, isProbe: true, run: look, failed: missed }],
    }),
  }

  async function look(signal: AbortSignal) {
    breaker.enter()
    const startedAt = clock.monotonic()
    load.underWay++
    const greeted = await greet((path) => client.get(path, { part: GREETING, signal })).finally(
      () => load.underWay--,
    )
    const now = clock.monotonic()
    const { isThere: wasThere, lastListedAt } = health
    tally.cycled(now - startedAt)
    if (greeted !== version) log.info({ version: greeted }, `${product.title} answers`)
    version = greeted
    measuredMs = nextInterval(lastListedAt === undefined ? undefined : now - lastListedAt)
    share()
    health.answered(GREETING, now)
    health.listed(now, freshRounds * intervalMs())
    breaker.succeed()
    void publisher.soon(0)
    if (!wasThere || wantsAll) refreshParts()
    wantsAll = false
  }

  function missed(error: SourceError, failures: number, report: () => void) {
    breaker.fail()
    report()
    void publisher.soon(0)
    return pauseAfter(error, failures)
  }

  function nextInterval(ageMs: number | undefined): number | undefined {
    const { adaptive: bounds, hostMs } = pace()
    if (bounds) return adaptive.next({ ...bounds, baseMs: hostMs }, { ageMs, underWay: load.underWay + 1 })
    adaptive.reset()
    return undefined
  }

  /** Calls through this context count for the part. */
  const contextOf = ({ name: part }: HostPart<Cache>): HostContext<Cache> => ({
    ...source,
    now: () => Math.round(clock.monotonic() + wallOffset()),
    source: connection.id,
    name: () => connection.name,
    cache,
    version: () => version,
    get: (path, signal, how) => limit.run(signal, () => client.get(path, { part, signal, ...how })),
    async turn(signal, deadline) {
      const waited = async () => {
        while (client.waitMs(part) > 0 && !signal.aborted) await pause(clock, turnMs, signal)
      }
      if (client.waitMs(part) > 0) await (deadline?.outside(waited) ?? waited())
    },
    counts(each) {
      things = each
      share()
    },
    wake: (name) => refreshParts(name),
    publish: () => publisher.soon(SOON_MS),
  })

  const running = runParts<HostContext<Cache>, HostRun, PartLoop>(source, [greeting, ...parts], {
    start: (part) => part.start(contextOf(part)),
    publish: publisher.soon,
    intervalMs,
    gate({ isProbe }) {
      if (isProbe) return breaker.waitMs() || client.waitMs()
      return health.isThere ? Math.min(absentMs, client.waitMs()) : absentMs
    },
    isAnswer: ({ isProbe }) => !isProbe,
    // Only while the greeting succeeds: later refusals of calls under way add nothing.
    failed: ({ code }) => void (code === 'unauthorized' && health.isThere && refreshGreeting()),
    pauses: (ms) => ({ deniedMs: Math.max(deniedMs, ms), unknownMs }),
  })
  const refreshGreeting = () => running.refresh(({ part }) => part === greeting)
  const refreshParts = (name?: string) =>
    running.refresh(({ part }) => part !== greeting && (name === undefined || part.name === name))

  /** Rights are rarely granted singly, so parts with long intervals poll soon as well. */
  function granted() {
    if (clock.monotonic() < grantedAt + grantedMs) return
    grantedAt = clock.monotonic()
    refreshParts()
  }

  /** The host is polled at the interval from the current settings. */
  function share() {
    budget.use(running.enabled, { looksPerMinute: 60_000 / intervalMs(), things })
  }

  running.enable()
  share()
  // The source is published at once, however long its first answer takes.
  void publisher.soon(SOON_MS)

  return toCollector(source, {
    publisher,
    changed() {
      running.enable()
      share()
    },
    /** The parts poll again after the greeting has succeeded. */
    refresh() {
      wantsAll = true
      refreshGreeting()
    },
    waits: () => running.waits(),
    breaker: () => breaker.report(),
    stop: () => running.stop(),
    close: () => client.close(),
  })
}
