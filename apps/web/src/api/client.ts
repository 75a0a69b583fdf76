import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@pulse/contract'
import { log } from '../lib/log.ts'
import { type CredentialHolder, createCredentials } from './credentials.ts'
import { createRequester, type Requester, type RequestOptions } from './request.ts'
import { basePath } from '../lib/base-path.ts'
import { createSignal, type Signal } from '../lib/signal.ts'

type Part<K extends string, T> = [T] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: T }

export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  ([QueryOf<E>] extends [undefined] ? { query?: undefined } : { query?: QueryOf<E> }) &
  Part<'body', BodyOf<E>> &
  Pick<RequestOptions, 'signal' | 'skipAuth' | 'retryLimited' | 'headers'>

type Reply<E extends Endpoint> = [ReplyOf<E>] extends [never] ? null : ReplyOf<E>
type CallArgs<E extends Endpoint> =
  Record<never, never> extends CallInput<E> ? [CallInput<E>?] : [CallInput<E>]

export interface Api {
  /** The reply is not validated against the contract: server and page are built together. */
  call<E extends Endpoint>(endpoint: E, ...args: CallArgs<E>): Promise<Reply<E>>
  /** For calls with a status code that matters more than the body. */
  send: Requester['send']
  settled: Requester['settled']
  credentials: CredentialHolder
  /** Emits when a change was refused with 401, because the session may have ended. */
  unauthorized: Signal
}

export function createApi(
  requester: Requester,
  credentials: CredentialHolder,
  unauthorized = createSignal(),
): Api {
  return {
    credentials,
    unauthorized,
    send: requester.send,
    settled: requester.settled,
    async call(endpoint, ...[input]) {
      const { params, query, body, ...options } = (input ?? {}) as CallInput<Endpoint>
      const url = fillPath(endpoint.path, params) + queryText(query)
      return (await requester.json(url, {
        ...options,
        method: endpoint.method,
        ...(body !== undefined && { json: body }),
      })) as Reply<typeof endpoint>
    },
  }
}

function fillPath(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, string | number>
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${path}: parameter ${name} is missing`)
    return encodeURIComponent(value)
  })
}

function queryText(query: unknown): string {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  )
  return pairs.length ? `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}` : ''
}

/** The client of this page. */
export function createBrowserApi(): Api {
  const credentials = createCredentials()
  const unauthorized = createSignal()
  const requester = createRequester({
    fetch: (url, init) => fetch(basePath + url, init),
    cookies: () => document.cookie,
    wait,
    warn: log.warn,
    onUnauthorized: unauthorized.emit,
    credentials,
  })
  return createApi(requester, credentials, unauthorized)
}

function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
