import { connectionKey, monitorFlags, type MonitorFlag } from '@pulse/contract'
import { type Connection, switchedOff, wallOffset } from '@pulse/domain'
import { AdaptiveInterval } from '../../polling/adaptive.ts'
import { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import { CallBudget } from '../../polling/call-budget.ts'
import { startLoop } from '../../polling/loop.ts'
import { startPublisher } from '../../polling/publisher.ts'
import { createSuspendDetector } from '../../timing/suspend-detector.ts'
import { deadlineFor, usualPace, type CollectorEdges, type RunningCollector } from '../source.ts'
import { pauseAfter, toSourceError } from '../source-error.ts'
import { SourceHealth } from '../source-health.ts'
import { openHostClient } from './host-client.ts'
import { type RecordContext, type HostContext, type HostPart, shownAt } from './host-part.ts'
import { createConcurrencyLimit } from '../concurrency-limit.ts'
import type { Product } from './product.ts'
import { createHostParts } from './host-parts.ts'
import type { Ask } from './test-connection.ts'
import { Tally } from './tally.ts'

/** In rounds: one answer that is late marks nothing, one that is missing does. */
const freshRounds = 1.5
/** Enough for several answers that arrive together to be shown together. */
const soonMs = 50
const turnMs = 1_000
/** A right that comes and goes does not have everything asked more often. */
const grantedMs = 300_000
/** Of the parts together: what is asked for long must not keep the greeting waiting. */
const callsAtOnce = 3
/** A new session polls everything once more in the same minute. */
const slack = 2

/** What tells that a host is there and lets us in, and what is asked of it then. */
export interface WatchedHost<Cache> {
  product: Product
  /** Its version; undefined when it keeps that to itself. */
  greet: (ask: Ask) => Promise<string | undefined>
  parts: readonly HostPart<Cache>[]
  /** what the parts of one connection share */
  cache: () => Cache
}

const GREETING = 'version'

/** Watches a source that is one machine: a steady rhythm, backoff, a breaker, its health, and what its parts know. */
export function watchHost<Cache>(
  initial: Connection,
  edges: CollectorEdges,
  { product, greet, parts, cache }: WatchedHost<Cache>,
  openClient = openHostClient,
): RunningCollector {
  const connection = { ...initial }
  const suspendDetector = createSuspendDetector(edges.clock)
  const { clock } = suspendDetector
  const offset = wallOffset(clock)
  const log = edges.log.child({ connection: connection.id, instance: connection.name })
  const breaker = new CircuitBreaker(clock)
  const { pace = () => usualPace, load = { underWay: 0 } } = edges
  const health = new SourceHealth(suspendDetector, log, { main: GREETING, granted })
  const budget = new CallBudget(clock, slack)
  const tally = new Tally()
  const client = openClient(initial, product, { clock, pace, budget, tally })
  const limit = createConcurrencyLimit(callsAtOnce)
  const adaptive = new AdaptiveInterval()
  let measuredMs: number | undefined
  let version: string | undefined
  let things = 0
  let enabled: readonly HostPart<Cache>[] = []
  let wantsAll = true
  let grantedAt = -Infinity
  const intervalMs = () => measuredMs ?? pace().hostMs

  const isOn = (flag: MonitorFlag) =>
    ({ ...(monitorFlags[product.kind] as Partial<Record<MonitorFlag, boolean>>), ...connection.flags })[
      flag
    ] ?? false

  function publish() {
    const wall = offset()
    const verdict = health.verdict()
    const { lastListedAt: seenAt } = health
    const promiseMs = health.takePromise()
    const shown = (at: number) => shownAt(at, { wallOffset: wall })
    const { id: source, name, host } = connection
    const context: RecordContext = {
      source,
      name,
      host,
      version,
      health: verdict.health,
      wallOffset: wall,
      answeredAt: seenAt === undefined ? 0 : shown(seenAt),
    }
    const missing = health.unreadable().map((one) => ({ ...one, since: shown(one.since) }))
    const off = switchedOff(connection, pace().backupsMs !== undefined)
    return edges.observe({
      source,
      // Before the first answer nothing is known, which is not the same as nothing being there.
      records: seenAt === undefined ? {} : running.records((run) => run.records?.(context)),
      state: {
        name: connectionKey(connection.kind, name),
        kind: connection.kind,
        ...verdict,
        ...(seenAt !== undefined && { lastSeen: shown(seenAt) }),
        ...(off.length > 0 && { switchedOff: off }),
        ...(missing.length > 0 && { unreadable: missing }),
      },
      ...(promiseMs !== undefined && { promiseMs }),
    })
  }

  const publisher = startPublisher({ clock, publish })
  const soon = () => publisher.soon(soonMs)

  /** One right is rarely given alone: what is asked seldom need not name the others for long. */
  function granted() {
    if (clock.monotonic() < grantedAt + grantedMs) return
    grantedAt = clock.monotonic()
    running.refresh()
  }

  /** Its calls count as those of the part. */
  const contextOf = ({ name: part }: HostPart<Cache>): HostContext<Cache> => ({
    clock,
    now: () => Math.round(clock.monotonic() + offset()),
    log,
    source: connection.id,
    name: () => connection.name,
    cache: shared,
    version: () => version,
    health,
    pace,
    isOn,
    get: (path, signal, how) => limit.run(signal, () => client.get(path, { part, signal, ...how })),
    async turn(signal, deadline) {
      const waited = async () => {
        while (client.waitMs(part) > 0 && !signal.aborted)
          await new Promise<void>((resolve) => {
            clock.after(turnMs, resolve)
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
      }
      if (client.waitMs(part) > 0) await (deadline?.outside(waited) ?? waited())
    },
    counts(each) {
      things = each
      share()
    },
    wake: (name) => running.refresh(({ part }) => name === undefined || part.name === name),
    publish: soon,
  })

  const shared = cache()
  const running = createHostParts(
    parts,
    { clock, log, health, pace, publish: soon },
    {
      contextOf,
      isOn,
      intervalMs,
      waitMs: () => (health.isThere ? client.waitMs() : Infinity),
      // Those that were under way when it was refused have nothing new to tell.
      refused: () => void (health.isThere && loop.refresh()),
    },
  )

  function enable() {
    enabled = running.enable()
    share()
  }

  /** The host is looked at in the rhythm that the settings have now. */
  function share() {
    const greeting = { name: GREETING, calls: { perLook: 1 } }
    budget.use([greeting, ...enabled], { looksPerMinute: 60_000 / intervalMs(), things })
  }

  function nextInterval(ageMs: number | undefined): number | undefined {
    const { adaptive: bounds, hostMs } = pace()
    if (bounds) return adaptive.next({ ...bounds, baseMs: hostMs }, { ageMs, underWay: load.underWay + 1 })
    adaptive.reset()
    return undefined
  }

  enable()
  const loop = startLoop({
    clock,
    log,
    intervalMs,
    firstAfterMs: edges.firstAfterMs ?? 0,
    deadlineMs: () => deadlineFor(pace()),
    hold: () => breaker.waitMs() || client.waitMs(),
    async run(signal) {
      breaker.enter()
      const startedAt = clock.monotonic()
      load.underWay++
      const greeted = await greet((path) => client.get(path, { part: GREETING, signal })).finally(
        () => load.underWay--,
      )
      const now = clock.monotonic()
      const { lastListedAt: before, isThere: wasThere } = health
      tally.cycled(clock.monotonic() - startedAt)
      if (greeted !== version) log.info({ version: greeted }, `${product.title} answers`)
      version = greeted
      measuredMs = nextInterval(before === undefined ? undefined : now - before)
      share()
      health.answered(GREETING, now)
      health.listed(now, freshRounds * intervalMs())
      breaker.succeed()
      void publisher.soon(0)
      if (!wasThere || wantsAll) running.refresh()
      wantsAll = false
    },
    failed(cause, failures) {
      health.failed(GREETING, cause)
      breaker.fail()
      void publisher.soon(0)
      return pauseAfter(toSourceError(cause), failures)
    },
  })

  // That it is watched is known at once, however long its first answer takes.
  void soon()

  return {
    apply({ name, flags }) {
      Object.assign(connection, { name, flags })
      enable()
      void publisher.soon(0)
    },
    /** What its parts know waits for its word that it is there. */
    refresh() {
      wantsAll = true
      loop.refresh()
    },
    calls: () => budget.count(connection.name),
    totals: () => tally.totals(),
    async stop() {
      publisher.stop()
      const ending = running.stop()
      await Promise.all([loop.stop(), client.close()])
      await ending
    },
  }
}
