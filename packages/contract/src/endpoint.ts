import type * as z from 'zod/mini'
import type { AuditEvent } from './audit.ts'
import type { Scope } from './roles.ts'

/**
 * Who may call: `public` is reviewed by hand and kept short, `user` is anyone signed in, `admin` may change
 * the product.
 */
export type AccessClass = 'public' | 'user' | 'admin'

/** Scope that an API token needs. `all`: every scope. `none`: no token may call, only a signed-in person. */
export type TokenScope = Scope | 'all' | 'none'

/** The rate limiter's counter for a call. */
export type RateClass = 'auth' | 'config' | 'general' | 'read' | 'public' | 'download' | 'exempt'

type Schema = z.ZodMiniType

export interface Endpoint<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  R extends Schema | undefined = Schema | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:name` marks a parameter; paths outside the API are files that programs fetch */
  path: `/api/${string}` | `/download/${string}` | `/${string}.sh` | '/metrics'
  access: AccessClass
  /** required unless the call is public */
  scope?: TokenScope
  rate: RateClass
  /**
   * required on everything but GET: the audit event of a successful call; `own` when the area writes it,
   * `none` when nothing changes
   */
  audit?: AuditEvent | 'own' | 'none'
  /** refused and failed calls are audited too */
  auditFailures?: true
  params?: P
  /** the parameter that may hold unescaped slashes, because proxies decode them */
  slashesIn?: string
  query?: Q
  body?: B
  /** bytes; required with a body */
  bodyLimit?: number
  /** accepts `Content-Encoding: gzip`, up to this many inflated bytes */
  inflatedLimit?: number
  /** accepts unknown body fields, because senders may run another version; absent: they are refused */
  unknownFields?: 'ignored'
  /** accepted in the demonstration too, from a token with the scope: monitored hosts use this call */
  takenInDemo?: true
  /** programs read this; the demonstration answers it only to a token with the scope */
  byTokenInDemo?: true
  /** absent when the answer is not JSON of the contract: then `media` names its type, or there is no body */
  reply?: R
  /** media types of a file or text answer; `redirect`: the answer redirects to another address */
  media?: readonly `${string}/${string}`[] | 'redirect'
  /** of a successful answer; default 200 */
  status?: 200 | 201 | 202 | 204
}

/** The server registers only these objects, so every route has an access class, a scope and limits. */
export function endpoint<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined,
>(definition: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return definition
}

/** Access settings of the usual calls, to be spread into an endpoint. */
export const readsMonitoring = {
  method: 'GET',
  access: 'user',
  scope: 'monitoring:read',
  rate: 'read',
} as const
export const readsSettings = { method: 'GET', access: 'admin', scope: 'settings:read', rate: 'read' } as const
export const writesSettings = { access: 'admin', scope: 'settings:write', rate: 'config' } as const

type Out<S> = S extends Schema ? z.infer<S> : undefined
export type ParamsOf<E extends Endpoint> = Out<NonNullable<E['params']>>
export type QueryOf<E extends Endpoint> = Out<NonNullable<E['query']>>
export type BodyOf<E extends Endpoint> = Out<NonNullable<E['body']>>
export type ReplyOf<E extends Endpoint> = Out<NonNullable<E['reply']>>

/** A call that changes something needs a CSRF token when the caller has a session. */
export const needsCsrf = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && endpoint.access !== 'public'

/** Request body limits in bytes. */
export const bodyLimits = { auth: 64 * 1024, settings: 64 * 1024, nodes: 1024 * 1024 } as const
