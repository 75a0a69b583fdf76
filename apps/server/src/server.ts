import type { Meta } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { admit } from './auth/gate.ts'
import { collectors } from './collectors/index.ts'
import { connectionArea } from './connections/area.ts'
import { connectionStore } from './db/connections.ts'
import { guestMetadataStore } from './db/guest-metadata.ts'
import { guestMetadata } from './guests/metadata.ts'
import { createHttp } from './http/app.ts'
import { guestRoutes } from './http/guests.ts'
import { nodeRoutes } from './http/nodes.ts'
import { statusRoutes } from './http/status.ts'
import { createHub, type Hub } from './live/hub.ts'
import type { Config } from './start/config.ts'
import { claimDataDir } from './start/data-dir.ts'
import { keepCopy } from './start/keep-copy.ts'
import { copyPath, openData } from './start/open-data.ts'
import { StartupError } from './start/startup-error.ts'
import { readVersion } from './start/version.ts'
import { createPlainView } from './state/plain-view.ts'
import { createState } from './state/state.ts'
import { selfReport } from './self/report.ts'

export interface Server {
  url: string
  stop(): Promise<void>
}

/** The whole product: collect → map → diff → state → live. Tests and the demo start it here too. */
export async function createServer(
  config: Config,
  edges: { clock: Clock; log: Logger; env: NodeJS.ProcessEnv },
): Promise<Server> {
  const { clock, log, env } = edges
  const startedAt = clock.now()
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const version = readVersion(env)
  const dataDir = claimDataDir(config.dataDir)
  const data = await openData(dataDir.path, config.encryptionKeyFile, startedAt).catch((error: unknown) => {
    dataDir.release()
    throw error
  })
  for (const notice of data.notices) log.warn(notice)
  const copy = keepCopy(data.db, copyPath(dataDir.path), clock, log)

  const state = createState(firstMeta(startedAt, version.version, data.notices))
  const view = createPlainView(state, clock)
  const hub: Hub = createHub({
    state,
    view,
    clock,
    log,
    admit,
    onClientCount: (count) => self.clients(count),
  })
  const connections = connectionArea({
    store: connectionStore(data.db, data.vault),
    collectors,
    state,
    clock,
    log,
    publish: hub.publish,
    onWrite: copy.changed,
  })
  const self = selfReport({ state, connections, clock, loop })
  const metadata = guestMetadata(guestMetadataStore(data.db), state, clock, copy.changed)
  const http = await createHttp({
    log,
    admit,
    webDir: config.webDir,
    routes: [
      ...statusRoutes({ view, clock, startedAt, version, performance: self.performance }),
      ...guestRoutes(metadata),
      ...nodeRoutes(connections),
    ],
  })
  http.server.on('upgrade', hub.handleUpgrade)

  async function stop() {
    self.stop()
    copy.stop()
    await hub.close()
    await http.close()
    await connections.stop()
    await data.db.close()
    loop.disable()
    dataDir.release()
  }

  try {
    await http.listen({ host: config.listenAddress, port: config.port })
    await connections.start()
  } catch (error) {
    await stop()
    throw startProblem(error, config)
  }
  const { port } = http.server.address() as AddressInfo
  return {
    url: `http://${config.listenAddress.includes(':') ? '[::1]' : config.listenAddress}:${port}`,
    stop,
  }
}

function firstMeta(startedAt: number, version: string, notices: readonly string[]): Meta {
  return {
    connectionHealth: {},
    performance: {
      apiCallDuration: {},
      lastPollDuration: 0,
      pollingStartTime: new Date(startedAt).toISOString(),
      totalApiCalls: 0,
      failedApiCalls: 0,
      cacheHits: 0,
      cacheMisses: 0,
    },
    stats: {
      startTime: new Date(startedAt).toISOString(),
      uptime: 0,
      pollingCycles: 0,
      webSocketClients: 0,
      version,
    },
    sources: {},
    notices: notices.map((message, n) => ({ id: `start-${n}`, level: 'warning' as const, message })),
  }
}

function startProblem(error: unknown, { listenAddress, port }: Config): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port} on ${listenAddress} is already in use.`,
      'Stop the program that uses it, or choose another port with FRONTEND_PORT.',
      { cause: error },
    )
  }
  if (code === 'EACCES') {
    return new StartupError(
      `Pulse may not listen on port ${port}.`,
      'Choose a port above 1023 with FRONTEND_PORT.',
      { cause: error },
    )
  }
  return error
}
