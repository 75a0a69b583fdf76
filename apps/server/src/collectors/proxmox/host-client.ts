import type { Connection } from '@pulse/domain'
import { OTHER_CALLS } from '../../polling/call-budget.ts'
import { trustOf } from '../certificate.ts'
import { openHttps } from '../https.ts'
import { toSourceError, type SourceError } from '../source-error.ts'
import type { Source } from '../watch-source.ts'
import { type ApiRequest, callApi, limitsWithin } from './call.ts'
import type { Product } from './product.ts'
import { openSession } from './session.ts'

/** The calling part, and the options for its answer. */
export type Asking = Pick<ApiRequest, 'limits' | 'each'> & { part: string; signal: AbortSignal }

/** A source that is one host: sends calls, signs in where necessary, and counts the calls. */
export interface HostClient {
  get(path: string, asking: Asking): Promise<unknown>
  /** Milliseconds until the budget allows a call, of any part or of one; 0 = now. */
  waitMs(part?: string): number
  close(): Promise<void>
}

const pauseMs = 5_000

export function openHostClient(
  connection: Connection,
  product: Product,
  { clock, pace, budget: { source: budget }, tally }: Pick<Source, 'clock' | 'pace' | 'budget' | 'tally'>,
): HostClient {
  const label = new URL(connection.host).host
  const host = openHttps(connection.host, label, trustOf(connection), clock)
  const session = openSession(connection.auth, product, clock, () => budget.charge(OTHER_CALLS))

  function attempt(path: string, headers: Record<string, string>, { part, ...asking }: Asking) {
    budget.charge(part)
    const limits = limitsWithin(pace().timeoutMs)
    return tally.call(`${product.kind}/${part}`, clock, () =>
      callApi(host, label, { path, headers, limits, ...asking }),
    )
  }

  return {
    /** Retries once after an expired ticket or a reset connection, because that costs nothing. */
    async get(path, asking) {
      let headers: Record<string, string> = {}
      const isMendable = (error: SourceError) =>
        error.reset || (error.code === 'unauthorized' && session.refused(headers))
      try {
        headers = await session.headers(host, label)
        return await attempt(path, headers, asking)
      } catch (cause) {
        if (asking.signal.aborted || !isMendable(toSourceError(cause))) throw cause
        return attempt(path, await session.headers(host, label), asking)
      }
    },
    waitMs: (part) => (budget.hasRoom(part) ? 0 : pauseMs),
    close: () => host.close(),
  }
}
