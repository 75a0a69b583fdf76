import type { IncomingHttpHeaders } from 'node:http'
import { exponentialBackoffMs } from '@pulse/domain'
import type { Target } from '../settings/targets.ts'

const pauses = { firstMs: 5_000, longestMs: 5 * 60_000 }
const longestAskedMs = 60 * 60_000

/**
 * Exponential backoff of at most 5 min, with jitter: after a server outage its agents must not all return at
 * the same moment. A server may ask for up to an hour.
 */
export function backOffMs(failures: number, askedMs: number | undefined, random: () => number): number {
  const wantedMs = exponentialBackoffMs(pauses, failures) * (0.5 + random() / 2)
  if (askedMs === undefined) return wantedMs
  return Math.max(Math.min(askedMs, longestAskedMs) * (1 + random() / 10), wantedMs)
}

/** Accepts only seconds, because no server of agents sends a date. */
export function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined
}

/** The server currently serves no downloads, and may say when to retry. This is not a failure. */
export class BusyServer extends Error {
  readonly retryAfterMs: number | undefined

  constructor(url: string, retryAfterMs: number | undefined) {
    super(`${url} is busy`)
    this.retryAfterMs = retryAfterMs
  }
}

/** On a large site the server reaches its limits when all agents update within minutes. */
export function throwIfBusy({ url }: Target, status: number | undefined, headers: IncomingHttpHeaders): void {
  if (status === 429 || status === 503) throw new BusyServer(url, retryAfterMs(headers['retry-after']))
}
