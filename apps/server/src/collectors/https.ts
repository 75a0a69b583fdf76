import type { Clock } from '@pulse/domain'
import { Pool } from 'undici'
import { createBallast, type Holding } from './ballast.ts'
import { type ShownCertificate, tlsConnector, type Trust } from './certificate.ts'
import { connectionError } from './connection-error.ts'
import { SourceError } from './source-error.ts'

export interface HttpsRequest {
  method?: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** until a connection takes it up: connecting, and waiting while all connections are in use */
  waitMs?: number
  /** from then on, until the first byte of the answer and until its last */
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
  /** as the answerer calls itself */
  serverName: string
  body: Buffer
}

/** One address of a watched host. All its failures are SourceErrors. */
export interface HttpsHost {
  readonly url: string
  /** SHA-256 of the certificate it showed last */
  readonly fingerprint: string | undefined
  /** as that certificate calls the host */
  readonly certifiedName: string | undefined
  /** how many calls may be sent before one has to wait for another */
  readonly room: number
  send(request: HttpsRequest): Promise<HttpsAnswer>
  close(): Promise<void>
}

/** Calls in flight to one host beyond this wait for each other. */
const connections = 6
const usualWaitMs = 10_000
/** What an answer may hold without asking, unless the last one from there was larger. */
const usualBytes = 512 * 1024
const mostLarge = 2

/** One for the process: memory is what all sources share. */
export const ballast = createBallast(mostLarge)

export function openHttps(url: string, label: string, trust: Trust, clock: Clock): HttpsHost {
  let certificate: ShownCertificate | undefined
  let inFlight = 0
  /** of whole answers that were larger than usual, by path: lists of large clusters */
  const sizes = new Map<string, number>()
  const connector = tlsConnector(trust, (shown) => (certificate = shown))
  const pool = new Pool(url, {
    connections,
    connect: connector,
    allowH2: false, // or the first connection would be waited for by all others
    keepAliveTimeout: 4_000, // PVE closes after 5 s of silence
    headersTimeout: 0, // both are kept below, by the clock
    bodyTimeout: 0,
  })

  return {
    url,
    get fingerprint() {
      return certificate?.fingerprint
    },
    get certifiedName() {
      return certificate?.name
    },
    get room() {
      return connections - inFlight
    },
    send(request) {
      inFlight++
      const expected = Math.max(usualBytes, 1.25 * (sizes.get(request.path) ?? 0))
      const remember = (answer: HttpsAnswer) => {
        if (answer.body.length > usualBytes) sizes.set(request.path, answer.body.length)
        return answer
      }
      return send(pool, label, clock, request, expected)
        .then(remember)
        .finally(() => inFlight--)
    },
    close: () => pool.destroy(),
  }
}

function send(
  pool: Pool,
  label: string,
  clock: Clock,
  request: HttpsRequest,
  expectedBytes: number,
): Promise<HttpsAnswer> {
  const { method = 'GET', path, headers, body = null, signal, maxBytes } = request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    let reason = ''
    let contentType = ''
    let serverName = ''
    let abort: ((error: SourceError) => void) | undefined
    let over = false
    let holding: Holding | undefined

    const finish = () => {
      over = true
      holding?.release()
      cancelWait()
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
    const tooLong = () => {
      const isBusy = pool.stats.connected > 0
      if (isBusy) fail(new SourceError('crowded', `${label}: earlier calls kept ${path} waiting too long`))
      else fail(new SourceError('unreachable', `${label}: did not accept a connection in time`))
    }
    const tooSlow = (ms: number) =>
      fail(new SourceError('timeout', `${label}: no answer to ${path} within ${Math.round(ms / 1000)} s`))
    const tooLarge = () =>
      fail(
        new SourceError('too_large', `${label}: the answer to ${path} is larger than ${maxBytes >> 20} MB`),
      )
    const givenUp = () => fail(new SourceError('timeout', `${label}: no answer to ${path} in time`))

    let cancelHeaders = () => {}
    let cancelTotal = () => {}
    const cancelWait = clock.after(request.waitMs ?? usualWaitMs, tooLong)
    if (signal?.aborted) return givenUp()
    signal?.addEventListener('abort', givenUp)

    pool.dispatch(
      { method, path, headers, body },
      {
        onRequestStart(controller) {
          abort = (error) => controller.abort(error)
          if (over) return controller.abort(new SourceError('timeout', `${label}: given up`))
          cancelWait()
          cancelHeaders = clock.after(request.headersMs, () => tooSlow(request.headersMs))
          cancelTotal = clock.after(request.totalMs, () => tooSlow(request.totalMs))
        },
        onResponseStart(controller, code, answerHeaders, statusMessage) {
          cancelHeaders()
          status = code
          reason = statusMessage ?? ''
          contentType = String(answerHeaders['content-type'] ?? '')
          serverName = String(answerHeaders['server'] ?? '')
          holding = ballast.open(expectedBytes, {
            pause: () => controller.pause(),
            resume: () => controller.resume(),
          })
          if (Number(answerHeaders['content-length']) > maxBytes) tooLarge()
        },
        onResponseData(_controller, chunk) {
          if (over) return
          size += chunk.length
          if (size > maxBytes) return tooLarge()
          chunks.push(chunk)
          holding?.grow(chunk.length)
        },
        onResponseEnd() {
          if (over) return
          finish()
          resolve({ status, reason, contentType, serverName, body: Buffer.concat(chunks, size) })
        },
        onResponseError(_controller, error) {
          fail(connectionError(label, error))
        },
      },
    )
  })
}
