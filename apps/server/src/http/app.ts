import type { AccessClass } from '@pulse/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { en } from 'zod/locales'
import * as z from 'zod/mini'
import type { Admission, Caller } from '../auth/gate.ts'
import { AppError } from '../app-error.ts'
import { replyWithError } from './error-reply.ts'
import { callerOf, enforce, registerRoute, type Route } from './route.ts'
import { serveWeb } from './static-files.ts'

export interface HttpOptions {
  log: Logger
  routes: Route[]
  admit: (access: AccessClass, caller: Caller) => Admission
  webDir: string | undefined
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
  "frame-ancestors 'none'",
].join('; ')

export async function createHttp({ log, routes, admit, webDir }: HttpOptions): Promise<FastifyInstance> {
  // The small form of zod comes without texts of its own.
  z.config(en())
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: false,
    requestTimeout: 15_000,
    keepAliveTimeout: 60_000,
    routerOptions: { maxParamLength: 256 },
    return503OnClosing: true,
  }) as unknown as FastifyInstance
  app.setErrorHandler(replyWithError)
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy': contentSecurityPolicy,
    })
  })
  for (const route of routes) registerRoute(app, route, admit)
  app.all('/api/*', {
    onRequest: async (request) => enforce(admit('admin', callerOf(request))),
    handler: async (request) => {
      throw unknownCall(request.method, request.url, routes)
    },
  })
  if (webDir) await serveWeb(app, webDir)
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
  if (others.length === 0) return new AppError('not_found', 'There is no such call.')
  const allowed = others.map(({ endpoint }) => endpoint.method).join(', ')
  return new AppError('method_not_allowed', `${method} is not possible here; use ${allowed}.`)
}
