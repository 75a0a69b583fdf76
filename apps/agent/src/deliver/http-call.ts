import http from 'node:http'
import type https from 'node:https'
import type { Target } from '../settings/targets.ts'
import { version } from '../version.ts'

export interface Call {
  method: 'GET' | 'POST'
  /** appended to the server's URL */
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

/** Far above the size of any reply. */
const mostBytes = 1024 * 1024

/** The server recognizes its own agents by this name. */
const userAgent = `pulse-agent/${version}`

/** Rejects if the response is incomplete. Any status counts as a response. */
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

/** Resolves when the headers have arrived; the timeout also covers the body. */
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

/** Pulse 4.x reads the first header, newer servers the second. */
export const credentials = ({ token }: Target) => ({
  'x-api-token': token,
  authorization: `Bearer ${token}`,
})

let loaded: typeof https | undefined

/**
 * Loads TLS, which takes several megabytes, for the first server that needs it. Trusts the system's
 * authorities, or Node's if the system has none.
 */
function withTls(): typeof https {
  if (loaded) return loaded
  const tls = process.getBuiltinModule('node:tls')
  const system = tls.getCACertificates('system')
  if (system.length > 0) tls.setDefaultCACertificates([...system, ...tls.getCACertificates('extra')])
  return (loaded = process.getBuiltinModule('node:https'))
}
