import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { Access } from '../auth/access.ts'
import type { AuditEntry } from '../auth/audit.ts'
import { type Caller, readCaller } from '../auth/caller.ts'
import type { Networks } from '../auth/networks.ts'
import { corsHeaders, frameAncestors, type OriginPolicy } from '../auth/origins.ts'
import { createRefusals } from '../refusals.ts'
import { validationText } from '../validation-text.ts'
import type { Answers } from './answers.ts'
import type { BasePath } from './base-path.ts'
import { errorReplier } from './error-reply.ts'
import { takePackedBodies } from './packed-body.ts'
import { type HttpTimes, httpTimes, refuseUnreadable, serverOptions } from './protocol.ts'
import { admittedOf, type LedRouting, registerRoute, type Route } from './route.ts'
import { withSlashes } from './slashes.ts'
import { serveWeb } from './static-files.ts'

export interface HttpOptions {
  log: Logger
  clock: Clock
  /** shorter times for tests */
  times?: HttpTimes
  routes: Route[]
  access: Access
  record: (entry: AuditEntry) => Promise<void>
  trustedProxies: Networks
  origins: () => OriginPolicy
  /** headers of every answer, which name the server's mode */
  modeHeaders: Record<string, string>
  /** masks every body before it is sent; undefined: no masking */
  mask: ((value: unknown) => unknown) | undefined
  tls: { cert: Buffer; key: Buffer } | undefined
  webDir: string | undefined
  basePath: BasePath
  /** counts the answers */
  answers: Answers
  /** of several processes; undefined: this one answers all calls */
  led?: LedRouting | undefined
}

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { log, clock, routes, access, record, origins, webDir, basePath, tls, times = httpTimes } = options
  const refusals = createRefusals(clock)
  const shared = serverOptions(times)
  const whole = withSlashes(routes.map(({ endpoint }) => endpoint))
  // zod/mini has no error texts of its own.
  z.config({ localeError: validationText })
  const app = Fastify({
    ...(tls
      ? {
          https: { ...shared, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: times.tlsHandshakeMs },
        }
      : { http: shared }),
    clientErrorHandler: refuseUnreadable(refusals),
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: false,
    requestTimeout: times.requestMs,
    keepAliveTimeout: times.keepAliveTimeoutMs,
    rewriteUrl: ({ url = '/' }) => whole(basePath.strip(url)),
    // alert ids have up to 500 characters; some stay percent-encoded until they are read
    routerOptions: { maxParamLength: 1_500 },
    return503OnClosing: true,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  }) as unknown as FastifyInstance
  const callerOf = (request: FastifyRequest): Caller =>
    readCaller(
      {
        peer: request.raw.socket.remoteAddress,
        encrypted: tls !== undefined,
        method: request.method,
        headers: request.headers,
        rawHeaders: request.raw.rawHeaders,
        requestId: request.id,
      },
      options.trustedProxies,
    )
  // Node silently drops header lines beyond this count; their total size is limited anyway.
  app.server.maxHeadersCount = 0
  app.setErrorHandler(errorReplier(clock, options.mask))
  basePath.addTo(app)
  options.answers.count(app, new Set(routes.map(({ endpoint }) => endpoint.path)))
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  // Many clients send `application/json` with every call, even without a body.
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null) : parseJson(request, text, done),
  )
  app.addHook('onRequest', async (request, reply) => {
    const caller = callerOf(request)
    const policy = origins()
    void reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'permissions-policy': 'geolocation=(), microphone=(), camera=()',
      'content-security-policy': `${contentSecurityPolicy}; frame-ancestors ${frameAncestors(policy)}`,
      ...(policy.allowEmbedding ? {} : { 'x-frame-options': 'DENY' }),
      ...(caller.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
      ...options.modeHeaders,
      ...corsHeaders(caller, policy),
    })
    // the headers alone answer a preflight request
    if (request.method === 'OPTIONS') return reply.status(204).send()
  })
  const { led } = options
  const edges = { access, callerOf, record, mask: options.mask, led }
  for (const route of routes) {
    const { bodyLimit, inflatedLimit } = route.endpoint
    if (inflatedLimit === undefined) registerRoute(app, route, edges)
    else
      await app.register(async (scope) => {
        takePackedBodies(
          scope,
          { bodyLimit: bodyLimit!, inflatedLimit },
          {
            senderOf: (request) => admittedOf(request)?.identity.principal?.id,
            unpacked(request, bytes) {
              if (!led?.forwardOf(route)) route.unpacked?.(admittedOf(request)!, bytes)
            },
          },
        )
        registerRoute(scope, route, edges)
      })
  }
  app.all('/api/*', {
    onRequest: async (request, reply) => {
      const need = { access: 'user', scope: 'monitoring:read', rate: 'general', method: 'GET' } as const
      await access.toCall(need, callerOf(request), (text) => void reply.header('set-cookie', text))
    },
    handler: async (request) => {
      throw unknownCall(request.method, request.url, routes)
    },
  })
  if (webDir) await serveWeb(app, webDir, basePath)
  return app
}

function unknownCall(method: string, url: string, routes: readonly Route[]): AppError {
  const path = url.split('?')[0]!.split('/')
  const others = routes.filter(({ endpoint }) => {
    const pattern = endpoint.path.split('/')
    return (
      pattern.length === path.length && pattern.every((part, i) => part.startsWith(':') || part === path[i])
    )
  })
  if (others.length === 0) return new AppError('not_found', 'There is no such API call.')
  const allowed = others.map(({ endpoint }) => endpoint.method).join(', ')
  return new AppError('method_not_allowed', `${method} is not allowed here; use ${allowed}.`)
}

/** The contract validates routes, so Fastify's schema compiler is not even loaded. */
function noSchemas(): never {
  throw new Error('a route of Fastify has a schema; describe it in the contract instead')
}
