import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { SamplesSettings } from './settings.ts'

/** A part of a large answer. More than that would be another question than ours. */
const mostAnswerBytes = 8_000_000
const mostQuotedLength = 200
/** calls at a time; more wait */
const mostSockets = 4

export interface StoreCall<T> {
  method: 'GET' | 'POST'
  /** after the URL of the store */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  limitMs: number
  /** What a successful answer says. Throws if it is another one than was asked for. */
  read: (body: Buffer) => T
}

/** The store has answered, but not with what was asked for. */
export class StoreRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Errors name the store, and never the secret. */
export type CallStore = <T>(call: StoreCall<T>) => Promise<T>

/** Calls the store, which may lie, hang, or send without end. */
export function createCalls({ url, authorization, ca }: SamplesSettings): CallStore {
  const isEncrypted = url.startsWith('https:')
  const { request, Agent } = isEncrypted ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: mostSockets })
  const { origin } = new URL(url)

  return async ({ method, path, headers, body, limitMs, read }) => {
    const signal = AbortSignal.timeout(limitMs)
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const call = request(url + path, {
          method,
          agent,
          signal,
          headers: {
            ...headers,
            'content-length': String(Buffer.byteLength(body)),
            ...(authorization !== undefined && { authorization }),
          },
          ...(ca !== undefined && { ca }),
        })
        call.on('response', resolve)
        call.on('error', reject)
        call.on('close', () => reject(new Error('the connection was closed')))
        call.end(body)
      })
      const status = answer.statusCode!
      const bytes = await readBody(answer)
      if (status >= 200 && status < 300) return read(bytes)
      throw new StoreRefusal(status, `it answers with status ${status}${quoted(bytes)}`)
    } catch (error) {
      throw named(origin, signal.aborted ? new Error(`no answer within ${limitMs / 1_000} s`) : error)
    }
  }
}

async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostAnswerBytes) throw new Error(`its answer is larger than ${mostAnswerBytes / 1e6} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** What the store says about it, as one short line. */
function quoted(body: Buffer): string {
  const text = body
    .toString('utf8', 0, 4 * mostQuotedLength)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return text === '' ? '' : `: ${text.slice(0, mostQuotedLength).toWellFormed()}`
}

function named(origin: string, error: unknown): Error {
  const { message, code } = error as Error & { code?: unknown }
  const why = typeof code === 'string' ? `no answer (${code})` : message
  const text = `${origin}: ${why}`
  return error instanceof StoreRefusal
    ? new StoreRefusal(error.status, text)
    : new Error(text, { cause: error })
}
