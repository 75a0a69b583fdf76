import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '@pulse/domain'
import { yieldToEventLoop } from '../timing/yield.ts'
import { createAnswerSizes } from './answer-sizes.ts'
import { createResponseSizeLimiter, type Holding } from './response-size-limiter.ts'
import { bareHost, calls, type ShownCertificate, type Trust } from './certificate.ts'
import { connectionError } from './connection-error.ts'
import { createResponseBody, isFragmented } from './response-body.ts'
import { connectionFailure, PinnedAgent } from './pinned-agent.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { SourceError, toSourceError } from './source-error.ts'

export interface HttpsRequest {
  method?: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** limit for waiting for a free connection and for connecting */
  waitMs?: number
  /** limits after that: until the first byte of the answer, and until its last byte */
  headersMs: number
  totalMs: number
  maxBytes: number
  /** Gets the body of an answer 200 in chunks. The body is not stored. An exception ends the call. */
  sink?: (piece: Buffer) => void
  signal?: AbortSignal
}

export interface HttpsAnswer {
  status: number
  /** the reason phrase of the status line, where PVE puts its error texts */
  reason: string
  contentType: string
  /** the `Server` header */
  serverName: string
  body: Buffer
}

/** One address of a watched host. All its failures are SourceErrors. */
export interface HttpsHost {
  readonly url: string
  /** SHA-256 of the latest certificate */
  readonly fingerprint: string | undefined
  /** the host name in that certificate */
  readonly certifiedName: string | undefined
  /** the number of calls that can be sent before one has to wait */
  readonly room: number
  send(request: HttpsRequest): Promise<HttpsAnswer>
  close(): Promise<void>
}

/** Limit of concurrent calls to one host. Further calls wait. */
const mostConnections = 6
const usualWaitMs = 10_000
/** The size limit of an answer without a reservation, unless the last one to the same question was larger. */
const usualBytes = 512 * 1024
const mostLarge = 2
/** Bytes read from a socket before yielding to the event loop. */
const mostPerTurn = 128 * 1024

/** One for the process, because all sources share its memory. */
export const responseSizeLimiter = createResponseSizeLimiter(mostLarge)

export function openHttps(url: string, label: string, trust: Trust, clock: Clock): HttpsHost {
  let certificate: ShownCertificate | undefined
  let inFlight = 0
  /** sizes of complete answers that were larger than usual */
  const sizes = createAnswerSizes()
  const address = new URL(url)
  const agent = new PinnedAgent(address, trust, clock, (shown) => (certificate = shown))
  const limit = createConcurrencyLimit(mostConnections)

  return {
    url,
    get fingerprint() {
      return certificate?.fingerprint
    },
    get certifiedName() {
      return certificate?.name
    },
    get room() {
      return mostConnections - inFlight
    },
    send(request) {
      inFlight++
      const expected = Math.max(usualBytes, 1.25 * sizes.of(request.path))
      const remember = (answer: HttpsAnswer) => {
        if (answer.body.length > usualBytes) sizes.remember(request.path, answer.body.length)
        return answer
      }
      const way = { address, agent, limit, label, clock }
      return calls
        .tracePromise(() => send(way, request, expected).then(inOwnTurn), { host: address.hostname })
        .then(remember)
        .finally(() => inFlight--)
    },
    close: () => agent.close(),
  }
}

/** Yields to the event loop, so that concurrent answers are processed one after the other. */
async function inOwnTurn(answer: HttpsAnswer): Promise<HttpsAnswer> {
  await yieldToEventLoop()
  return answer
}

interface Way {
  address: URL
  agent: PinnedAgent
  limit: ConcurrencyLimit
  label: string
  clock: Clock
}

