import type * as z from 'zod/mini'
import type { AuditEvent } from './audit.ts'
import type { Scope } from './roles.ts'

/**
 * Who may call. `public` is reviewed by hand and kept short; `user` is anyone signed in;
 * `admin` may change the product.
 */
export type AccessClass = 'public' | 'user' | 'admin'

/** What an API token needs: one scope, every scope (`all`), or no token may call (`none`: people only). */
export type TokenScope = Scope | 'all' | 'none'

/** Which counter of the rate limiter a call belongs to. */
export type RateClass = 'auth' | 'config' | 'general' | 'read' | 'public' | 'download' | 'exempt'

type Schema = z.ZodMiniType

export interface Endpoint<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  R extends Schema | undefined = Schema | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:name` marks a parameter; what is no call of the API is a file that a program fetches */
  path: `/api/${string}` | `/download/${string}` | `/${string}.sh` | '/metrics'
  access: AccessClass
  /** required unless the call is public */
  scope?: TokenScope
  rate: RateClass
  /** required on everything but GET: the record a good answer leaves; `own` when the area writes it itself, `none` when nothing is changed */
  audit?: AuditEvent | 'own' | 'none'
  /** a refused or failed call leaves one too */
  auditFailures?: true
  params?: P
  /** the parameter whose value may hold slashes as they are: proxies decode them */
  slashesIn?: string
  query?: Q
  body?: B
  /** bytes; required where there is a body */
  bodyLimit?: number
  /** the body may come with `Content-Encoding: gzip`: bytes it may grow to */
  inflatedLimit?: number
  /** of the body; refused when absent. Who sends it may be of another version than this server. */
  unknownFields?: 'ignored'
  /** taken in the demonstration too, by a token that has the scope: what is shown there speaks, not who looks at it */
  takenInDemo?: true
  /** what programs read is shown to visitors of the demonstration only with a token that has the scope */
  byTokenInDemo?: true
  /** absent when the answer is no JSON of the contract: `media` says what it is, or there is no body */
  reply?: R
  /** the kinds of file or text that are answered; `redirect`: the answer leads to another address */
  media?: readonly `${string}/${string}`[] | 'redirect'
  /** of a good answer; 200 when absent */
  status?: 200 | 201 | 202 | 204
}

/** A route cannot exist without its access class, scope and limits: the server registers only these objects. */
export function endpoint<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined,
>(definition: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return definition
}

/** Who may make the usual calls, to be spread into an endpoint. */
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
