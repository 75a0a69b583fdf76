import http from 'node:http'
import type { Target } from '../settings/targets.ts'
import { version } from '../version.ts'
import { withTls } from './secure.ts'

export interface Call {
  method: 'GET' | 'POST'
  /** behind the server's URL */
  path: string
  headers?: Record<string, string>
  body?: Buffer
  timeoutMs: number
}

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

/** No reply is as long as this. */
const mostBytes = 1024 * 1024

/** By this name a server knows an agent of its own kind. */
const userAgent = `pulse-agent/${version}`

/** Rejects when there was no whole answer; any status is an answer. */
export async function call(target: Target, asked: Call): Promise<Answer> {
  const response = await open(target, asked)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error(`${target.url} answered with more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString(),
  }
}

/** Resolves with the head of the answer; the limit of time is for the rest too. */
export function open(target: Target, asked: Call): Promise<http.IncomingMessage> {
  const url = new URL(target.url + asked.path)
  const body = asked.body ?? Buffer.alloc(0)
  const length = asked.method === 'POST' ? { 'content-length': body.length } : {}
  const options = {
    method: asked.method,
    headers: { 'user-agent': userAgent, ...length, ...asked.headers },
    signal: AbortSignal.timeout(asked.timeoutMs),
  }
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? withTls().request(url, { ...options, rejectUnauthorized: !target.insecure })
        : http.request(url, options)
    request.on('response', resolve)
    request.on('error', reject)
    request.end(body)
  })
}

/** Older servers read the one, newer ones the other. */
export const credentials = ({ token }: Target) => ({
  'x-api-token': token,
  authorization: `Bearer ${token}`,
})
