import type { AuditEvent, BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@pulse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { Access } from '../auth/access.ts'
import type { AuditEntry } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { Identity } from '../auth/identify.ts'
import type { Principal } from '../auth/principal.ts'

export interface Input<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  caller: Caller
  identity: Identity
  setCookie: (text: string) => void
  /** sets the object of this call's audit record */
  note: (facts: { target?: string; details?: string }) => void
}

/** The gate has authenticated a principal for every call that is not public. */
export function principalOf({ identity }: Pick<Input<Endpoint>, 'identity'>): Principal {
  if (!identity.principal) throw new Error('a call without a caller got past the gate')
  return identity.principal
}

/** Whether an answer may be compressed for the caller. */
export const acceptsGzip = ({ headers }: Pick<Caller, 'headers'>): boolean =>
  /\bgzip\b(?!\s{0,9};\s{0,9}q=0(?:\.0{0,3})?\s{0,9}(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''))

/** An answer that is already serialised, or is not JSON. */
export class RawReply {
  readonly body: Buffer
  readonly headers: Record<string, string>
  readonly status: number | undefined

  constructor(body: Buffer, headers: Record<string, string> = {}, status?: number) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/** A streamed file; a HEAD request gets only the headers. */
export class FileReply {
  readonly open: () => Readable
  readonly headers: Record<string, string>

  constructor(open: () => Readable, headers: Record<string, string>) {
    this.open = open
    this.headers = headers
  }
}

type Result<E extends Endpoint> =
  (E['reply'] extends undefined ? undefined : ReplyOf<E>) | RawReply | FileReply
type Handler<E extends Endpoint> = (input: Input<E>) => Promise<Result<E>> | Result<E>

type Admitted = Pick<Input<Endpoint>, 'caller' | 'identity'>

interface AtGate extends Admitted {
  /** Another process was to answer the call, so that it counts there. */
  isForwarded: boolean
}

export interface Route {
  endpoint: Endpoint
  handle: (input: Input<Endpoint>) => unknown
  /** Called after the gate, before the body is read; throws its refusal. */
  before?: (admitted: Admitted) => void
  /** Called with the uncompressed bytes of a body before it is parsed; throws its refusal. */
  unpacked?: (admitted: Admitted, bytes: number) => void
  /** Only the process that leads can answer it, although it changes nothing. */
  isLed?: boolean
  /** Each process answers it, although it belongs to an area whose calls are led. */
  isLocal?: boolean
  /** What the process that was asked does before another one answers the call. */
  beforeForward?: () => Promise<void>
}

export const route = <E extends Endpoint>(
  endpoint: E,
  handle: Handler<E>,
  more: Pick<Route, 'before' | 'unpacked' | 'isLed' | 'isLocal' | 'beforeForward'> = {},
): Route => ({
  endpoint,
  handle: handle as Route['handle'],
  ...more,
})

export interface RouteEdges {
  access: Access
  callerOf: (request: FastifyRequest) => Caller
  record: (entry: AuditEntry) => Promise<void>
  mask: ((value: unknown) => unknown) | undefined
  /** of several processes */
  led?: LedRouting | undefined
}

export interface LedRouting {
  /** Answers the call in another process. Undefined: it is answered here. */
  forwardOf(route: Route): Forward | undefined
  /** Before a call is answered here. */
  checkLead(route: Route): Promise<void>
}

/** A call before its parts are checked. */
export interface RawCall {
  params: unknown
  query: unknown
  body: unknown
  caller: Caller
}

type SetCookie = (text: string) => void

/** Resolves to the result of the call, or rejects with its refusal. */
export type Forward = (call: RawCall, setCookie: SetCookie, gone: AbortSignal) => Promise<unknown>

const admitted = new WeakMap<FastifyRequest, AtGate>()

/** The sender of a request that has passed the gate; undefined before. */
export const admittedOf = (request: FastifyRequest): Admitted | undefined => admitted.get(request)

/** The only function that adds a call. The endpoint contains its class, scope, limits and audit record. */
export function registerRoute(app: FastifyInstance, route: Route, edges: RouteEdges): void {
  const { endpoint } = route
  requireDeclarations(endpoint)
  const { access, callerOf, record, mask, led } = edges
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyLimit ?? 1024,
    onRequest: async (request, reply) => {
      const caller = callerOf(request)
      const setCookie = (text: string) => void reply.header('set-cookie', text)
      const isForwarded = led?.forwardOf(route) !== undefined
      const identity = await access.toCall(endpoint, caller, setCookie, { isForwarded })
      const known = { caller, identity, isForwarded }
      admitted.set(request, known)
      if (!isForwarded) route.before?.(known)
    },
    handler: async (request, reply) => {
      const { caller, identity, isForwarded } = admitted.get(request)!
      await led?.checkLead(route)
      access.stillHolds(endpoint, identity)
      const { params, query } = request
      const call = { params, query, body: bodyOf(endpoint, request), caller }
      const forward = led?.forwardOf(route)
      // this process has begun to lead meanwhile
      if (isForwarded && !forward) {
        access.count(endpoint, caller)
        route.before?.({ caller, identity })
      }
      const setCookie = (text: string) => void reply.header('set-cookie', text)
      const result = await (forward
        ? forward(call, setCookie, whenGone(reply))
        : answerCall(route, { ...call, identity }, { record, setCookie }))
      return send(endpoint, result, reply, mask)
    },
  })
}

