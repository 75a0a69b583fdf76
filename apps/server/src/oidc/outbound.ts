import type { Clock } from '@pulse/domain'
import type { CustomFetch } from 'openid-client'
import { lookup, type LookupAddress } from 'node:dns'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { addressProblem, endpointProblem, type Reach } from './addresses.ts'

/** for one answer, or for all that belong to one exchange */
export const limitMs = 15_000

const maxAnswerBytes = 1024 * 1024

/** A call to the provider that was not made or brought no usable answer. Its text names no secret. */
export class OutboundError extends Error {
  override name = 'OutboundError'
}

export type Resolve = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * What openid-client makes its calls with: dials checked addresses only, follows no redirect, reads no proxy
 * settings from the environment, and stops at the deadline or at a flood.
 */
export function guardedFetch(reach: Reach, deadline: AbortSignal, resolve: Resolve = lookup): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const problem = endpointProblem(url.href, reach)
    if (problem) throw new OutboundError(`${url.origin} is not called: ${problem}`)
    const given = signal ? AbortSignal.any([signal, deadline]) : deadline
    const { request } = url.protocol === 'https:' ? https : http
    const call = request(url, {
      method,
      headers,
      auth: null,
      agent: false, // a connection of its own, through no proxy of the environment
      lookup: checkedLookup(reach, resolve),
      signal: given,
    })
    try {
      return await toResponse(await answerTo(call, body instanceof URLSearchParams ? body.toString() : ''))
    } catch (error) {
      throw outboundError(url, given.aborted ? given.reason : error)
    } finally {
      call.destroy()
    }
  }
}

function answerTo(call: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.on('response', resolve)
    call.on('error', reject)
    // after what is no answer: a switch of protocols
    call.on('close', () => reject(new OutboundError('the connection was closed')))
    call.end(body)
  })
}

/** Resolves once; what is dialled is what was checked. */
function checkedLookup(reach: Reach, resolve: Resolve): LookupFunction {
  return (host, options, callback) =>
    resolve(host, { all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const permitted = found.filter(({ address }) => addressProblem(address, reach) === undefined)
      const [first] = permitted
      if (!first) {
        const problem = found[0] && addressProblem(found[0].address, reach)
        return callback(new OutboundError(`${host} is not called: ${problem ?? 'it has no address'}`), '', 0)
      }
      if (options.all) callback(null, permitted)
      else callback(null, first.address, first.family)
    })
}

async function toResponse(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new OutboundError('the answer is larger than 1 MB')
    chunks.push(chunk)
  }
  const status = answer.statusCode!
  const hasBody = size > 0 && ![204, 205, 304].includes(status)
  const type = answer.headers['content-type']
  return new Response(hasBody ? Buffer.concat(chunks, size) : null, {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
  })
}

/** Texts of foreign errors are not repeated: they may quote what was sent. */
function outboundError(url: URL, error: unknown): OutboundError {
  if (error instanceof OutboundError) return new OutboundError(`${url.origin}: ${error.message}`)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return new OutboundError(`${url.origin}: no answer (${code || 'given up'})`)
}

/** Runs a job that may take that long in all. */
export async function within<T>(
  clock: Clock,
  limitMs: number,
  job: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  const cancel = clock.after(limitMs, () =>
    abort.abort(new OutboundError(`no answer within ${limitMs / 1000} s`)),
  )
  try {
    return await job(abort.signal)
  } finally {
    cancel()
  }
}
