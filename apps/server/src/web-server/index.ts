import { type Endpoint, getHealth, getMetrics, getReadiness, getVersion } from '@pulse/contract'
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Area, messagesOf, routesOf, type SocketMessage } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import type { SignIn } from '../auth/sign-in.ts'
import { createAnswers } from '../http/answers.ts'
import { createLedCalls, type LedCallsEdges } from '../http/led-calls.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { createHttp, type HttpOptions } from '../http/app.ts'
import { createBasePath } from '../http/base-path.ts'
import { boundConnections, connectionLimits, openFilesLimit } from '../http/connections.ts'
import type { Config } from '../start/config.ts'
import { closeHttp, listen, startProblem, urlOf } from '../start/listen.ts'

export interface WebServer extends Area {
  /** Available after the start. */
  url(): string
}

export interface WebServerEdges extends Pick<HttpOptions, 'clock' | 'log'> {
  /** areas with calls and messages to serve */
  areas: readonly Area[]
  config: Config
  access: Pick<HttpOptions, 'access'> & { audit: Pick<Audit, 'record'>; signIn: Pick<SignIn, 'checkBasic'> }
  settings: Pick<HttpOptions, 'origins'>
  /** several processes: which calls another one answers */
  cluster: (LedCallsEdges['cluster'] & Pick<Cluster, 'answerWith' | 'has'>) | undefined
  reload: LedCallsEdges['reload']
  mask: { deep: (value: unknown) => unknown } | undefined
  /** receives the accepted sockets */
  live: {
    accept(messages: readonly SocketMessage[]): void
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
    close(): Promise<void>
  }
}

/** What a process without pages still answers. */
const aboutItself: readonly Endpoint[] = [getHealth, getReadiness, getVersion, getMetrics]

/** The entry for calls and sockets: the last area to start and the first to stop. */
export function webServerArea({ areas, live, ...edges }: WebServerEdges): WebServer {
  const { config, access, clock, log, cluster, reload } = edges
  const { trustedProxies, demo, disabled } = config.access
  const basePath = createBasePath(config.access.basePath)
  let http: FastifyInstance | undefined
  let open = { destroyAll() {} }
  const answers = createAnswers()
  live.accept(messagesOf(areas))

  async function start() {
    const all = routesOf(areas)
    const serves = cluster?.has('serve') ?? true
    const routes = serves ? all : all.filter(({ endpoint }) => aboutItself.includes(endpoint))
    const led =
      cluster &&
      createLedCalls({
        routes: all,
        access: access.access,
        checkBasic: access.signIn.checkBasic,
        record: access.audit.record,
        log,
        cluster,
        reload,
      })
    if (led) cluster.answerWith(led.answer)
    http = await createHttp({
      clock,
      log,
      access: access.access,
      record: access.audit.record,
      trustedProxies,
      origins: edges.settings.origins,
      mask: edges.mask?.deep,
      modeHeaders: {
        ...(demo ? { 'x-demo-mode': 'true' } : {}),
        ...(disabled ? { 'x-auth-disabled': 'true' } : {}),
      },
      tls: config.tls,
      webDir: serves ? config.webDir : undefined,
      basePath,
      answers,
      routes,
      led,
    })
    if (serves)
      http.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        request.url = basePath.strip(request.url ?? '/')
        live.handleUpgrade(request, socket, head)
      })
    open = boundConnections(http.server, connectionLimits(openFilesLimit()), trustedProxies)
    try {
      await listen(http, config)
    } catch (error) {
      throw startProblem(error, config)
    }
  }

  return {
    name: 'the web server',
    metrics: answers.metrics,
    start,
    async stop() {
      await Promise.all([live.close(), http && closeHttp(http, open, clock)])
    },
    url: () => urlOf(http!, config),
  }
}
