import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@pulse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Admission, Caller } from '../auth/gate.ts'
import { AppError } from '../app-error.ts'

export interface Input<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  request: FastifyRequest
}

/** An answer that is already serialised. */
export class RawReply {
  readonly body: Buffer
  readonly headers: Record<string, string>

  constructor(body: Buffer, headers: Record<string, string> = {}) {
    this.body = body
    this.headers = headers
  }
}

type Result<E extends Endpoint> = (E['reply'] extends undefined ? undefined : ReplyOf<E>) | RawReply
type Handler<E extends Endpoint> = (input: Input<E>) => Promise<Result<E>> | Result<E>

export interface Route {
  endpoint: Endpoint
  handle: (input: Input<Endpoint>) => unknown
}

export const route = <E extends Endpoint>(endpoint: E, handle: Handler<E>): Route => ({
  endpoint,
  handle: handle as Route['handle'],
})

type Admit = (access: Endpoint['access'], caller: Caller) => Admission

export const callerOf = (request: FastifyRequest): Caller => ({
  peer: request.raw.socket.remoteAddress,
  headers: request.headers,
  method: request.method,
})

/** The only way a call comes into being: class, scope and limits are part of the endpoint. */
export function registerRoute(app: FastifyInstance, { endpoint, handle }: Route, admit: Admit): void {
  if (endpoint.body && !endpoint.bodyLimit) throw new Error(`${endpoint.path} takes a body without a limit`)
  if (endpoint.access !== 'public' && !endpoint.scope) throw new Error(`${endpoint.path} declares no scope`)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyLimit ?? 1024,
    onRequest: async (request) => enforce(admit(endpoint.access, callerOf(request))),
    handler: async (request, reply) => answer(endpoint, handle, request, reply),
  })
}

export function enforce(admission: Admission): void {
  if (!admission.admitted) throw new AppError('forbidden', admission.reason)
}

async function answer(
  endpoint: Endpoint,
  handle: Route['handle'],
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const result = await handle({
    params: parse(endpoint.params, request.params, 'address'),
    query: parse(endpoint.query, request.query, 'query'),
    body: parse(endpoint.body, request.body, 'body'),
    request,
  } as Input<Endpoint>)
  void reply.status(endpoint.status ?? 200).header('cache-control', 'no-store')
  if (result instanceof RawReply) {
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8', ...result.headers })
      .send(result.body)
  }
  if (!endpoint.reply) return reply.send()
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(z.parse(endpoint.reply as z.ZodMiniType, result)))
}

function parse(schema: Endpoint['body'], value: unknown, where: string): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details: Record<string, string> = {}
  for (const issue of result.error.issues) details[issue.path.join('.') || where] ??= issue.message
  const first = Object.entries(details)[0]!
  throw new AppError('validation_failed', `${first[0]}: ${first[1]}`, { details })
}
