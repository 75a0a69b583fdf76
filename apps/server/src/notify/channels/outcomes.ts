import { clipped } from '@pulse/domain'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Outcome } from '../channel.ts'

const maxResponse = 2000

type Failed = Extract<Outcome, { delivered: false }>

export const failed = (reason: string, retry: Failed['retry'], more: Partial<Failed> = {}): Failed => ({
  delivered: false,
  bytes: 0,
  reason,
  retry,
  ...more,
})

/** Our own rate limit is reached; nothing was sent. */
export const rateLimited = (what: string, waitMs: number): Failed =>
  failed(`${what} The next one can go out in ${Math.ceil(waitMs / 1000)} s.`, 'later', {
    retryAfterMs: waitMs,
  })

/** The outbound guard refused the call, or no answer came. */
export const unreachable = (error: OutboundError, advice: string): Failed =>
  failed(`${error.message}. ${advice}`, error.fault === 'refused' ? 'never' : 'later')

/** The beginning of an answer, for the delivery log. */
export const responseText = (text: string): string =>
  clipped(text.replace(/[^\P{Cc}\n\t]/gu, ' ').trim(), maxResponse)
