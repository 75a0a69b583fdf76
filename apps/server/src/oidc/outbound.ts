import type { CustomFetch } from 'openid-client'
import { endpointProblem, type Reach } from '../outbound/addresses.ts'
import { exchange } from '../outbound/exchange.ts'
import type { Resolve } from '../outbound/lookup.ts'
import { machineLookup } from '../outbound/lookups.ts'
import { OutboundError } from '../outbound/outbound-error.ts'

/** for one answer, or for all answers of one exchange */
export const limitMs = 15_000

/** The fetch function for openid-client: a guarded exchange that follows no redirect. */
export function guardedFetch(
  reach: Reach,
  deadline: AbortSignal,
  resolve: Resolve = machineLookup,
): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const problem = endpointProblem(url.href, reach)
    if (problem) throw new OutboundError(`${url.origin} is not called: ${problem}`, 'refused')
    const form = body instanceof URLSearchParams ? body.toString() : ''
    const given = signal ? AbortSignal.any([signal, deadline]) : deadline
    const answer = await exchange({ url, method, headers, body: form }, reach, resolve, given)
    const hasBody = answer.body.length > 0 && ![204, 205, 304].includes(answer.status)
    const type = answer.headers['content-type']
    return new Response(hasBody ? Uint8Array.from(answer.body) : null, {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
}
