import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Reach } from './addresses.ts'
import { checkedLookup, type Resolve } from './lookup.ts'
import { OutboundError } from './outbound-error.ts'

const maxAnswerBytes = 1024 * 1024

export interface Outgoing {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  /** accepts any certificate */
  anyCertificate?: boolean
  /** receives the body of a successful answer instead; then the body may have any size */
  take?: (body: AsyncIterable<Buffer>) => Promise<void>
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * Sends one request and receives its answer. Uses only checked addresses and no proxy from the environment.
 * Ends at the signal, or when the answer is too large. Redirects are returned as answers.
 */
export async function exchange(
  { url, method, headers, body, anyCertificate = false, take }: Outgoing,
  reach: Reach,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Answer> {
  const { request } = url.protocol === 'https:' ? https : http
  let call: ClientRequest | undefined
  try {
    call = request(url, {
      method,
      headers,
      auth: null,
      agent: false, // a separate connection that ignores proxies in the environment
      lookup: checkedLookup(reach, resolve),
      signal,
      ...(anyCertificate && { rejectUnauthorized: false }),
    })
    const answer = await answerTo(call, body)
    if (!take || answer.statusCode !== 200) return await read(answer)
    await take(answer)
    return { status: 200, headers: answer.headers, body: Buffer.alloc(0) }
  } catch (error) {
    throw outboundError(url, signal.aborted ? signal.reason : error)
  } finally {
    call?.destroy()
  }
}

function answerTo(call: ClientRequest, body: string | Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.on('response', resolve)
    call.on('error', reject)
    // reached without an answer, for example after a protocol switch
    call.on('close', () => reject(new OutboundError('the connection was closed')))
    call.end(body)
  })
}

async function read(answer: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new OutboundError('the answer is larger than 1 MB')
    chunks.push(chunk)
  }
  return { status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks, size) }
}

/** Texts of foreign errors are not passed on, because they may quote the request. */
function outboundError(url: URL, error: unknown): OutboundError {
  if (error instanceof OutboundError) return new OutboundError(`${url.origin}: ${error.message}`, error.fault)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return new OutboundError(`${url.origin}: no answer (${code || 'given up'})`)
}
