import {
  defaultSshPort,
  kinds,
  type Node,
  type NodeConfig,
  type NodeTemperature,
  type RegisterNodesReply,
  type TemperatureNode,
  type TemperatureNodeInput,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import path from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { AuditEntry } from '../auth/audit.ts'
import type { TemperatureNodeRow } from '../db/schema.ts'
import type { TemperatureStore } from '../db/temperature.ts'
import { readNode } from './contact.ts'
import type { FixedSwitches } from './fixed.ts'
import { fingerprintOf, forgetHostKey, forgetNewHostKey } from './host-keys.ts'
import { temperatureSetup, type TemperatureSetup } from './setup.ts'
import { ensureKey, readPublicKey } from './ssh-key.ts'
import { showNode, verdictOn } from './show.ts'
import { SensorsError, sshUser } from './ssh.ts'
import { aliasOf, type Target, targetsOf } from './targets.ts'
import type { State } from '../state/state.ts'
import { intervalMs, type Watch, watchTemperature } from './watch.ts'
import { createMutex, idle } from '../timing/concurrency.ts'

/** The temperatures of PVE nodes, which the PVE API does not report. Off until a node is switched on. */
export interface TemperatureArea {
  /** Blocks changes of nodes while `job` runs. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored nodes again after another process has written. */
  reload(): Promise<void>
  /** Connections were added, removed or renamed. Their fixed switches apply from now on. */
  connectionsChanged(): void
  /** Loads the stored nodes and begins to read those that were set up. */
  start(): Promise<void>
  nodes(): TemperatureNode[]
  change(connectionId: string, node: string, input: TemperatureNodeInput): Promise<TemperatureNode>
  /** Reads every node that is switched on, or those in `names`. */
  check(names?: readonly string[]): Promise<RegisterNodesReply>
  /** undefined while no node is switched on */
  publicKey(): string | undefined
  /** The shell lines that the setup script runs on a node. */
  setup(from: readonly string[]): Promise<TemperatureSetup>
  stop(): Promise<void>
}

export interface TemperatureEdges {
  store: TemperatureStore
  dataDir: string
  state: Pick<State, 'observe' | 'forget'>
  connections: () => readonly NodeConfig[]
  stateNodes: () => Iterable<Node>
  /** the switches from pulse.yaml and the environment */
  fixed: FixedSwitches
  record: (entry: AuditEntry) => Promise<void>
  clock: Clock
  log: Logger
  onWrite: () => void
  user?: string
}

const atOnce = 8
/** Hosts report their own node names. This limits the table if a host keeps inventing new ones. */
const maxNodes = 1_000
/** The interval between first readings after a start. */
const staggerMs = 500

export function createTemperatures(edges: TemperatureEdges): TemperatureArea {
  const { store, state, connections, stateNodes, fixed, clock, log, onWrite, user = sshUser } = edges
  const watches = new Map<string, Watch>()
  const folder = path.join(edges.dataDir, 'temperature')
  const rows = new Map<string, TemperatureNodeRow>()
  const runExclusive = createMutex()
  /** Among several processes, only the leader reads temperatures and updates the stored nodes. */
  let isStarted = false
  let isLoaded = false

  /** Without ssh on this machine no node can be switched on. Everything else works. */
  const ownKey = () =>
    ensureKey(folder).catch((cause: unknown) => {
      if (!(cause instanceof SensorsError)) throw cause
      throw new AppError('conflict', cause.message, { cause })
    })

  const targets = () => targetsOf(connections(), stateNodes())
  const find = (connectionId: string, node: string) =>
    targets().find((target) => target.connectionId === connectionId && target.node === node)

  /** The only access to a node. It must be switched on, be a member, and have its own address. */
  async function ask(row: TemperatureNodeRow, firstContact: boolean, signal?: AbortSignal) {
    if (!connections().some(({ id }) => id === row.connection_id)) forgetSoon(row)
    const target = find(row.connection_id, row.node)
    if (!target) throw new SensorsError('is not a node of a configured connection')
    if (!rows.has(aliasOf(target))) throw new SensorsError('is not switched on')
    if (row.host_key === null && !firstContact) throw new SensorsError('was not set up')
    return readNode({ folder, user, clock }, target, row, signal)
  }

  function watch(row: TemperatureNodeRow, firstAfterMs: number) {
    const key = keyOf(row)
    void unwatch(row)
    if (row.host_key === null) return
    watches.set(
      key,
      watchTemperature({
        clock,
        log: log.child({ node: row.node }),
        firstAfterMs,
        read: async (signal) => (await ask(rows.get(key) ?? row, false, signal)).reading,
        show: (temperature) => show(row, temperature),
      }),
    )
  }

  /** A node that is no longer read has no temperature. */
  async function unwatch(row: TemperatureNodeRow) {
    const one = watches.get(keyOf(row))
    if (!one) return
    watches.delete(keyOf(row))
    const stopped = one.stop()
    show(row, undefined)
    await stopped
  }

  /** Each node is a separate source, so that a reading of one does not affect the others. */
  function show(
    { connection_id: source, node }: TemperatureNodeRow,
    temperature: NodeTemperature | undefined,
  ) {
    const id = kinds.nodeSensors.key({ source, node })
    if (!temperature) return state.forget(`sensors:${id}`)
    state.observe({
      source: `sensors:${id}`,
      records: { nodeSensors: new Map([[id, { source, node, temperature }]]) },
    })
  }

  function forgetSoon(row: TemperatureNodeRow) {
    runExclusive(() => forget(row)).catch((err: unknown) =>
      log.error({ err }, 'cannot delete the data of a removed node'),
    )
  }

  async function forget(row: TemperatureNodeRow) {
    const key = keyOf(row)
    rows.delete(key)
    await unwatch(row)
    await store.remove(row)
    forgetHostKey(folder, key)
    onWrite()
  }

  async function checkOne(target: Target, row: TemperatureNodeRow) {
    const name = target.node
    try {
      const { reading, hostKey } = await ask(row, true)
      if (row.host_key === null) await pin(row, hostKey)
      watches.get(keyOf(row))?.learn(reading)
      return { name, ssh_ready: true }
    } catch (error) {
      forgetNewHostKey(folder, keyOf(row))
      if (!(error instanceof SensorsError)) throw error
      return { name, ssh_ready: false, error: `${name}: ${error.message}` }
    }
  }

  async function pin(row: TemperatureNodeRow, hostKey: string) {
    const pinned = { ...row, host_key: hostKey }
    await store.put(pinned)
    onWrite()
    rows.set(keyOf(row), pinned)
    log.info({ node: row.node, hostKey: fingerprintOf(hostKey) }, 'host key of a node stored')
    watch(pinned, intervalMs)
  }

  const readyKey = () => ownKey().catch((err: unknown) => log.error({ err }, 'cannot read temperatures'))

  async function switchOn(connectionId: string, node: string, port: number | undefined) {
    const known = rows.get(aliasOf({ connectionId, node }))
    if (!known && rows.size >= maxNodes) {
      throw new AppError(
        'conflict',
        `The temperature of ${maxNodes} nodes is enabled, which is the limit. Disable some first.`,
      )
    }
    const row: TemperatureNodeRow = {
      connection_id: connectionId,
      node,
      port: port ?? known?.port ?? defaultSshPort,
      host_key: known?.host_key ?? null,
      created_at: known?.created_at ?? clock.now(),
    }
    await store.put(row)
    onWrite()
    rows.set(keyOf(row), row)
    if (!known || known.port !== row.port) watch(row, 0)
  }

  /** Applies the fixed switches. A node's host key is learned as usual, when an administrator checks it. */
  async function enforce() {
    for (const { instance, node, enabled, port, by } of fixed.all) {
      const connection = connections().find(
        ({ type, name }) => type === 'pve' && name.toLowerCase() === instance.toLowerCase(),
      )
      if (!connection) continue
      const known = rows.get(aliasOf({ connectionId: connection.id, node }))
      if (enabled ? known && (port ?? known.port) === known.port : !known) continue
      try {
        if (enabled) await switchOn(connection.id, node, port)
        else await forget(known!)
      } catch (err) {
        log.error({ err, node, file: by }, 'cannot apply a declared temperature setting')
        continue
      }
      const details = enabled ? 'on' : 'off'
      log.info({ node, file: by }, `the temperature of a node was switched ${details}`)
      await edges.record({
        event: 'temperature_changed',
        by: { name: by, method: 'console' },
        target: node,
        details,
      })
    }
  }

  async function takeUp() {
    const known = new Set(connections().map(({ id }) => id))
    for (const row of await store.all()) {
      if (known.has(row.connection_id)) rows.set(keyOf(row), row)
      else await store.remove(row)
    }
    isLoaded = true
    await enforce()
    if (rows.size > 0) await readyKey()
    for (const [index, row] of [...rows.values()].entries()) watch(row, index * staggerMs)
  }

  const shown = (target: Target) => {
    const alias = aliasOf(target)
    const lockedBy = fixed.of(target.instance, target.node)?.by
    return showNode(target, rows.get(alias), lockedBy, watches.get(alias))
  }

  return {
    runExclusive,
    async reload() {
      if (!isStarted) return
      for (const [alias, row] of rows) {
        rows.delete(alias)
        await unwatch(row)
      }
      await takeUp()
    },
    connectionsChanged() {
      if (!isLoaded || fixed.all.length === 0) return
      runExclusive(async () => {
        await enforce()
        if (rows.size > 0) await readyKey()
      }).catch((err: unknown) => log.error({ err }, 'cannot change the temperature setting of a node'))
    },
    start() {
      isStarted = true
      return runExclusive(takeUp)
    },
    nodes: () => targets().map(shown),
    change: (connectionId, node, input) =>
      runExclusive(async () => {
        const target = find(connectionId, node)
        if (!target) throw new AppError('not_found', 'No configured connection has a node of that name.')
        const lock = fixed.of(target.instance, node)
        if (lock) {
          throw new AppError(
            'locked_by_environment',
            `The temperature of ${node} is fixed by ${lock.by}. Change it there and restart Pulse.`,
          )
        }
        if (input.enabled) {
          await ownKey()
          await switchOn(connectionId, node, input.port)
        } else {
          const known = rows.get(aliasOf(target))
          if (known) await forget(known)
        }
        return shown(target)
      }),
    check: (names) =>
      runExclusive(async () => {
        const wanted = targets().flatMap((target) => {
          const row = rows.get(aliasOf(target))
          return row && (!names || names.includes(target.node)) ? [{ target, row }] : []
        })
        const nodes: RegisterNodesReply['nodes'] = []
        for (let at = 0; at < wanted.length; at += atOnce) {
          const part = wanted.slice(at, at + atOnce)
          nodes.push(...(await Promise.all(part.map(({ target, row }) => checkOne(target, row)))))
        }
        return { ...verdictOn(nodes), nodes }
      }),
    publicKey: () => (rows.size > 0 ? readPublicKey(folder) : undefined),
    setup: (from) => runExclusive(async () => temperatureSetup({ publicKey: await ownKey(), from })),
    async stop() {
      await Promise.all([...watches.values()].map((one) => one.stop()))
      await idle(runExclusive)
    },
  }
}

const keyOf = ({ connection_id, node }: TemperatureNodeRow) => aliasOf({ connectionId: connection_id, node })
