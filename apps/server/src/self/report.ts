import type { PerformanceReply } from '@pulse/contract'
import { type Clock, wallOffset } from '@pulse/domain'
import type { Logger } from 'pino'
import type { RunningCollector } from '../collectors/source.ts'
import type { State } from '../state/state.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import type { EventLoopMonitor } from './event-loop-monitor.ts'
import { createProcessRates, writtenBytes } from './process-rates.ts'

/** Interval at which the figures about Pulse itself are updated in the state. */
const REPORT_MS = 10_000

/** The collectors' own counters. */
export interface PolledConnections {
  running(): readonly Pick<RunningCollector, 'totals'>[]
  calls(): PerformanceReply['connections']
}

export interface SelfReport {
  clients(count: number): void
  performance(): PerformanceReply
  start(): void
  stop(): void
}

/** Pulse's report about itself: calls made, cycles, clients, memory, and the delay of its event loop. */
export function selfReport({
  state,
  connections,
  clock,
  upSince,
  loop,
  log,
}: {
  state: State
  connections: PolledConnections
  clock: Clock
  /** by the monotonic clock */
  upSince: number
  loop: EventLoopMonitor
  log: Logger
}): SelfReport {
  const offset = wallOffset(clock)
  const rates = createProcessRates(clock)
  let renewing: Ticker | undefined

  function renew() {
    const totals = connections.running().map((running) => running.totals())
    const lastPollDuration = Math.max(0, ...totals.map((one) => one.lastCycleSeconds))
    const sum = (of: 'calls' | 'failed' | 'cycles' | 'cacheHits' | 'cacheMisses') =>
      totals.reduce((all, one) => all + one[of], 0)
    state.setMeta({
      performance: {
        ...state.meta.performance,
        apiCallDuration: Object.assign({}, ...totals.map((one) => one.durations)) as Record<string, number>,
        lastPollDuration,
        totalApiCalls: sum('calls'),
        failedApiCalls: sum('failed'),
        cacheHits: sum('cacheHits'),
        cacheMisses: sum('cacheMisses'),
      },
      process: {
        rssBytes: process.memoryUsage.rss(),
        loopWaitMs: loop.figures().waitP99Ms,
        pollMs: lastPollDuration * 1000,
        ...rates(sum('calls'), writtenBytes()),
      },
      stats: {
        ...state.meta.stats,
        // Setting the wall clock moves the start time too, so the uptime stays right.
        startTime: new Date(Math.round(upSince + offset())).toISOString(),
        pollingCycles: sum('cycles'),
      },
    })
  }

  return {
    clients(count) {
      state.setMeta({ stats: { ...state.meta.stats, webSocketClients: count } })
    },
    performance() {
      renew()
      const { user, system } = process.cpuUsage()
      const { longestBlockMs, waitP99Ms } = loop.figures()
      return {
        ...state.meta.performance,
        connections: connections.calls(),
        process: {
          rssBytes: process.memoryUsage.rss(),
          cpuSeconds: (user + system) / 1e6,
          loopLongestBlockMs: longestBlockMs,
          loopP99Ms: waitP99Ms,
        },
      }
    },
    start() {
      renewing = createTicker({
        clock,
        intervalMs: REPORT_MS,
        run: renew,
        onError: (err) => log.error({ err }, 'cannot update the figures about Pulse itself'),
      })
    },
    stop: () => renewing?.stop(),
  }
}
