import { connectionKey, type SourceKind } from '@pulse/contract'
import type { Clock, Connection, LearnedCluster } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Collector, Pace, RunningCollector } from '../collectors/source.ts'
import type { State } from '../state/state.ts'
import { asksTheSame } from './same.ts'

export interface WatchingEdges {
  collectors: Record<SourceKind, Collector>
  state: Pick<State, 'observeInSteps' | 'forget'>
  clock: Clock
  log: Logger
  /** the current polling intervals and timeouts from the settings */
  pace: (kind: SourceKind) => Pace
}

export interface Watched {
  connection: Connection
  running: RunningCollector
}

interface Entry extends Watched {
  /** its late observations are ignored */
  isReplaced?: true
}

/** The connections being polled, each by its collector. */
export interface Watching {
  get(id: string): Watched | undefined
  all(): Watched[]
  /** The first poll comes after `firstAfterMs`, or at once without it. */
  begin(connection: Connection, firstAfterMs?: number): void
  /**
   * Keeps the running watch if host and account stay. Otherwise all is stale until a new watch has an answer.
   */
  change(connection: Connection): Promise<void>
  /** Removes the source with all its records. */
  end(id: string): Promise<void>
  /** A connection that is added later is polled after the next start. */
  endAll(): Promise<void>
}

type OnLearned = (id: string, from: RunningCollector, cluster: LearnedCluster) => void

export function createWatching(edges: WatchingEdges, onLearned: OnLearned): Watching {
  const { collectors, state, clock, log, pace } = edges
  const load = { underWay: 0 }
  const watched = new Map<string, Entry>()
  let hasEnded = false

  function begin(connection: Connection, firstAfterMs = 0) {
    if (hasEnded) return
    const { id, kind, name } = connection
    const running = collectors[kind].start(connection, {
      clock,
      log: log.child({ source: name }),
      firstAfterMs,
      // A replaced collector reports an address that is no longer used.
      observe: async (observation) => {
        const entry = watched.get(id)
        if (entry?.running === running && !entry.isReplaced) await state.observeInSteps(observation)
      },
      pace: () => pace(kind),
      load,
      learned: (cluster) => onLearned(id, running, cluster),
    })
    watched.set(id, { connection, running })
  }

  /** Nothing confirms the old watch's records any more. They are stale until the new watch has an answer. */
  async function replace(entry: Entry, connection: Connection) {
    await stop(entry)
    entry.isReplaced = true
    const { id: source, kind, name, site } = connection
    const pending = {
      name: connectionKey(kind, name),
      kind,
      health: 'unknown',
      ...(site !== undefined && { site }),
    } as const
    await state.observeInSteps({ source, records: {}, state: pending })
    begin(connection)
  }

  /** Logs an unclean stop. The steps after it run in any case. */
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
        return
      }
      if (entry) await replace(entry, connection)
      else begin(connection)
    },
    async end(id) {
      const entry = watched.get(id)
      watched.delete(id)
      if (entry) await stop(entry)
      state.forget(id)
    },
    async endAll() {
      hasEnded = true
      await Promise.all([...watched.values()].map(stop))
      watched.clear()
    },
  }
}
