import type { SourceKind } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import type { Collector, CollectorEdges, RunningCollector } from '../../collectors/source.ts'

/** Sources that this process would collect, and who collects them now. */
export interface Claimed {
  /** Whether the state has an answer or a failure of the source, from whichever process. */
  isKnown(source: string): boolean
  /** `begin` when it is this process's turn, `end` when it is another one's. Returns the end of both. */
  watch(source: string, turns: Turns): () => void
}

export interface Turns {
  /** without a site: it can be reached from the main one */
  connection(): Pick<Connection, 'kind' | 'name' | 'site'>
  begin(): void
  end(): void
}

type Collectors = Record<SourceKind, Collector>

/** Collectors that poll only while the lease of their source is this process's. Tests of a connection need no lease. */
export function leasedCollectors(collectors: Collectors, claimed: Claimed): Collectors {
  const kinds = Object.entries(collectors) as [SourceKind, Collector][]
  return Object.fromEntries(
    kinds.map(([kind, own]) => [
      kind,
      { test: own.test, start: (...asked) => startLeased(own, claimed, ...asked) } satisfies Collector,
    ]),
  ) as Collectors
}

function startLeased(
  collector: Collector,
  claimed: Claimed,
  connection: Connection,
  edges: CollectorEdges,
): RunningCollector {
  let current = connection
  let inner: RunningCollector | undefined
  /** of former turns */
  const stopping = new Set<Promise<void>>()

  function end() {
    const old = inner
    inner = undefined
    if (!old) return
    const stopped = old.stop().finally(() => stopping.delete(stopped))
    stopping.add(stopped)
  }

  const unwatch = claimed.watch(connection.id, {
    connection: () => current,
    begin() {
      const turn: RunningCollector = collector.start(current, {
        ...edges,
        observe(observation) {
          // what a former turn still says must not follow what the new holder of the source has said
          if (inner !== turn) return
          // the process that had it before knew more than one that has not asked yet
          const knowsNothing = observation.state?.health === 'unknown'
          if (knowsNothing && claimed.isKnown(observation.source)) return
          return edges.observe(observation)
        },
      })
      inner = turn
    },
    end,
  })

  return {
    apply(change) {
      const { site: _site, ...rest } = current
      current = { ...rest, ...change }
      inner?.apply(change)
    },
    refresh: () => inner?.refresh(),
    isHere: () => inner !== undefined,
    calls: () => inner?.calls() ?? { ...noCalls, name: current.name },
    totals: () => inner?.totals() ?? noTotals,
    polling: () => inner?.polling() ?? { waitsMs: [], failures: 0, staleness: 1 },
    memory: () => inner?.memory?.() ?? [],
    async stop() {
      unwatch()
      end()
      await Promise.all(stopping)
    },
  }
}

const noCalls = {
  listCallsPerMinute: 0,
  probeCallsPerMinute: 0,
  slowCallsPerMinute: 0,
  deferredCalls: 0,
  nodes: {},
  budget: { listCallsPerMinute: 0, probeCallsPerMinute: 0 },
  parts: [],
}
const noTotals = {
  calls: 0,
  failed: 0,
  callSeconds: 0,
  cycles: 0,
  lastCycleSeconds: 0,
  cacheHits: 0,
  cacheMisses: 0,
  durations: {},
}
