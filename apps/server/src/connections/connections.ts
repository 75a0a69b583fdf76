import {
  connectionKey,
  type LiveEvent,
  type NodeChange,
  type NodeConfig,
  type NodeInput,
  type NodeTemperature,
  type NodeTest,
  type NodeTestInput,
  type PerformanceReply,
  type SourceKind,
} from '@pulse/contract'
import {
  changeOfDestination,
  type Clock,
  type Connection,
  type LearnedCluster,
  nodeDestination,
} from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Collector, Pace, RunningCollector } from '../collectors/source.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import type { State } from '../state/state.ts'
import { changedConnection, newConnection } from './input.ts'
import { normalizeName } from './normalize.ts'
import { toNodeConfig } from './show.ts'
import { oneAtATime } from '../one-at-a-time.ts'

/** The connections a user manages: stored, watched, and changed without disturbing one another. */
export interface ConnectionArea {
  /** Nothing changes here while `job` runs. */
  inTurn<T>(job: () => Promise<T>): Promise<T>
  /** Takes up what is stored now, after somebody else has written in turn; what is the same is not disturbed. */
  reload(): Promise<void>
  /** Loads what is stored and begins to watch it. */
  start(): Promise<void>
  list(): NodeConfig[]
  /** Throws `not_found`. */
  nameOf(id: string): string
  /** The new id. */
  add(input: NodeInput): Promise<string>
  /** Old and new, when its secret goes somewhere else now. */
  change(id: string, input: NodeChange): Promise<string | undefined>
  remove(id: string): Promise<void>
  /** Of what is typed, or with an id of a stored one as it would be changed. */
  test(input: NodeTestInput): Promise<NodeTest>
  testStored(id: string): Promise<NodeTest>
  calls(): PerformanceReply['connections']
  running(): RunningCollector[]
  /** after one of them came, went, or was changed */
  onChange: OnSignal
  stop(): Promise<void>
}

export interface ConnectionEdges {
  store: ConnectionStore
  collectors: Record<SourceKind, Collector>
  state: State
  clock: Clock
  log: Logger
  publish: (event: LiveEvent) => void
  onWrite: () => void
  /** how sources are to be asked, as the settings have it now */
  pace: (kind: SourceKind) => Pace
  temperatureOf?: (connectionId: string, node: string) => NodeTemperature | undefined
}

interface Watched {
  connection: Connection
  running: RunningCollector
}

/** As many as an export or pulse.yaml takes. */
export const maxConnections = 500

