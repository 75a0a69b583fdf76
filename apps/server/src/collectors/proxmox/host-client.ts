import type { ConnectionCalls } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { Budget } from '../../polling/budget.ts'
import { trustOf } from '../certificate.ts'
import { openHttps } from '../https.ts'
import { usualPace, type CollectorEdges } from '../source.ts'
import { toSourceError, type SourceError } from '../source-error.ts'
import { type ApiRequest, callApi, limitsWithin } from './call.ts'
import type { Product } from './product.ts'
import { openSession } from './session.ts'
import { Tally } from './tally.ts'

/** Who asks, and how the answer is to be taken. */
export type Asking = Pick<ApiRequest, 'limits' | 'each'> & { part: string; signal: AbortSignal }

/** What each part may ask in a minute, by its name. */
export type CallShares = ReadonlyMap<string, number>

/** A source that is one machine: asks it, signs in where needed, and counts what that costs. */
export interface HostClient {
  get(path: string, asking: Asking): Promise<unknown>
  share(shares: CallShares): void
  /** Milliseconds until a call is affordable, for any or for one part; 0 = now. */
  waitMs(part?: string): number
  calls(): ConnectionCalls
  tally: Tally
  close(): Promise<void>
}

const CALLS = 'calls'
/** Of no part: signing in. */
const WAYS = 'other ways'
const waysPerMinute = 1
/** A new session polls everything once more in the same minute. */
const slack = 2
const pauseMs = 5_000

export function openHostClient(
  connection: Connection,
  product: Product,
  { clock, pace = () => usualPace }: Pick<CollectorEdges, 'clock' | 'pace'>,
): HostClient {
  const label = new URL(connection.host).host
  const host = openHttps(connection.host, label, trustOf(connection), clock)
  const budget = new Budget(clock)
  let shares: CallShares = new Map()
  let limit = 0
  const tally = new Tally()
  const take = (part: string) => {
    budget.limit(part, Infinity)
    budget.take(part)
    budget.take(CALLS)
  }
  const session = openSession(connection.auth, product, clock, () => take(WAYS))

  async function attempt(path: string, headers: Record<string, string>, { part, ...asking }: Asking) {
    take(part)
    const startedAt = clock.monotonic()
    const done = (isAnswered: boolean) =>
      tally.called(`${product.kind}/${part}`, clock.monotonic() - startedAt, isAnswered)
    try {
      const data = await callApi(host, label, {
        path,
        headers,
        limits: limitsWithin(pace().timeoutMs),
        ...asking,
      })
      done(true)
      return data
    } catch (cause) {
      done(false)
      throw cause
    }
  }

  return {
    tally,
    /** Once more where that costs nothing: after a ticket that ended early, and after a connection that had idled. */
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
    share(given) {
      shares = given
      limit = Math.ceil([...shares.values()].reduce((sum, share) => sum + share, waysPerMinute) * slack)
      budget.limit(CALLS, limit)
    },
    waitMs(part) {
      const own = part === undefined ? Infinity : Math.ceil((shares.get(part) ?? 0) * slack)
      const isFree = budget.count(CALLS) < limit && (part === undefined || budget.count(part) < own)
      return isFree ? 0 : pauseMs
    },
    calls: () => ({
      name: connection.name,
      listCallsPerMinute: budget.count(CALLS),
      probeCallsPerMinute: 0,
      slowCallsPerMinute: 0,
      deferredCalls: budget.deferred(CALLS),
      nodes: {},
      budget: { listCallsPerMinute: limit, probeCallsPerMinute: 0 },
      parts: [...shares, [WAYS, waysPerMinute] as const].map(([part, budgetPerMinute]) => ({
        part,
        callsPerMinute: budget.count(part),
        budgetPerMinute,
      })),
    }),
    close: () => host.close(),
  }
}