function send(
  { address, agent, limit, label, clock }: Way,
  request: HttpsRequest,
  expectedBytes: number,
): Promise<HttpsAnswer> {
  const { path, signal, maxBytes, sink } = request
  const { promise, resolve, reject } = Promise.withResolvers<HttpsAnswer>()
  const body = createResponseBody()
  /** ends the wait, the connection attempt and the call */
  const abort = new AbortController()
  let isOver = false
  /** reads from the socket, including those for the head */
  let reads = 0
  let passedOn = 0
  let stopCounting = () => {}
  let holding: Holding | undefined
  let cancelHeaders = () => {}
  let cancelTotal = () => {}
  const cancelWait = clock.after(request.waitMs ?? usualWaitMs, tooLong)

  function finish() {
    isOver = true
    stopCounting()
    holding?.release()
    cancelWait()
    cancelHeaders()
    cancelTotal()
    signal?.removeEventListener('abort', givenUp)
  }
  function fail(error: SourceError) {
    if (isOver) return
    finish()
    body.clear() // of an oversized answer, megabytes
    reject(error)
    abort.abort()
  }
  const broken = (error: unknown) => fail(connectionError(label, error))
  const closed = () => broken(connectionFailure('ECONNRESET'))
  function tooLong() {
    if (agent.isConnected)
      fail(new SourceError('crowded', `${label}: earlier calls kept ${path} waiting too long`))
    else fail(new SourceError('unreachable', `${label}: did not accept a connection in time`))
  }
  const tooSlow = (ms: number) =>
    fail(new SourceError('timeout', `${label}: no answer to ${path} within ${Math.round(ms / 1000)} s`))
  const tooLarge = () =>
    fail(new SourceError('too_large', `${label}: the answer to ${path} is larger than ${maxBytes >> 20} MB`))
  const tooScattered = () =>
    fail(
      new SourceError(
        'bad_answer',
        `${label}: the answer to ${path} arrives in too many small chunks: ${reads} for ${body.size + passedOn} bytes`,
      ),
    )
  const countRead = () => {
    if (isFragmented(++reads, body.size + passedOn)) tooScattered()
  }
  function givenUp() {
    fail(new SourceError('timeout', `${label}: no answer to ${path} in time`))
  }

  function connected(socket: TLSSocket) {
    if (isOver) return
    cancelWait()
    cancelHeaders = clock.after(request.headersMs, () => tooSlow(request.headersMs))
    cancelTotal = clock.after(request.totalMs, () => tooSlow(request.totalMs))
    socket.on('data', countRead)
    stopCounting = () => socket.off('data', countRead)
  }

  function receive(answer: IncomingMessage) {
    answer.once('close', closed)
    answer.once('error', broken)
    cancelHeaders()
    holding = responseSizeLimiter.open(expectedBytes, {
      pause: () => answer.pause(),
      resume: () => answer.resume(),
    })
    if (Number(answer.headers['content-length']) > maxBytes) return tooLarge()
    let sinceTurn = 0
    const passOn = (chunk: Buffer) => {
      passedOn += chunk.length
      if (passedOn > maxBytes) return tooLarge()
      sinceTurn += chunk.length
      if (sinceTurn > mostPerTurn) {
        sinceTurn = 0
        answer.pause()
        setImmediate(() => answer.resume())
      }
      try {
        sink!(chunk)
      } catch (error) {
        fail(toSourceError(error))
      }
    }
    answer.on('data', (chunk: Buffer) => {
      if (isOver) return
      if (sink && answer.statusCode === 200) {
        passOn(chunk)
        return countRead()
      }
      body.add(chunk)
      if (body.size > maxBytes) return tooLarge()
      countRead()
      holding?.grow(chunk.length)
    })
    answer.once('end', () => {
      if (isOver) return
      finish()
      resolve({
        status: answer.statusCode ?? 0,
        // Node decodes the status line as Latin-1, but PVE writes UTF-8.
        reason: Buffer.from(answer.statusMessage ?? '', 'latin1').toString(),
        contentType: answer.headers['content-type'] ?? '',
        serverName: String(answer.headers.server ?? ''),
        body: body.join(),
      })
    })
  }

  function start() {
    if (isOver) return
    try {
      const call = https.request({
        agent,
        host: bareHost(address),
        port: address.port || 443,
        method: request.method ?? 'GET',
        path,
        headers: request.headers,
        signal: abort.signal,
      })
      call.once('socket', (socket) => connected(socket as TLSSocket))
      call.on('error', broken)
      // A connection that closes without an answer does not always cause an error of the call.
      call.once('close', closed)
      call.on('information', countRead)
      call.once('response', (answer) => {
        // The answer may be complete but not read yet.
        call.off('close', closed)
        receive(answer)
      })
      call.end(request.body)
    } catch (error) {
      broken(error)
    }
  }

  if (signal?.aborted) givenUp()
  else signal?.addEventListener('abort', givenUp)
  limit
    .run(abort.signal, async () => {
      start()
      await promise
    })
    .catch(() => {}) // the caller gets the error
  return promise
}
