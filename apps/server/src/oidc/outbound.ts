import type { Clock } from '@pulse/domain'
import type { CustomFetch } from 'openid-client'
import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
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
    const { buildConnector, Client } = await import('undici')
    const client = new Client(url.origin, {
      connect: buildConnector({ lookup: checkedLookup(reach, resolve), allowH2: false, timeout: 0 }),
      headersTimeout: 0, // both are kept by the deadline
      bodyTimeout: 0,
    })
    try {
      const answer = await client.request({
        method: method as Dispatcher.HttpMethod,
        path: url.pathname + url.search,
        headers,
        body: body instanceof URLSearchParams ? body.toString() : null,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      })
      return await toResponse(answer)
    } catch (error) {
      throw outboundError(url, error)
    } finally {
      await client.destroy()
    }
  }
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

async function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new OutboundError('the answer is larger than 1 MB')
    chunks.push(chunk)
  }
  const hasBody = size > 0 && ![204, 205, 304].includes(statusCode)
  const type = headers['content-type']
  return new Response(hasBody ? Buffer.concat(chunks, size) : null, {
    status: statusCode,
    headers: typeof type === 'string' ? { 'content-type': type } : {},
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