/** Aborts when the client does not wait any more. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // its end may have come together with its request, while this process was frozen
  if (raw.destroyed) gone.abort()
  else raw.once('close', () => gone.abort())
  return gone.signal
}

/** The call has passed the gate. Rejects with its refusal. */
export async function answerCall(
  { endpoint, handle }: Route,
  { params, query, body, caller, identity }: RawCall & Admitted,
  { record, setCookie }: Pick<RouteEdges, 'record'> & { setCookie: SetCookie },
): Promise<unknown> {
  const noted: { target?: string; details?: string } = {}
  const answer = () =>
    handle({
      params: parse(endpoint.params, params, 'address'),
      query: parse(endpoint.query, query, 'query'),
      body: parse(endpoint.body, body, 'body'),
      caller,
      identity,
      setCookie,
      note: (facts) => void Object.assign(noted, facts),
    } as Input<Endpoint>)
  const event = recordedEvent(endpoint)
  let result: unknown
  try {
    result = await answer()
  } catch (error) {
    if (event && endpoint.auditFailures) {
      const by = principalOf({ identity })
      await record({ event, success: false, by, caller, ...noted, details: reasonOf(error, noted) })
    }
    throw isEnd(error) && endpoint.access !== 'public' ? (identity.problem ?? error) : error
  }
  if (event) await record({ event, by: principalOf({ identity }), caller, ...noted })
  return result
}

/** The caller's right has ended since it was admitted, or nothing confirms it any more. */
const isEnd = (error: unknown) => error instanceof AppError && error.code === 'authentication_required'

function recordedEvent({ audit }: Endpoint): AuditEvent | undefined {
  return audit === 'own' || audit === 'none' ? undefined : audit
}

const reasonOf = (error: unknown, { details }: { details?: string }) =>
  [details, error instanceof AppError ? error.message : 'failed'].filter(Boolean).join(': ')

/** A missing declaration prevents the start. */
function requireDeclarations(endpoint: Endpoint): void {
  const { method, path, access, scope, audit, body, bodyLimit } = endpoint
  if (body && !bodyLimit) throw new Error(`${path} takes a body without a limit`)
  if (access !== 'public' && !scope) throw new Error(`${path} declares no scope`)
  if (method !== 'GET' && !audit) throw new Error(`${method} ${path} declares no audit record`)
}

/** An unknown field is the caller's mistake, as in every other body. */
function refuseBody(body: unknown): void {
  if (body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0))
    return
  throw new AppError('validation_failed', 'body: This call accepts no body.')
}

function send(endpoint: Endpoint, result: unknown, reply: FastifyReply, mask: RouteEdges['mask']) {
  void reply.status(endpoint.status ?? 200).header('cache-control', 'no-store')
  if (result instanceof FileReply) {
    const body = reply.request.method === 'HEAD' ? Readable.from([]) : result.open()
    return reply.headers(result.headers).send(body)
  }
  if (result instanceof RawReply) {
    if (result.status !== undefined) void reply.status(result.status)
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8', ...result.headers })
      .send(result.body)
  }
  if (!endpoint.reply) return reply.send()
  const body = z.parse(endpoint.reply as z.ZodMiniType, result)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(mask ? mask(body) : body))
}

function bodyOf({ body }: Endpoint, request: FastifyRequest): unknown {
  if (!body) refuseBody(request.body)
  else if (
    request.body === undefined &&
    request.headers['content-type'] &&
    !body.safeParse(undefined).success
  )
    throw new AppError('invalid_json', 'The request body is empty; this call requires one.')
  return request.body
}

/** A refusal quotes at most this much of the request. */
const MOST_DETAILS = 20
const MOST_PATH = 100

function parse(schema: Endpoint['body'], value: unknown, where: string): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details: Record<string, string> = {}
  for (const issue of result.error.issues.slice(0, MOST_DETAILS))
    details[issue.path.join('.').slice(0, MOST_PATH) || where] ??= issue.message
  const first = Object.entries(details)[0]!
  throw new AppError('validation_failed', `${first[0]}: ${first[1]}`, { details })
}
