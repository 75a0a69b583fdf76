import type { IncomingHttpHeaders } from 'node:http'
import type { Webhook } from '@pulse/contract'
import { clipped, oneLine, webhookServicesByName } from '@pulse/domain'
import type { Outcome } from '../../channel.ts'
import { failed, responseText } from '../outcomes.ts'

export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Longest pause that a server can request. */
const longestPauseMs = 60 * 60_000

/** The outcome of one request. `safe` removes secrets from foreign text. */
export function outcomeOf(
  webhook: Webhook,
  answered: Answered,
  safe: (text: string) => string,
  nowMs: number,
): Outcome {
  const { status, headers, body } = answered
  const { template, refusal } = webhookServicesByName[webhook.service]
  const response = responseText(safe(body))
  const more = { status, response }
  if (status >= 200 && status < 300) {
    const problem = refusal?.(body)
    return problem
      ? failed(`${problem}: ${quoted(response)}`, 'later', more)
      : { delivered: true, bytes: 0, ...more }
  }
  const said = response === '' ? '' : `: ${quoted(response)}`
  const who = webhook.service === 'generic' ? 'The receiver' : template.name
  const reason = `${who} answered ${status}${said}. ${adviceFor(status)}`
  if (status !== 429 && status < 500) return failed(reason, 'never', more)
  const retryAfterMs = pauseOf(headers['retry-after'], nowMs)
  return failed(reason, 'later', { ...more, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

const quoted = (text: string): string => clipped(oneLine(text), 300)

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check the token or key of the webhook.'
  if (status === 404 || status === 410) return 'Check the URL: there is no webhook at this address.'
  if (status === 429) return 'Its rate limit is exceeded; later messages may succeed.'
  if (status >= 500) return 'The receiver has an internal error, which may be temporary.'
  if (status < 400) return 'The URL redirects; enter the final address.'
  return 'The receiver rejected the message; check the URL, the service and the template.'
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function pauseOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}(?:\.\d{1,6})?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(ms) ? Math.min(longestPauseMs, Math.max(0, ms)) : undefined
}
