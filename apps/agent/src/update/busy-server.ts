import type { IncomingHttpHeaders } from 'node:http'
import { retryAfterMs } from '../deliver/back-off.ts'
import type { Target } from '../settings/targets.ts'

/** A server that hands out no more agents just now. Nothing is wrong: it says when to come back. */
export class BusyServer extends Error {
  readonly retryAfterMs: number | undefined

  constructor(url: string, retryAfterMs: number | undefined) {
    super(`${url} is busy`)
    this.retryAfterMs = retryAfterMs
  }
}

/** Agents of a large site meet the limits of their server when all of them ask in the same minutes. */
export function requireTime({ url }: Target, status: number | undefined, headers: IncomingHttpHeaders): void {
  if (status === 429 || status === 503) throw new BusyServer(url, retryAfterMs(headers['retry-after']))
}
