import type { Clock } from '@pulse/domain'
import { SourceError, toSourceError } from '../source-error.ts'

export interface Failover<E, T> {
  clock: Clock
  /** endpoints in the order of attempts */
  candidates: readonly E[]
  attempt: (endpoint: E, signal: AbortSignal) => Promise<T>
  /** Whether the budget allows another call. The first call is paid, and one that never arrived is free. */
  mayAsk: () => boolean
  /** the wait for an answer before the next endpoint is tried in parallel; absent: until it fails */
  hedgeMs?: number
  /** Whether another endpoint would return the same error. */
  isFinal?: (error: SourceError) => boolean
  signal: AbortSignal
  random?: () => number
}

const coolDownMs = 150
const finalCodes: readonly SourceError['code'][] = [
  'unauthorized',
  'forbidden',
  'not_found',
  'unsupported',
  'node_offline',
]

/**
 * Tries one endpoint after the other until one answers. It does not wait long for a slow one: the next is
 * tried in parallel, so that a hanging member delays no call. The limit is two attempts more than endpoints.
 */
export function firstAnswer<E, T>(plan: Failover<E, T>): Promise<{ endpoint: E; value: T }> {
  const { clock, attempt, mayAsk, signal, random = Math.random } = plan
  const isFinal = plan.isFinal ?? ((error) => finalCodes.includes(error.code))
  const queue = [...plan.candidates]
  const mostAttempts = plan.candidates.length + 2
  const aborts = new Set<AbortController>()
  let attempts = 0
  let credit = 0
  let firstError: SourceError | undefined
  let mendedReset = false
  let cancelTimer = () => {}

  return new Promise((resolve, reject) => {
    const finish = () => {
      cancelTimer()
      signal.removeEventListener('abort', givenUp)
      for (const abort of aborts) abort.abort()
      aborts.clear()
      attempts = mostAttempts
    }
    const fail = (error: SourceError) => {
      finish()
      reject(error)
    }
    const givenUp = () => fail(new SourceError('timeout', firstError?.message ?? 'no answer in time'))

    const launch = (paid: boolean): boolean => {
      const endpoint = queue[0]
      if (endpoint === undefined || attempts >= mostAttempts) return false
      if (!paid && credit === 0 && !mayAsk()) return false
      if (!paid && credit > 0) credit--
      queue.shift()
      attempts++
      const abort = new AbortController()
      aborts.add(abort)
      if (plan.hedgeMs !== undefined) later(plan.hedgeMs)
      void settle(endpoint, abort)
      return true
    }

    const settle = async (endpoint: E, abort: AbortController) => {
      try {
        const value = await attempt(endpoint, abort.signal)
        if (!aborts.delete(abort)) return
        finish()
        resolve({ endpoint, value })
      } catch (cause) {
        if (aborts.delete(abort)) failed(endpoint, toSourceError(cause))
      }
    }

    const failed = (endpoint: E, error: SourceError) => {
      firstError ??= error
      if (error.isPathFault && !error.reset) {
        attempts--
        credit++
      }
      if (error.reset && !mendedReset) {
        mendedReset = true
        queue.unshift(endpoint)
      } else if (isFinal(error)) return fail(error)
      if (error.code === 'rate_limited') {
        queue.push(endpoint)
        return later(coolDownMs * attempts + 200 * random())
      }
      if (!launch(false) && aborts.size === 0) fail(firstError)
    }

    const later = (ms: number) => {
      cancelTimer()
      cancelTimer = clock.after(ms, () => {
        if (!launch(false) && aborts.size === 0)
          fail(firstError ?? new SourceError('timeout', 'no answer in time'))
      })
    }

    if (signal.aborted) return givenUp()
    signal.addEventListener('abort', givenUp)
    if (!launch(true)) fail(new SourceError('unreachable', 'no address to ask'))
  })
}
