import type {
  LiveEvent,
  NodeConfig,
  NodeInput,
  NodeTest,
  PerformanceReply,
  SourceKind,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Collector, Connection, LearnedCluster, RunningCollector } from '../collectors/source.ts'
import type { ConnectionStore } from '../db/connections.ts'
import type { State } from '../state/state.ts'
import { changedConnection, newConnection } from './input.ts'
import { toNodeConfig } from './show.ts'

/** The connections a user manages: stored, watched, and changed without disturbing one another. */
export interface ConnectionArea {
  /** Loads what is stored and begins to watch it. */
  start(): Promise<void>
  list(): NodeConfig[]
  /** Throws `not_found`. */
  nameOf(id: string): string
  /** The new id. */
  add(input: NodeInput): Promise<string>
  change(id: string, input: NodeInput): Promise<void>
  remove(id: string): Promise<void>
  test(input: NodeInput): Promise<NodeTest>
  testStored(id: string): Promise<NodeTest>
  calls(): PerformanceReply['connections']
  running(): RunningCollector[]
  stop(): Promise<void>
}

export interface ConnectionEdges {
  store: ConnectionStore
  collectors: Partial<Record<SourceKind, Collector>>
  state: State
  clock: Clock
  log: Logger
  publish: (event: LiveEvent) => void
  onWrite: () => void
}

interface Watched {
  connection: Connection
  running: RunningCollector
}

export function connectionArea(edges: ConnectionEdges): ConnectionArea {
  const { store, collectors, state, clock, log, publish, onWrite } = edges
  const watched = new Map<string, Watched>()
  let turn: Promise<unknown> = Promise.resolve()

  /** One change at a time, so that checks and writes cannot interleave. */
  function inTurn<T>(job: () => Promise<T>): Promise<T> {
    const result = turn.then(job)
    turn = result.catch(() => undefined)
    return result
  }

  function collectorOf(kind: SourceKind): Collector {
    const collector = collectors[kind]
    if (!collector) {
      throw new AppError('unsupported_type', `This version cannot watch ${kind.toUpperCase()} yet, only PVE.`)
    }
    return collector
  }

  function watch(connection: Connection) {
    const running = collectorOf(connection.kind).start(connection, {
      clock,
      log: log.child({ source: connection.name }),
      observe: (observation) => {
        if (watched.get(connection.id)?.running === running) state.observe(observation)
      },
      learned: (cluster) => {
        void inTurn(() => remember(connection.id, running, cluster)).catch((err: unknown) =>
          log.error({ err, source: connection.name }, 'the members of the cluster could not be stored'),
        )
      },
    })
    watched.set(connection.id, { connection, running })
  }

  /** A collector that was replaced meanwhile speaks of an address that is no longer meant. */
  async function remember(id: string, from: RunningCollector, cluster: LearnedCluster) {
    const entry = watched.get(id)
    if (entry?.running !== from) return
    const { clusterName: _name, ...rest } = entry.connection
    entry.connection = { ...rest, ...cluster }
    await store.update(entry.connection, clock.now())
    onWrite()
    publish({ type: 'nodes_changed', data: {} })
  }

  function get(id: string): Watched {
    const entry = watched.get(id)
    if (!entry) throw new AppError('not_found', 'Node not found')
    return entry
  }

  function refuseDuplicate(candidate: Connection) {
    for (const { connection } of watched.values()) {
      if (connection.id === candidate.id) continue
      if (connection.name.toLowerCase() === candidate.name.toLowerCase()) {
        throw new AppError(
          'duplicate_name',
          `A node named "${candidate.name}" exists already. Choose another name.`,
        )
      }
      if (connection.kind === candidate.kind && addressesOf(connection).has(candidate.host)) {
        const as = connection.clusterName ? `as part of the cluster "${connection.clusterName}" ` : ''
        throw new AppError(
          'duplicate_cluster',
          `${candidate.host} is already watched ${as}by "${connection.name}".`,
        )
      }
    }
  }

  return {
    start: () =>
      inTurn(async () => {
        for (const connection of await store.all()) watch(connection)
      }),
    list: () =>
      [...watched.values()].map(({ connection }) =>
        toNodeConfig(connection, state.meta.sources[connection.id]),
      ),
    nameOf: (id) => get(id).connection.name,
    add: (input) =>
      inTurn(async () => {
        collectorOf(input.type)
        const connection = newConnection(`${input.type}-${randomBytes(6).toString('hex')}`, input)
        refuseDuplicate(connection)
        await store.insert(connection, clock.now())
        onWrite()
        watch(connection)
        log.info({ source: connection.name, host: connection.host }, 'a node was added')
        publish({ type: 'nodes_changed', data: {} })
        return connection.id
      }),
    change: (id, input) =>
      inTurn(async () => {
        const { connection: old, running } = get(id)
        const connection = changedConnection(old, input)
        refuseDuplicate(connection)
        await store.update(connection, clock.now())
        onWrite()
        await running.stop()
        watch(connection)
        log.info({ source: connection.name, host: connection.host }, 'a node was changed')
        publish({ type: 'nodes_changed', data: {} })
      }),
    remove: (id) =>
      inTurn(async () => {
        const { connection, running } = get(id)
        await store.remove(id)
        onWrite()
        watched.delete(id)
        await running.stop()
        state.forget(id)
        log.info({ source: connection.name }, 'a node was removed')
        publish({ type: 'node_deleted', data: { nodeType: connection.kind } })
      }),
    test: (input) => report(collectorOf(input.type).test(newConnection('test', input), { clock, log })),
    testStored: (id) => {
      const { connection } = get(id)
      return report(collectorOf(connection.kind).test(connection, { clock, log }))
    },
    calls: () => Object.fromEntries([...watched].map(([id, { running }]) => [id, running.calls()])),
    running: () => [...watched.values()].map(({ running }) => running),
    stop: () =>
      inTurn(async () => {
        await Promise.all([...watched.values()].map(({ running }) => running.stop()))
        watched.clear()
      }),
  }
}

/** A failed test is an answer 400 with the reason, as the documented calls have it. */
async function report(test: Promise<NodeTest>): Promise<NodeTest> {
  const result = await test
  if (result.status === 'success') return result
  const details = result.fingerprint ? { details: { fingerprint: result.fingerprint } } : {}
  throw new AppError('connection_test_failed', result.message, details)
}

/** Every address this connection answers for: the typed one and those of its cluster's members. */
function addressesOf({ host, clusterEndpoints }: Connection): Set<string> {
  const { port } = new URL(host)
  const members = clusterEndpoints?.flatMap((e) => [e.Host, `https://${e.IP}:${port}`]) ?? []
  return new Set([host, ...members])
}
