import { connectionKey, type NodeTemperature, type SourceKind } from '@pulse/contract'
import type { Clock, Connection, LearnedCluster } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Collector, Pace, RunningCollector } from '../collectors/source.ts'
import type { State } from '../state/state.ts'
import { asksTheSame } from './same.ts'

export interface WatchingEdges {
  collectors: Record<SourceKind, Collector>
  state: State
  clock: Clock
  log: Logger
  /** how sources are to be asked, as the settings have it now */
  pace: (kind: SourceKind) => Pace
  temperatureOf?: (connectionId: string, node: string) => NodeTemperature | undefined
}

export interface Watched {
  connection: Connection
  running: RunningCollector
}

/** Which connections are asked now, each by its collector. */
export interface Watching {
  get(id: string): Watched | undefined
  all(): Watched[]
  /** It is asked for the first time then; at once when absent. */
  begin(connection: Connection, firstAfterMs?: number): void
  /** In place when it is the same question; true when it is asked anew. */
  change(connection: Connection): Promise<boolean>
  /** The source is gone, with all it ever said. */
  end(id: string): Promise<void>
  endAll(): Promise<void>
}

type OnLearned = (id: string, from: RunningCollector, cluster: LearnedCluster) => void

export function createWatching(edges: WatchingEdges, onLearned: OnLearned): Watching {
  const { collectors, state, clock, log, pace, temperatureOf } = edges
  const load = { underWay: 0 }
  const watched = new Map<string, Watched>()

  function begin(connection: Connection, firstAfterMs = 0) {
    const { id, kind, name } = connection
    const running = collectors[kind].start(connection, {
      clock,
      log: log.child({ source: name }),
      firstAfterMs,
      // One that was replaced meanwhile speaks of an address that is no longer meant.
      observe: async (observation) => {
        if (watched.get(id)?.running === running) await state.observeInTurns(observation)
      },
      temperatureOf: (node) => temperatureOf?.(id, node),
      pace: () => pace(kind),
      load,
      learned: (cluster) => onLearned(id, running, cluster),
    })
    watched.set(id, { connection, running })
  }

  /** What does not end cleanly is said, and keeps nothing that follows from being done. */
  async function stop({ connection, running }: Watched) {
    try {
      await running.stop()
    } catch (err) {
      log.error({ err, source: connection.name }, 'a source did not stop cleanly')
    }
  }

  return {
    get: (id) => watched.get(id),
    all: () => [...watched.values()],
    begin,
    async change(connection) {
      const entry = watched.get(connection.id)
      if (entry && asksTheSame(entry.connection, connection)) {
        entry.connection = connection
        entry.running.apply(connection)
        return false
      }
      if (entry) await stop(entry)
      begin(connection)
      return true
    },
    async end(id) {
      const entry = watched.get(id)
      watched.delete(id)
      if (entry) await stop(entry)
      state.forget(id)
    },
    async endAll() {
      await Promise.all([...watched.values()].map(stop))
      watched.clear()
    },
  }
}

/** What was known of the old address says nothing about the new one. */
export function showPending(state: State, { id, kind, name }: Connection): void {
  const pending = { name: connectionKey(kind, name), kind, health: 'unknown' } as const
  state.observe({ source: id, records: {}, state: pending })
}
