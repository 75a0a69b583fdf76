import { monitorFlags, type MonitorFlag } from '@pulse/contract'
import { type Clock, type Connection, type Observation, wallOffset } from '@pulse/domain'
import type { Logger } from 'pino'
import { CallBudget } from '../polling/call-budget.ts'
import { PartRunner } from '../polling/part-runner.ts'
import type { Asked, MemberRun, PartRun } from '../polling/part.ts'
import { type Publisher, SOON_MS } from '../polling/publisher.ts'
import type { Part, PartLoop } from './part.ts'
import { type Polling, reportPolling } from './poll-report.ts'
import { Tally } from './tally.ts'
import { deadlineFor, usualPace, type CollectorEdges, type Pace, type RunningCollector } from './source.ts'
import { pauseAfter, type RefusalPauses, toSourceError, type SourceError } from './source-error.ts'
import { type HealthRules, SourceHealth } from './source-health.ts'
import { createSuspendDetector } from '../timing/suspend-detector.ts'

/** Between the calls to two members. Their answers together make one update for the browser. */
const staggerMs = 10

/** The common parts of a connection to any product. */
export interface Source {
  clock: Clock
  /** the time for deciding which data is stale */
  judged: () => number
  /** offset from monotonic time to epoch ms */
  wallOffset: () => number
  log: Logger
  /** with its current name and switches */
  connection: Connection
  isOn: (flag: MonitorFlag) => boolean
  /** the current polling intervals from the settings */
  pace: () => Pace
  /** of all sources: the number being polled */
  load: { underWay: number }
  /** no call before this time; monotonic */
  startAt: number
  budget: CallBudget
  health: SourceHealth
  tally: Tally
  observe: (observation: Observation) => void | Promise<void>
}

export function createSource(
  initial: Connection,
  { pace = () => usualPace, load = { underWay: 0 }, ...edges }: CollectorEdges,
  rules: HealthRules,
  slack?: number,
): Source {
  const suspendDetector = createSuspendDetector(edges.clock)
  const { clock, judged } = suspendDetector
  const connection = { ...initial }
  const log = edges.log.child({ connection: connection.id, instance: connection.name })
  const usual: Partial<Record<MonitorFlag, boolean>> = monitorFlags[connection.kind]
  return {
    clock,
    judged,
    wallOffset: wallOffset(clock),
    log,
    connection,
    isOn: (flag) => connection.flags[flag] ?? usual[flag] ?? false,
    pace,
    load,
    startAt: clock.monotonic() + (edges.firstAfterMs ?? 0),
    budget: new CallBudget(clock, slack),
    health: new SourceHealth(suspendDetector, log, rules),
    tally: new Tally(),
    observe: edges.observe,
  }
}

/** The source's own handling of failures. */
export interface Reporting {
  publish(withinMs: number): void
  failed(error: SourceError, failures: number): void
  /** for a question with that interval */
  pauses(intervalMs: number): RefusalPauses
}

/** A single question failed. Returns the pause before the retry, if not the usual one. */
export function reportFailure(
  { health }: Pick<Source, 'health'>,
  { publish, failed, pauses }: Reporting,
  question: string,
  cause: unknown,
  { intervalMs = 0, right }: { intervalMs?: number; right?: string | undefined } = {},
): number | undefined {
  const failures = health.failed(question, cause, right)
  const error = toSourceError(cause)
  failed(error, failures)
  publish(SOON_MS)
  return pauseAfter(error, failures, pauses(intervalMs))
}

interface Member {
  name: string
  /** spreads the first calls to the members */
  index: number
}

interface PartEdges<C, R extends PartRun<L>, L extends PartLoop, M, MR> extends Reporting {
  start(part: Part<C, R>): R
  startAt?(member: M, run: R, part: Part<C, R>): MR
  /** the interval of a loop without its own */
  intervalMs: () => number
  /** Milliseconds until the loop may make calls at all, 0 for now. */
  gate(plan: L, member: M | undefined): number
  /** Takes a call from the budget. Returns 0 or the milliseconds to wait. Absent: calls count when made. */
  pay?(asked: Asked<Part<C, R>, L>, member: M | undefined): number
  /** after every run, failed or not */
  ended?(plan: L, member: M | undefined): void
  /** Whether the result of a loop means that its question was answered. */
  isAnswer(plan: L, at: number | void): boolean
}

/** Runs the parts of a source: asks each question while that is allowed, and reports its failures. */
export function runParts<
  C,
  R extends PartRun<L>,
  L extends PartLoop,
  M extends Member = never,
  MR extends MemberRun<L> = never,
>(
  source: Source,
  parts: readonly Part<C, R>[],
  edges: PartEdges<C, R, L, M, MR>,
): PartRunner<Part<C, R>, R, L, M, MR> {
  const { clock, log, health, isOn, pace, startAt } = source
  return new PartRunner(parts, {
    clock,
    log,
    isWanted: ({ flags, isWanted }) => (flags?.some(isOn) ?? true) && (isWanted?.(pace()) ?? true),
    start: edges.start,
    ...(edges.startAt && { startAt: edges.startAt }),
    timing: (asked, member) => {
      const { plan } = asked
      return {
        intervalMs: plan.intervalMs ?? edges.intervalMs,
        firstAfterMs:
          (plan.firstAfterMs ?? 0) +
          Math.max(0, startAt - clock.monotonic()) +
          (member?.index ?? 0) * staggerMs,
        deadlineMs: plan.deadlineMs ?? (() => deadlineFor(pace())),
        hold: () => edges.gate(plan, member) || plan.hold?.() || (edges.pay?.(asked, member) ?? 0),
        ended: () => edges.ended?.(plan, member),
      }
    },
    answered({ plan, question }, at) {
      if (!edges.isAnswer(plan, at)) return
      health.answered(question, at ?? undefined)
      edges.publish(SOON_MS)
    },
    failed({ plan, question }, cause, failures) {
      const { intervalMs = edges.intervalMs, right } = plan
      const often = typeof intervalMs === 'number' ? intervalMs : intervalMs()
      const report = () => reportFailure(source, edges, question, cause, { intervalMs: often, right })
      return plan.failed ? plan.failed(toSourceError(cause), failures, report) : report()
    },
    defect: (question, cause) => void health.failed(question, cause),
    forget: (question) => health.forget(question),
  })
}

interface Running extends Polling {
  publisher: Publisher
  /** another name or other switches */
  changed(): void
  refresh(): void
  /** Resolves when no part runs. */
  stop(): Promise<void>
  /** Ends the calls that are under way. */
  close(): Promise<void>
}

export function toCollector(
  source: Source,
  { publisher, changed, refresh, stop, close, ...polling }: Running,
): RunningCollector {
  const { connection, budget, tally } = source
  return {
    apply({ name, site, flags }) {
      Object.assign(connection, { name, flags })
      if (site === undefined) delete connection.site
      else connection.site = site
      void publisher.soon(0)
      changed()
    },
    refresh,
    calls: () => budget.count(connection.name),
    totals: () => tally.totals(),
    polling: () => reportPolling(source, polling),
    async stop() {
      publisher.stop()
      const ending = stop()
      await close()
      await ending
    },
  }
}
