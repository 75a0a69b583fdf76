import { hasInOrder } from '@pulse/domain'
import { STATUS_CODES } from 'node:http'
import { SourceError, type SourceErrorCode } from '../source-error.ts'
import type { HttpsAnswer, HttpsHost } from '../https.ts'
import { createListReader } from '../list-reader.ts'
import { mayQuote } from './recognize.ts'

export interface Limits {
  waitMs?: number
  headersMs: number
  totalMs: number
  maxBytes: number
}

const MB = 1024 * 1024
const idleTimeoutMs = 10_000

/**
 * Hosts answer from memory in milliseconds, so one that sends nothing for ten seconds hangs. A timeout above
 * a minute means a slow host, which may send nothing for a sixth of it.
 */
export const limitsWithin = (timeoutMs: number): Limits => ({
  waitMs: Math.min(idleTimeoutMs, timeoutMs),
  headersMs: Math.min(timeoutMs, Math.max(idleTimeoutMs, timeoutMs / 6)),
  totalMs: timeoutMs,
  maxBytes: MB,
})

export const usualLimits = limitsWithin(60_000)

export interface ApiRequest {
  method?: 'GET' | 'POST'
  /** below /api2/json */
  path: string
  form?: Record<string, string>
  headers: Record<string, string>
  limits?: Limits
  /** Gets the entries of a list as they arrive. `data` is undefined then. */
  each?: (entry: unknown) => void
  signal?: AbortSignal
}

/** One call to one host. Returns `data` of the answer, or throws a SourceError with the reason. */
export async function callApi(host: HttpsHost, label: string, request: ApiRequest): Promise<unknown> {
  const { method = 'GET', path, form, headers, limits = usualLimits, each, signal } = request
  const reader = each && createListReader(`${label}: ${path}`, each)
  const answer = await host.send({
    method,
    path: `/api2/json${path}`,
    headers: { ...headers, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(form && { body: new URLSearchParams(form).toString() }),
    ...limits,
    ...(reader && { sink: reader.take }),
    ...(signal && { signal }),
  })
  if (answer.status !== 200) throw await statusError(host, label, request, answer)
  if (reader) return reader.end()
  return readData(label, path, answer)
}

function readData(label: string, path: string, { body, contentType }: HttpsAnswer): unknown {
  const text = body.toString()
  if (contentType.includes('html') || /^\s*</.test(text.slice(0, 100))) {
    throw new SourceError(
      'bad_answer',
      `${label}: a web page came back instead of an API answer; check address and port, and any proxy in between`,
    )
  }
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && 'data' in parsed) return parsed.data
  } catch (cause) {
    throw new SourceError('bad_answer', `${label}: the answer to ${path} is not valid JSON`, { cause })
  }
  throw new SourceError('bad_answer', `${label}: the answer to ${path} is not an API answer`)
}

const coolDownStatuses = [408, 425, 429, 502, 503, 504]

async function statusError(
  host: HttpsHost,
  label: string,
  { path, signal }: ApiRequest,
  answer: HttpsAnswer,
) {
  const { status } = answer
  const standard = STATUS_CODES[status] ?? ''
  const text = reasonOf(answer)
  const words = text === standard || (await mayQuote(host, answer, signal)) ? text : standard
  const said = `${status}${words && ` ${words}`}`
  const error = (code: SourceErrorCode, message: string) =>
    new SourceError(code, `${label}: ${message}`, { said: text })
  switch (status) {
    case 401:
      return error('unauthorized', `credentials were not accepted (${said})`)
    case 403:
      return error('forbidden', `the account may not read ${path} (${said})`)
    case 404:
      return error('not_found', `${path} does not exist (${said})`)
    case 501:
      return error('unsupported', `this version does not support ${path} (${said})`)
    case 595:
    case 596:
      return error('node_offline', `the node behind ${path} cannot be reached (${said})`)
  }
  if (coolDownStatuses.includes(status)) return error('rate_limited', `is overloaded or starting (${said})`)
  if (hasInOrder(text, 'hostname lookup ', ' failed')) return error('node_offline', `${path}: ${words}`)
  return error('server', `${path} failed (${said})`)
}

/** Prefers the reason phrase: older versions have no text in the body. PBS has everything in the body. */
function reasonOf({ status, reason, body }: HttpsAnswer): string {
  const standard = reason === '' || reason === STATUS_CODES[status]
  return readable(standard ? (messageIn(body) ?? reason) : reason)
}

function messageIn(body: Buffer): string | undefined {
  const text = body.toString().trim()
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message)
    return undefined
  } catch {
    // Often empty, or a proxy's page. PBS sends plain text and calls it JSON.
    return text === '' || /^[<{[]/.test(text) ? undefined : text
  }
}

const readable = (text: string) =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 200)
