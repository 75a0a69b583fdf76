import type {
  LiveEvent,
  NodeChange,
  NodeConfig,
  NodeInput,
  NodeTest,
  NodeTestInput,
  PerformanceReply,
  SourceKind,
} from '@pulse/contract'
import {
  changeOfDestination,
  type Connection,
  type LearnedCluster,
  nodeDestination,
  type Clock,
} from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { RunningCollector } from '../collectors/source.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { createMutex } from '../timing/concurrency.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { freeName, refuseDuplicate } from './duplicates.ts'
import { changedConnection, newConnection } from '../node-config/input.ts'
import { normalizeName } from '../node-config/normalize.ts'
import { isSameCluster, isSameConnection } from './same.ts'
import { toNodeConfig } from '../node-config/show.ts'
import { createWatching, type Watched, type WatchingEdges } from './watching.ts'

/** Stores and watches the connections that a user manages. A change to one does not disturb the others. */
export interface ConnectionArea {
  /** Blocks changes of connections while `job` runs. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored connections again after another process has written. Unchanged connections continue. */
  reload(): Promise<void>
  /** Loads the stored connections and begins to watch them. */
  start(): Promise<void>
  list(): NodeConfig[]
  /** Throws `not_found`. */
  nameOf(id: string): string
  /** Returns the new id. */
  add(input: NodeInput): Promise<string>
  /** Returns the old and new destination if the secret now goes elsewhere. */
  change(id: string, input: NodeChange): Promise<string | undefined>
  remove(id: string): Promise<void>
  /** Tests the entered connection. With an id, it tests the stored connection with the entered changes. */
  test(input: NodeTestInput): Promise<NodeTest>
  testStored(id: string): Promise<NodeTest>
  /** of the connections that this process asks */
  calls(): PerformanceReply['connections']
  running(): RunningCollector[]
  /** the connections that this process asks */
  watched(): (Pick<Connection, 'id' | 'name' | 'kind' | 'host'> & { running: RunningCollector })[]
  /** after a connection was added, removed or changed */
  onChange: OnSignal
  stop(): Promise<void>
}

export interface ConnectionEdges extends WatchingEdges {
  store: ConnectionStore
  publish: (event: LiveEvent) => void
  onWrite: () => void
}

/**
 * At startup, the first polls of all connections are spread over this time. Sources keep their rhythm, so
 * without this all their updates would arrive at the same moment forever.
 */
const spreadMs = 250
const mostGapMs = 50

/** The same limit as for an export or pulse.yaml. */
export const maxConnections = 500

