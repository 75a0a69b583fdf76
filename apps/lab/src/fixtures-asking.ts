import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { ApiToken } from './access/accounts.ts'

export interface Answer {
  status: number
  /** The reason phrase, where PVE puts its error texts. */
  text: string
  headers: IncomingHttpHeaders
  body: string
  /** SHA-256 of the server's certificate. */
  fingerprint: string
  data: unknown
}

export interface AskOptions {
  /** Replaces the default headers. */
  headers?: OutgoingHttpHeaders
  form?: Record<string, string>
  json?: unknown
  method?: string
  /** Below /api2/json by default. */
  base?: string
  signal?: AbortSignal
}

/** A plain client for the tests: one connection pool, no certificate checks. */
export interface Asker {
  ask(url: string, path: string, options?: AskOptions): Promise<Answer>
  close(): void
}

export const tokenHeader = ({ tokenId, tokenSecret }: ApiToken): OutgoingHttpHeaders => ({
  authorization: `PVEAPIToken=${tokenId}=${tokenSecret}`,
})

export function createAsker(defaults: OutgoingHttpHeaders = {}): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false })
  return {
    ask: (url, path, options = {}) =>
      ask(agent, `${url}${options.base ?? '/api2/json'}${path}`, defaults, options),
    close: () => agent.destroy(),
  }
}

function ask(agent: Agent, url: string, defaults: OutgoingHttpHeaders, options: AskOptions): Promise<Answer> {
  const { content, type } = contentOf(options)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const outgoing = request(
    url,
    {
      agent,
      method: options.method ?? (content === undefined ? 'GET' : 'POST'),
      headers: {
        ...(options.headers ?? defaults),
        ...(content !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(content) }),
      },
      ...(options.signal && { signal: options.signal }),
    },
    (response) => {
      const fingerprint = (response.socket as TLSSocket).getPeerCertificate().fingerprint256
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          text: response.statusMessage ?? '',
          headers: response.headers,
          body,
          fingerprint,
          data: dataIn(body),
        })
      })
    },
  )
  outgoing.on('error', reject)
  outgoing.end(content)
  return promise
}

function contentOf({ form, json }: AskOptions): { content?: string; type?: string } {
  if (form)
    return { content: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' }
  if (json !== undefined) return { content: JSON.stringify(json), type: 'application/json' }
  return {}
}

function dataIn(body: string): unknown {
  if (!body.startsWith('{')) return undefined
  try {
    return (JSON.parse(body) as { data?: unknown }).data
  } catch {
    // Deliberately malformed: the test reads the text.
    return undefined
  }
}
