import type { Answer } from './exchange.ts'
import { OutboundError } from './outbound-error.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Where an answer sends on to; undefined when it does not. What is sent carries secrets, so it stays with the server it
 * was meant for: the same host and port, or the same host encrypted. `anywhere`: there are none, and what comes is
 * checked by the caller; then only encryption is not given up.
 */
export function redirectTarget(
  from: URL,
  answer: Answer,
  judged: (url: string) => URL,
  anywhere = false,
): URL | undefined {
  const { location } = answer.headers
  if (!redirects.has(answer.status) || location === undefined) return undefined
  const target = URL.parse(location, from)
  if (!target) throw new OutboundError(`${from.origin}: redirects to an invalid URL`, 'refused')
  const next = judged(target.href)
  const isSame = next.origin === from.origin
  const isEncrypted =
    next.hostname === from.hostname && from.protocol === 'http:' && next.protocol === 'https:'
  if (isSame || isEncrypted) return next
  if (anywhere && (from.protocol === 'http:' || next.protocol === 'https:')) return next
  throw new OutboundError(
    `${from.origin}: redirects to ${next.origin}, where nothing is sent; if that is the right address, enter it`,
    'refused',
  )
}

/** What was sent has been taken; the answer lies elsewhere. */
export function withoutBody<C extends { method: string; headers: Readonly<Record<string, string>> }>(
  call: C,
) {
  const headers = Object.entries(call.headers).filter(([name]) => !/^content-/i.test(name))
  return { ...call, method: 'GET', headers: Object.fromEntries(headers), body: '' }
}
