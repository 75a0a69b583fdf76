import type { Meta } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { accessArea } from './auth/area.ts'
import type { FirstRun } from './auth/first-run.ts'
import { oidcArea } from './auth/oidc/area.ts'
import { collectors } from './collectors/index.ts'
import { connectionArea } from './connections/area.ts'
import { connectionStore } from './db/connections.ts'
import { guestMetadataStore } from './db/guest-metadata.ts'
import { settingsStore } from './db/settings.ts'
import { guestMetadata } from './guests/metadata.ts'
import { createHttp } from './http/app.ts'
import { guestRoutes } from './http/guests.ts'
import { nodeRoutes } from './http/nodes.ts'
import { oidcRoutes } from './http/oidc.ts'
import { securityRoutes } from './http/security.ts'
import { sessionRoutes } from './http/session.ts'
import { statusRoutes } from './http/status.ts'
import { tokenRoutes } from './http/tokens.ts'
import { createHub, type Hub, socketNeed } from './live/hub.ts'
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
  /** the one-time token of a fresh installation, for the console */
  firstRun: FirstRun | undefined
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
  const notices = [...data.notices, ...config.access.warnings]
  for (const notice of notices) log.warn(notice)
  const copy = keepCopy(data.db, copyPath(dataDir.path), clock, log)

  const state = createState(firstMeta(startedAt, version.version, notices))
  const view = createPlainView(state, clock)
  /** A moment later, so that an answer that renews somebody's cookie is there before its socket closes. */
  const revalidate = () => void clock.after(250, () => hub.revalidate())
  const oidc = oidcArea({
    store: settingsStore(data.db, data.vault, clock.now),
    env: config.oidc,
    clock,
    log,
    onWrite: copy.changed,
    onChanged: revalidate,
  })
  const area = accessArea({
    config: config.access,
    encrypted: config.tls !== undefined,
    dataDir: dataDir.path,
    db: data.db,
    oidc,
    clock,
    log,
    deploymentType: version.deploymentType,
    isPendingRestart: config.environment.isChanged,
    onEnded: revalidate,
    onWrite: copy.changed,
  })
  const hub: Hub = createHub({
    state,
    view,
    clock,
    log,
    identify: (request) => area.toSocket(socketNeed, request),
    touch: area.touch,
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
    access: area.access,
    record: area.audit.record,
    trustedProxies: config.access.trustedProxies,
    origins: () => config.access.origins,
    modeHeaders: {
      ...(config.access.demo ? { 'x-demo-mode': 'true' } : {}),
      ...(config.access.disabled ? { 'x-auth-disabled': 'true' } : {}),
    },
    tls: config.tls,
    webDir: config.webDir,
    routes: [
      ...sessionRoutes(area),
      ...securityRoutes(area),
      ...tokenRoutes(area.tokens, version.deploymentType),
      ...oidcRoutes({
        oidc,
        publicUrl: config.access.publicUrl,
        signIn: area.signInByOidc,
        audit: area.audit,
      }),
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
    area.stop()
    await data.db.close()
    loop.disable()
    dataDir.release()
  }

  try {
    await oidc.start()
    await area.start()
    await listen(http, config)
    await connections.start()
  } catch (error) {
    await stop()
    throw startProblem(error, config)
  }
  return { url: urlOf(http, config), firstRun: area.setup.firstRun(), stop }
}

/** Every interface means IPv6 and IPv4 together, or IPv4 alone where the machine has no IPv6. */
async function listen(http: FastifyInstance, { listenAddress, port }: Config) {
  if (listenAddress !== undefined) return http.listen({ host: listenAddress, port })
  try {
    return await http.listen({ host: '::', port })
  } catch (error) {
    if (!['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return http.listen({ host: '0.0.0.0', port })
  }
}

function urlOf(http: FastifyInstance, { listenAddress = 'localhost', tls }: Config): string {
  const { port } = http.server.address() as AddressInfo
  const isEverything = ['0.0.0.0', '::'].includes(listenAddress)
  const host = isEverything ? 'localhost' : listenAddress.includes(':') ? `[${listenAddress}]` : listenAddress
  return `${tls ? 'https' : 'http'}://${host}:${port}`
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
      `Port ${port}${listenAddress === undefined ? '' : ` on ${listenAddress}`} is already in use.`,
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
