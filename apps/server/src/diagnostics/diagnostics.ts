import type { ApiToken, Diagnostics, NodeConfig, TemperatureNode, VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import os from 'node:os'
import type { ConnectionArea } from '../connections/connections.ts'
import type { State } from '../state/state.ts'
import type { TemperatureArea } from '../temperature/temperatures.ts'
import { fingerprintOf } from '../temperature/host-keys.ts'
import { describeMemory } from './memory.ts'
import { describe, describePve, type Tested, testSource } from './sources.ts'
import { checkTokens } from './tokens.ts'

/** How the product and everything it watches is doing, asked anew. */
export interface DiagnosticsArea {
  /** A run is shared by everybody who asks while it lasts, and for a while after. */
  run(): Promise<{ result: Diagnostics; at: number }>
}

export interface DiagnosticsEdges {
  state: State
  connections: ConnectionArea
  temperature: TemperatureArea
  tokens: () => readonly ApiToken[]
  version: VersionInfo
  /** by the monotonic clock */
  upSince: number
  clock: Clock
}

const cachedMs = 45_000
/** Of the 30 s that a run may take, the rest is for putting the answer together. */
const testsMs = 25_000
const testsAtOnce = 8

export function createDiagnostics(edges: DiagnosticsEdges): DiagnosticsArea {
  const { connections, clock } = edges
  let cached: { result: Diagnostics; at: number; madeAt: number } | undefined
  let running: Promise<{ result: Diagnostics; at: number }> | undefined

  async function runNow() {
    const tested = await testAll(connections.list())
    cached = { result: describeAll(edges, tested), at: clock.now(), madeAt: clock.monotonic() }
    return cached
  }

  async function testAll(list: readonly NodeConfig[]): Promise<Map<string, Tested>> {
    const tested = new Map<string, Tested>()
    const waiting = [...list]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        tested.set(next.id, await testSource(connections, next.id))
      }
    }
    await new Promise<void>((resolve, reject) => {
      const cancel = clock.after(testsMs, () => {
        waiting.length = 0
        resolve()
      })
      Promise.all(Array.from({ length: testsAtOnce }, worker))
        .then(() => resolve(), reject)
        .finally(cancel)
    })
    return tested
  }

  return {
    run() {
      if (cached && clock.monotonic() - cached.madeAt < cachedMs) return Promise.resolve(cached)
      running ??= runNow().finally(() => (running = undefined))
      return running
    },
  }
}

const tooLate: Tested = { error: 'was not asked: the run took too long' }

function describeAll(edges: DiagnosticsEdges, tested: ReadonlyMap<string, Tested>): Diagnostics {
  const { state, connections, temperature, tokens, version, upSince, clock } = edges
  const list = connections.list()
  const calls = connections.calls()
  const outcome = (id: string) => tested.get(id) ?? tooLate
  const short = (connection: NodeConfig) =>
    describe(
      connection,
      outcome(connection.id),
      calls[connection.id],
      state.tables.sources.get(connection.id)?.lastSeen,
    )
  const late = list.filter(({ id }) => !tested.has(id)).length
  const temperatures = temperature.nodes()
  return {
    version: version.version,
    runtime: version.runtime,
    uptime: (clock.monotonic() - upSince) / 1000,
    errors: [
      ...state.meta.notices.map(({ message }) => message),
      ...(late > 0 ? [`${late} connection(s) were not asked, because the run took too long.`] : []),
    ],
    nodes: list.flatMap((connection) => {
      if (connection.type === 'pbs') return []
      if (connection.type === 'pmg') return [{ ...shortGateway(short(connection)), type: 'pmg' as const }]
      return [describePve(connection, outcome(connection.id), calls[connection.id], state)]
    }),
    pbs: list.filter(({ type }) => type === 'pbs').map(short),
    system: {
      os: os.platform(),
      arch: os.arch(),
      goVersion: version.runtime,
      numCPU: os.availableParallelism(),
      numGoroutine: process.getActiveResourcesInfo().length,
      memoryMB: Math.round(process.memoryUsage.rss() / 1024 ** 2),
    },
    temperatureProxy: describeProxy(temperature.publicKey(), temperatures),
    temperatures,
    apiTokens: checkTokens(tokens()),
    ...describeMemory(connections.running().flatMap((running) => running.memory?.() ?? [])),
    notes: list.length === 0 ? ['Nothing is watched yet: add a node.'] : [],
  }
}

function describeProxy(
  publicKey: string | undefined,
  temperatures: readonly TemperatureNode[],
): Diagnostics['temperatureProxy'] {
  const on = temperatures.filter(({ enabled }) => enabled)
  const dark = on.filter(({ status }) => status !== 'ok').length
  return {
    legacySSHDetected: false,
    recommendProxyUpgrade: false,
    socketFound: false,
    proxyReachable: false,
    legacySshKeyCount: 0,
    ...(publicKey !== undefined && { proxyPublicKeySha256: fingerprintOf(publicKey) }),
    notes: [
      'There is no sensor proxy: temperatures are read over SSH with a key that can do nothing else.',
      ...(on.length === 0 ? ['No node has its temperature switched on.'] : []),
      ...(dark > 0 ? [`${dark} of ${on.length} node(s) with temperatures switched on cannot be read.`] : []),
    ],
  }
}

const shortGateway = ({ details, ...rest }: ReturnType<typeof describe>) => ({
  ...rest,
  ...(details && { details: { node_count: 1, version: details.version } }),
})