export function createConnections(edges: ConnectionEdges): ConnectionArea {
  const { store, collectors, state, clock, log, onWrite, pace } = edges
  const changed = createSignal()
  const load = { underWay: 0 }
  const watched = new Map<string, Watched>()
  /** One change at a time, so that checks and writes cannot interleave. */
  const inTurn = oneAtATime()

  function publish(event: LiveEvent) {
    edges.publish(event)
    changed.tell()
  }

  function watch(connection: Connection) {
    const running = collectors[connection.kind].start(connection, {
      clock,
      log: log.child({ source: connection.name }),
      observe: (observation) => {
        if (watched.get(connection.id)?.running === running) state.observe(observation)
      },
      temperatureOf: (node) => edges.temperatureOf?.(connection.id, node),
      pace: () => pace(connection.kind),
      load,
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
    const isNews = !isDeepStrictEqual(lasting(entry.connection), lasting(cluster))
    entry.connection = { ...rest, ...cluster }
    // Who is there at the moment is known again after the next start: a member that comes and goes costs no writing.
    if (!isNews) return
    await store.learned(entry.connection, clock.now())
    onWrite()
    publish({ type: 'nodes_changed', data: {} })
  }

  async function unwatch(id: string) {
    const { connection, running } = watched.get(id)!
    watched.delete(id)
    await running.stop()
    state.forget(id)
    publish({ type: 'node_deleted', data: { nodeType: connection.kind } })
  }

  /** What was known of the old address says nothing about the new one. */
  function showPending({ id, kind, name }: Connection) {
    const pending = { name: connectionKey(kind, name), kind, health: 'unknown' } as const
    state.observe({ source: id, records: {}, state: pending })
  }

  function hasTemperature(id: string): boolean {
    for (const { source, temperature } of state.tables.nodes.values()) {
      if (source === id && temperature?.available) return true
    }
    return false
  }

  function get(id: string): Watched {
    const entry = watched.get(id)
    if (!entry) throw new AppError('not_found', 'Node not found')
    return entry
  }

  function refuseDuplicate(candidate: Connection) {
    for (const { connection } of watched.values()) {
      if (connection.id === candidate.id) continue
      if (isSameName(connection, candidate)) {
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

  /** A machine may be PVE and PBS in one: its address names the first of them. */
  function freeName(candidate: Connection): string {
    const isTaken = [...watched.values()].some(({ connection }) => isSameName(connection, candidate))
    return isTaken ? `${candidate.name} ${candidate.kind.toUpperCase()}` : candidate.name
  }

  return {
    inTurn,
    async reload() {
      const stored = await store.all()
      const gone = [...watched.keys()].filter((id) => stored.every((one) => one.id !== id))
      for (const id of gone) await unwatch(id)
      for (const connection of stored) {
        const entry = watched.get(connection.id)
        if (entry && asksTheSame(entry.connection, connection)) {
          if (isDeepStrictEqual(entry.connection, connection)) continue
          entry.connection = connection
          entry.running.apply(connection)
          continue
        }
        await entry?.running.stop()
        watch(connection)
      }
      publish({ type: 'nodes_changed', data: {} })
    },
    start: () =>
      inTurn(async () => {
        for (const connection of await store.all()) watch(connection)
      }),
    list: () =>
      [...watched.values()].map(({ connection }) => ({
        ...toNodeConfig(connection, state.tables.sources.get(connection.id)),
        temperature: { available: hasTemperature(connection.id) },
      })),
    nameOf: (id) => get(id).connection.name,
    add: (input) =>
      inTurn(async () => {
        const connection = newConnection(`${input.type}-${randomBytes(6).toString('hex')}`, input)
        if (!normalizeName(input.name ?? '')) connection.name = freeName(connection)
        refuseDuplicate(connection)
        if (watched.size >= maxConnections) {
          throw new AppError(
            'conflict',
            `There are ${maxConnections} nodes, which is the limit. Remove some of them first.`,
          )
        }
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
        if (asksTheSame(old, connection)) {
          watched.set(id, { connection, running })
          running.apply(connection)
        } else {
          await running.stop()
          watch(connection)
          showPending(connection)
        }
        log.info({ source: connection.name, host: connection.host }, 'a node was changed')
        publish({ type: 'nodes_changed', data: {} })
        return changeOfDestination(nodeDestination(old), nodeDestination(connection))
      }),
    remove: (id) =>
      inTurn(async () => {
        const { connection } = get(id)
        await store.remove(id)
        onWrite()
        await unwatch(id)
        log.info({ source: connection.name }, 'a node was removed')
      }),
    test: async ({ id, ...input }) => {
      const connection =
        id === undefined
          ? newConnection('test', { ...input, type: requireType(input) })
          : changedConnection(get(id).connection, input)
      return report(collectors[connection.kind].test(connection, { clock, log }), clock)
    },
    testStored: (id) => {
      const { connection } = get(id)
      return report(collectors[connection.kind].test(connection, { clock, log }), clock)
    },
    calls: () => Object.fromEntries([...watched].map(([id, { running }]) => [id, running.calls()])),
    running: () => [...watched.values()].map(({ running }) => running),
    onChange: changed.on,
    stop: () =>
      inTurn(async () => {
        const ended = await Promise.allSettled([...watched.values()].map(({ running }) => running.stop()))
        watched.clear()
        for (const end of ended)
          if (end.status === 'rejected')
            log.error({ err: end.reason as unknown }, 'a source did not stop cleanly')
      }),
  }
}

function requireType({ type }: NodeChange): SourceKind {
  if (type) return type
  throw new AppError('validation_failed', 'Say which product it is: pve, pbs or pmg.', {
    details: { type: 'is required' },
  })
}

/** A failed test is an answer 400 with the reason, as the documented calls have it. */
async function report(test: Promise<NodeTest>, clock: Clock): Promise<NodeTest> {
  const startedAt = clock.monotonic()
  const result = await test
  if (result.status === 'success') return result
  const latency = Math.max(1, Math.round(clock.monotonic() - startedAt))
  const fields = { status: result.status, message: result.message, latency }
  const details = result.fingerprint ? { details: { fingerprint: result.fingerprint } } : {}
  throw new AppError('connection_test_failed', result.message, { ...details, fields })
}

/** Names differ, and so do the keys made of them: `pbs-vault` may be a PVE, or the PBS named vault. */
const isSameName = (a: Connection, b: Connection) =>
  a.name.toLowerCase() === b.name.toLowerCase() || keyOf(a) === keyOf(b)
const keyOf = ({ kind, name }: Connection) => connectionKey(kind, name).toLowerCase()

/** The same host, checked in the same way, by the same account: whoever watches it need not begin anew. */
function asksTheSame(a: Connection, b: Connection): boolean {
  const question = ({ host, fingerprint, verifySSL, auth }: Connection) => ({
    host,
    fingerprint,
    verifySSL,
    auth,
  })
  const secretOf = ({ auth }: Connection) => (auth.type === 'password' ? auth.password : auth.secret).reveal()
  // Secrets hide from every comparison but this.
  return isDeepStrictEqual(question(a), question(b)) && secretOf(a) === secretOf(b)
}

/** What of a cluster is worth keeping: not who of its members is there at the moment. */
const lasting = ({
  clusterName,
  clusterEndpoints = [],
  memberFingerprints = {},
}: Partial<LearnedCluster>) => ({
  clusterName,
  memberFingerprints,
  clusterEndpoints: clusterEndpoints.map(({ NodeID, NodeName, Host, IP }) => [NodeID, NodeName, Host, IP]),
})

/** Every address this connection answers for: the typed one and those of its cluster's members. */
function addressesOf({ host, clusterEndpoints }: Connection): Set<string> {
  const { port } = new URL(host)
  const members = clusterEndpoints?.flatMap((e) => [e.Host, `https://${e.IP}:${port}`]) ?? []
  return new Set([host, ...members])
}
