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
  /** accept any certificate */
  anyCertificate?: boolean
  /** takes the body of a good answer instead, which may be of any size then */
  take?: (body: AsyncIterable<Buffer>) => Promise<void>
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * One request and its answer: to checked addresses only, through no proxy of the environment, until the signal or a
 * flood ends it. Redirects are answers.
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
      agent: false, // a connection of its own, through no proxy of the environment
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
    // after what is no answer: a switch of protocols
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

/** Texts of foreign errors are not repeated: they may quote what was sent. */
function outboundError(url: URL, error: unknown): OutboundError {
  if (error instanceof OutboundError) return new OutboundError(`${url.origin}: ${error.message}`, error.fault)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return new OutboundError(`${url.origin}: no answer (${code || 'given up'})`)
}