export function createConnections(edges: ConnectionEdges): ConnectionArea {
  const { store, collectors, state, clock, log, onWrite } = edges
  const changed = createSignal()
  /** One change at a time, so that checks and writes cannot interleave. */
  const runExclusive = createMutex()
  const stopping = new AbortController()
  const tests = new Set<Promise<NodeTest>>()
  const watching = createWatching(edges, (id, from, cluster) => {
    void runExclusive(() => remember(id, from, cluster)).catch((err: unknown) =>
      log.error(
        { err, source: watching.get(id)?.connection.name },
        'cannot store the members of the cluster',
      ),
    )
  })
  const connections = () => watching.all().map(({ connection }) => connection)

  function publish(event: LiveEvent) {
    edges.publish(event)
    changed.emit()
  }

  /** Ignores a collector that was replaced meanwhile: it reports an address that is no longer used. */
  async function remember(id: string, from: RunningCollector, cluster: LearnedCluster) {
    const entry = watching.get(id)
    if (entry?.running !== from) return
    const { clusterName: _name, ...rest } = entry.connection
    const isNews = !isSameCluster(entry.connection, cluster)
    entry.connection = { ...rest, ...cluster }
    // Online members are learned again after a restart. A member that comes and goes causes no write.
    if (!isNews) return
    await store.learned(entry.connection, clock.now())
    onWrite()
    publish({ type: 'nodes_changed', data: {} })
  }

  async function unwatch(id: string) {
    const { connection } = get(id)
    await watching.end(id)
    publish({ type: 'node_deleted', data: { nodeType: connection.kind } })
  }

  function test(connection: Connection): Promise<NodeTest> {
    const { signal } = stopping
    const testing = collectors[connection.kind].test(connection, { clock, log, signal })
    tests.add(testing)
    return reportTest(
      testing.finally(() => tests.delete(testing)),
      clock,
    )
  }

  /** without those that another process asks */
  const collected = () => watching.all().filter(({ running }) => running.isHere?.() ?? true)

  function hasTemperature(id: string): boolean {
    for (const { source, temperature } of state.tables.nodes.values()) {
      if (source === id && temperature?.available) return true
    }
    return false
  }

  function get(id: string): Watched {
    const entry = watching.get(id)
    if (!entry) throw new AppError('not_found', 'Node not found')
    return entry
  }

  return {
    runExclusive,
    async reload() {
      const stored = await store.all()
      const gone = connections().filter(({ id }) => stored.every((one) => one.id !== id))
      for (const { id } of gone) await unwatch(id)
      for (const connection of stored) {
        const known = watching.get(connection.id)?.connection
        if (known && isSameConnection(known, connection)) continue
        await watching.change(connection)
      }
      publish({ type: 'nodes_changed', data: {} })
    },
    start: () =>
      runExclusive(async () => {
        const stored = await store.all()
        const gapMs = Math.min(mostGapMs, spreadMs / stored.length)
        for (const [index, connection] of stored.entries()) watching.begin(connection, index * gapMs)
      }),
    list: () =>
      connections().map((connection) => ({
        ...toNodeConfig(connection, state.tables.sources.get(connection.id)),
        temperature: { available: hasTemperature(connection.id) },
      })),
    nameOf: (id) => get(id).connection.name,
    add: (input) =>
      runExclusive(async () => {
        const connection = newConnection(`${input.type}-${randomBytes(6).toString('hex')}`, input)
        if (!normalizeName(input.name ?? '')) {
          connection.name = freeName(connection, connections())
        }
        refuseDuplicate(connection, connections())
        if (watching.all().length >= maxConnections) {
          throw new AppError(
            'conflict',
            `There are ${maxConnections} nodes, which is the limit. Remove some of them first.`,
          )
        }
        await store.insert(connection, clock.now())
        onWrite()
        watching.begin(connection)
        log.info({ source: connection.name, host: connection.host }, 'node added')
        publish({ type: 'nodes_changed', data: {} })
        return connection.id
      }),
    change: (id, input) =>
      runExclusive(async () => {
        const { connection: old } = get(id)
        const connection = changedConnection(old, input)
        refuseDuplicate(connection, connections())
        await store.update(connection, clock.now())
        onWrite()
        await watching.change(connection)
        log.info({ source: connection.name, host: connection.host }, 'node changed')
        publish({ type: 'nodes_changed', data: {} })
        return changeOfDestination(nodeDestination(old), nodeDestination(connection))
      }),
    remove: (id) =>
      runExclusive(async () => {
        const { connection } = get(id)
        await store.remove(id)
        onWrite()
        await unwatch(id)
        log.info({ source: connection.name }, 'node removed')
      }),
    test: async ({ id, ...input }) => {
      const connection =
        id === undefined
          ? newConnection('test', { ...input, type: requireType(input) })
          : changedConnection(get(id).connection, input)
      return test(connection)
    },
    testStored: (id) => test(get(id).connection),
    calls: () =>
      Object.fromEntries(collected().map(({ connection, running }) => [connection.id, running.calls()])),
    running: () => watching.all().map(({ running }) => running),
    watched: () =>
      collected().map(({ connection: { id, name, kind, host }, running }) => ({
        id,
        name,
        kind,
        host,
        running,
      })),
    onChange: changed.on,
    async stop() {
      stopping.abort()
      await Promise.all([runExclusive(watching.endAll), ...tests])
    },
  }
}

function requireType({ type }: NodeChange): SourceKind {
  if (type) return type
  throw new AppError('validation_failed', 'Set the product: pve, pbs or pmg.', {
    details: { type: 'is required' },
  })
}

/** A failed test is answered with status 400 and the reason, as in the documented API. */
async function reportTest(test: Promise<NodeTest>, clock: Clock): Promise<NodeTest> {
  const startedAt = clock.monotonic()
  const result = await test
  if (result.status === 'success') return result
  const latency = Math.max(1, Math.round(clock.monotonic() - startedAt))
  const fields = {
    status: result.status,
    message: result.message,
    latency,
    ...(result.untrusted && { untrusted: true }),
  }
  const details = result.fingerprint ? { details: { fingerprint: result.fingerprint } } : {}
  throw new AppError('connection_test_failed', result.message, { ...details, fields })
}
