import { type CredentialHolder, credentialHeaders } from './credentials.ts'
import { errorText } from './error-text.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** parsed if it was JSON */
  readonly body: unknown
  /** the answer was empty, so the message is only the status */
  readonly hasNoMessage: boolean

  constructor(message: string, status: number, body?: unknown, hasNoMessage = false) {
    super(message)
    this.status = status
    this.body = body
    this.hasNoMessage = hasNoMessage
  }
}

/** An answer that is not OK. */
export const toApiError = (status: number, text: string): ApiError =>
  new ApiError(errorText(status, text), status, tryParse(text)?.value, isEmpty(text))

export interface RequestEdges {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** the page's cookies, read for each request */
  cookies(): string
  wait(ms: number, signal?: AbortSignal | null): Promise<void>
  warn(message: string): void
  /** a change was refused with 401 */
  onUnauthorized(): void
  credentials: CredentialHolder
}

export interface RequestOptions extends RequestInit {
  headers?: Record<string, string>
  /** sends neither Authorization nor X-API-Token; cookies are sent */
  skipAuth?: boolean
  /** false: returns a 429 at once, because a user waits for the answer */
  retryLimited?: boolean
}

export interface Requester {
  /** The response after retries. */
  send(url: string, options?: RequestOptions): Promise<Response>
  /** The parsed body; null when empty; throws ApiError when the answer is not OK. */
  json(url: string, options?: RequestOptions & { json?: unknown }): Promise<unknown>
  /** Resolves when the pending changes are answered, because one of them may start a new session. */
  settled(): Promise<void>
}

const defaultRetryMs = 2_000
/** Maximum wait for a retry. After a longer Retry-After the refusal is returned. */
const longestRetryMs = 30_000
const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** All calls of the browser go through here. */
export function createRequester(edges: RequestEdges): Requester {
  const changing = new Set<Promise<unknown>>()

  const attempt = async (url: string, { skipAuth, retryLimited: _, headers, ...init }: RequestOptions) => {
    try {
      return await edges.fetch(url, {
        ...init,
        credentials: 'include',
        headers: {
          ...(isApi(url) && apiHeaders(init.method, skipAuth === true)),
          ...headers,
        },
      })
    } catch (error) {
      // browser messages differ ("Failed to fetch", "Load failed") and name no cause
      throw error instanceof TypeError ? new Error('Pulse does not answer', { cause: error }) : error
    }
  }

  const apiHeaders = (method = 'GET', skipAuth: boolean): Record<string, string> => {
    const csrf = isSafe(method) ? undefined : csrfToken(edges.cookies())
    return {
      'X-Requested-With': 'XMLHttpRequest',
      Accept: 'application/json',
      ...(!skipAuth && credentialHeaders(edges.credentials.get())),
      ...(csrf !== undefined && { 'X-CSRF-Token': csrf }),
    }
  }

  const send: Requester['send'] = (url, options = {}) => {
    const sent = sendWithRetries(url, options)
    if (isSafe(options.method)) return sent
    changing.add(sent)
    return sent.finally(() => changing.delete(sent))
  }

  const sendWithRetries = async (url: string, options: RequestOptions): Promise<Response> => {
    let response = await attempt(url, options)
    if (response.status === 403 && (await response.clone().text()).includes('CSRF')) {
      // the refusal set a new cookie
      response = await attempt(url, options)
    }
    const waitMs = retryAfterMs(response.headers.get('Retry-After'))
    if (response.status === 429 && options.retryLimited !== false && waitMs <= longestRetryMs) {
      await edges.wait(waitMs, options.signal)
      response = await attempt(url, options)
    }
    if (response.status === 401) {
      if (edges.credentials.get()) edges.warn(`The stored credentials were refused by ${url.split('?')[0]}`)
      if (!isSafe(options.method)) edges.onUnauthorized()
    }
    return response
  }

  const json: Requester['json'] = async (url, { json: payload, ...options } = {}) => {
    const response = await send(url, payload === undefined ? options : withJson(options, payload))
    const text = await response.text()
    if (!response.ok) throw toApiError(response.status, text)
    if (isEmpty(text)) return null
    const parsed = tryParse(text)
    if (!parsed) throw new ApiError('Invalid JSON response from server', response.status)
    return parsed.value
  }

  return {
    send,
    json,
    async settled() {
      await Promise.allSettled(changing)
    },
  }
}

/** Whether a call with this method only reads. */
export const isSafe = (method = 'GET') => safeMethods.includes(method.toUpperCase())

const isEmpty = (text: string) => text.trim() === ''

const isApi = (url: string) => url.startsWith('/api/')

const withJson = (options: RequestOptions, payload: unknown): RequestOptions => ({
  ...options,
  body: JSON.stringify(payload),
  headers: { 'Content-Type': 'application/json', ...options.headers },
})

/** The cookie exists while the session does. */
export const hasCsrfToken = (cookies: string): boolean => csrfToken(cookies) !== undefined

function csrfToken(cookies: string): string | undefined {
  const value = /(?:^|;\s*)pulse_csrf=([^;]*)/.exec(cookies)?.[1]
  if (!value) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Seconds from Pulse, or a date from a proxy. */
function retryAfterMs(header: string | null): number {
  if (!header) return defaultRetryMs
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms >= 0 ? ms : defaultRetryMs
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
