import type { Clock } from '@pulse/domain'
import { Pool } from 'undici'
import { bareHost, tlsConnector, type Trust } from './certificate.ts'
import { connectionError } from './connection-error.ts'
import { SourceError } from './source-error.ts'

export interface HttpsRequest {
  method?: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** until the first byte of the answer, and until its last */
  headersMs: number
  totalMs: number
  maxBytes: number
  signal?: AbortSignal
}

export interface HttpsAnswer {
  status: number
  /** what follows the status code on the first line: PVE puts its error texts there */
  reason: string
  contentType: string
  body: Buffer
}

/** One address of a watched host. All its failures are SourceErrors. */
export interface HttpsHost {
  readonly url: string
  /** SHA-256 of the certificate it showed last */
  readonly fingerprint: string | undefined
  send(request: HttpsRequest): Promise<HttpsAnswer>
  /** Connects and checks the certificate, without a request. */
  knock(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

/** Calls in flight to one host beyond this wait for each other. */
const connections = 6

export function openHttps(url: string, label: string, trust: Trust, clock: Clock): HttpsHost {
  let fingerprint: string | undefined
  const connector = tlsConnector(trust, (shown) => (fingerprint = shown))
  const pool = new Pool(url, {
    connections,
    connect: connector,
    keepAliveTimeout: 4_000, // PVE closes after 5 s of silence
    headersTimeout: 0, // both are kept below, by the clock
    bodyTimeout: 0,
  })

  return {
    url,
    get fingerprint() {
      return fingerprint
    },
    send: (request) => send(pool, label, clock, request),
    knock: (timeoutMs) =>
      new Promise((resolve, reject) => {
        const target = new URL(url)
        const { protocol, host, port } = target
        const late = new SourceError('unreachable', `${label}: did not accept a connection in time`)
        const cancel = clock.after(timeoutMs, () => reject(late))
        connector({ protocol, host, hostname: bareHost(target), port }, (error, socket) => {
          cancel()
          socket?.destroy()
          if (error) reject(connectionError(label, error))
          else resolve()
        })
      }),
    close: () => pool.destroy(),
  }
}

function send(pool: Pool, label: string, clock: Clock, request: HttpsRequest): Promise<HttpsAnswer> {
  const { method = 'GET', path, headers, body = null, signal, maxBytes } = request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    let reason = ''
    let contentType = ''
    let abort: ((error: SourceError) => void) | undefined
    let over = false

    const finish = () => {
      over = true
      cancelHeaders()
      cancelTotal()
      signal?.removeEventListener('abort', givenUp)
    }
    const fail = (error: SourceError) => {
      if (over) return
      finish()
      chunks.length = 0 // of a flood, megabytes
      abort?.(error)
      reject(error)
    }
    const tooSlow = (ms: number) => {
      // Still without any connection: the host cannot be reached. Otherwise it is there and does not answer.
      const silent = abort === undefined && pool.stats.connected === 0
      if (silent) fail(new SourceError('unreachable', `${label}: did not accept a connection in time`))
      else
        fail(new SourceError('timeout', `${label}: no answer to ${path} within ${Math.round(ms / 1000)} s`))
    }
    const tooLarge = () =>
      fail(
        new SourceError('too_large', `${label}: the answer to ${path} is larger than ${maxBytes >> 20} MB`),
      )
    const givenUp = () => fail(new SourceError('timeout', `${label}: no answer to ${path} in time`))

    const cancelHeaders = clock.after(request.headersMs, () => tooSlow(request.headersMs))
    const cancelTotal = clock.after(request.totalMs, () => tooSlow(request.totalMs))
    if (signal?.aborted) return givenUp()
    signal?.addEventListener('abort', givenUp)

    pool.dispatch(
      { method, path, headers, body },
      {
        onRequestStart(controller) {
          abort = (error) => controller.abort(error)
          if (over) controller.abort(new SourceError('timeout', `${label}: given up`))
        },
        onResponseStart(_controller, code, answerHeaders, statusMessage) {
          cancelHeaders()
          status = code
          reason = statusMessage ?? ''
          contentType = String(answerHeaders['content-type'] ?? '')
          if (Number(answerHeaders['content-length']) > maxBytes) tooLarge()
        },
        onResponseData(_controller, chunk) {
          size += chunk.length
          if (size > maxBytes) tooLarge()
          else chunks.push(chunk)
        },
        onResponseEnd() {
          if (over) return
          finish()
          resolve({ status, reason, contentType, body: Buffer.concat(chunks, size) })
        },
        onResponseError(_controller, error) {
          fail(connectionError(label, error))
        },
      },
    )
  })
}
