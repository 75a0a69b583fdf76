import type { ConnectionCalls } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { Budget } from '../../polling/budget.ts'
import { trustOf } from '../certificate.ts'
import { openHttps } from '../https.ts'
import { usualPace, type CollectorEdges } from '../source.ts'
import { toSourceError, type SourceError } from '../source-error.ts'
import { callApi, limitsWithin } from './call.ts'
import type { Product } from './product.ts'
import { openSession } from './session.ts'
import { Tally } from './tally.ts'

/** A source that is one machine: asks it, signs in where needed, and counts what that costs. */
export interface HostClient {
  get(path: string, signal: AbortSignal): Promise<unknown>
  /** Milliseconds until a cycle is affordable; 0 = now. */
  waitMs(): number
  calls(): ConnectionCalls
  tally: Tally
  close(): Promise<void>
}

const CALLS = 'calls'
const callsPerMinute = 30
const pauseMs = 5_000

export function openHostClient(
  connection: Connection,
  product: Product,
  { clock, pace = () => usualPace }: Pick<CollectorEdges, 'clock' | 'pace'>,
): HostClient {
  const label = new URL(connection.host).host
  const host = openHttps(connection.host, label, trustOf(connection), clock)
  const budget = new Budget(clock)
  budget.limit(CALLS, callsPerMinute)
  const tally = new Tally()
  const session = openSession(connection.auth, product, clock, () => void budget.take(CALLS))

  async function attempt(path: string, headers: Record<string, string>, signal: AbortSignal) {
    budget.take(CALLS)
    const startedAt = clock.monotonic()
    const done = (isAnswered: boolean) =>
      tally.called(`${product.kind}${path}`, clock.monotonic() - startedAt, isAnswered)
    try {
      const data = await callApi(host, label, {
        path,
        headers,
        signal,
        limits: limitsWithin(pace().timeoutMs),
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
    async get(path, signal) {
      let headers: Record<string, string> = {}
      const isMendable = (error: SourceError) =>
        error.reset || (error.code === 'unauthorized' && session.refused(headers))
      try {
        headers = await session.headers(host, label)
        return await attempt(path, headers, signal)
      } catch (cause) {
        if (signal.aborted || !isMendable(toSourceError(cause))) throw cause
        return attempt(path, await session.headers(host, label), signal)
      }
    },
    waitMs: () => (budget.count(CALLS) < callsPerMinute ? 0 : pauseMs),
    calls: () => ({
      name: connection.name,
      listCallsPerMinute: budget.count(CALLS),
      probeCallsPerMinute: 0,
      deferredCalls: budget.deferred(CALLS),
      nodes: {},
      budget: { listCallsPerMinute: callsPerMinute, probeCallsPerMinute: 0 },
      parts: [],
    }),
    close: () => host.close(),
  }
}
