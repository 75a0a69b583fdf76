import { request as plainRequest } from 'node:http'
import type { Agent, OutgoingHttpHeaders } from 'node:http'
import { request as tlsRequest } from 'node:https'

export interface Called {
  status: number
  retryAfterSeconds: number | undefined
  body: unknown
  ms: number
}

const limitMs = 15_000
const loopback = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/

/** The lab connects to no other address. */
export function isLoopback(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url)
    return /^https?:$/.test(protocol) && loopback.test(hostname)
  } catch {
    return false
  }
}

/** One request of an agent; rejects without a response. Certificates are not verified. */
export function call(
  method: 'GET' | 'POST',
  url: string,
  headers: OutgoingHttpHeaders,
  agent: Agent,
  body?: Buffer,
): Promise<Called> {
  const { promise, resolve, reject } = Promise.withResolvers<Called>()
  const from = performance.now()
  const request = (url.startsWith('https:') ? tlsRequest : plainRequest) as typeof tlsRequest
  const outgoing = request(
    url,
    {
      method,
      agent,
      rejectUnauthorized: false,
      headers: { ...headers, ...(body && { 'Content-Length': body.length }) },
    },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const seconds = Number(response.headers['retry-after'])
        resolve({
          status: response.statusCode ?? 0,
          retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
          body: parsed(Buffer.concat(chunks).toString()),
          ms: performance.now() - from,
        })
      })
    },
  )
  outgoing.setTimeout(limitMs, () => outgoing.destroy(new Error(`no answer within ${limitMs} ms`)))
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

/** Returns the text if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
