import type { Clock } from '@pulse/domain'
import type { Budget } from '../../polling/budget.ts'
import { toSourceError, type SourceError } from '../source-error.ts'
import { callPve, usualLimits, type Limits } from './client.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'
import { firstAnswer } from './failover.ts'
import type { Session } from './session.ts'

export interface Answer {
  data: unknown
  /** when it arrived, epoch ms */
  at: number
  endpoint: Endpoint
}

export interface AskOptions {
  signal: AbortSignal
  limits?: Limits
}

export const CLUSTER_BUDGET = 'cluster'
export const nodeBudget = (node: string): string => `node/${node}`
export const probeBudget = (node: string): string => `probes/${node}`

const shortestHedgeMs = 1_000
const firstHedgeMs = 2_000

/**
 * Decides which address a call goes to. The first call of each question is paid for by the loop that asks;
 * every further attempt takes its own share of the budget, and is not made without.
 */
export class Gateway {
  readonly #clock: Clock
  readonly #budget: Budget
  readonly #endpoints: Endpoints
  readonly #session: Session
  /** how long an answer usually takes, by path: what counts as slow on a large cluster */
  readonly #usualMs = new Map<string, number>()

  constructor(edges: { clock: Clock; budget: Budget; endpoints: Endpoints; session: Session }) {
    this.#clock = edges.clock
    this.#budget = edges.budget
    this.#endpoints = edges.endpoints
    this.#session = edges.session
  }

  /** Any member can answer: the first that does. */
  async cluster(path: string, options: AskOptions): Promise<Answer> {
    const { sound, resort } = this.#endpoints.candidates()
    const usualMs = this.#usualMs.get(path)
    const startedAt = this.#clock.now()
    const { endpoint, value } = await firstAnswer({
      clock: this.#clock,
      candidates: [...sound, ...resort],
      attempt: (candidate, signal) => {
        if (!sound.includes(candidate)) candidate.breaker.enter()
        return this.#attempt(candidate, path, options.limits, signal)
      },
      mayAsk: () => this.#budget.take(CLUSTER_BUDGET) === 0,
      ...(sound.length > 1 && {
        hedgeMs: usualMs === undefined ? firstHedgeMs : Math.max(shortestHedgeMs, usualMs * 4),
      }),
      signal: options.signal,
    })
    const at = this.#clock.now()
    this.#endpoints.prefer(endpoint)
    this.#usualMs.set(path, usualMs === undefined ? at - startedAt : usualMs * 0.8 + (at - startedAt) * 0.2)
    return { data: value, at, endpoint }
  }

  /** The node's own address; another member passes the call on when there is no way to it. */
  async node(node: string, path: string, options: AskOptions & { budget: string }): Promise<Answer> {
    const own = this.#endpoints.own(node)
    const { sound } = this.#endpoints.candidates()
    const detour = sound.filter((endpoint) => endpoint !== own).slice(0, 1)
    const candidates = own && !own.fault ? [own, ...detour] : detour.length > 0 ? detour : own ? [own] : []
    const { endpoint, value } = await firstAnswer({
      clock: this.#clock,
      candidates,
      attempt: (candidate, signal) => this.#attempt(candidate, `/nodes/${node}${path}`, options.limits, signal),
      mayAsk: () => this.#budget.take(options.budget) === 0,
      // A node that is silent or answers with an error does the same by way of another member.
      isFinal: (error) => !error.isPathFault && error.code !== 'rate_limited',
      signal: options.signal,
    })
    return { data: value, at: this.#clock.now(), endpoint }
  }

  async #attempt(endpoint: Endpoint, path: string, limits: Limits = usualLimits, signal: AbortSignal) {
    try {
      const headers = await this.#session.headers(endpoint.host, endpoint.label)
      const data = await this.#call(endpoint, path, headers, limits, signal)
      this.#endpoints.answered(endpoint)
      return data
    } catch (cause) {
      const error = toSourceError(cause)
      if (!signal.aborted) this.#judge(endpoint, error)
      throw error
    }
  }

  async #call(
    endpoint: Endpoint,
    path: string,
    headers: Record<string, string>,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      return await callPve(endpoint.host, endpoint.label, { path, headers, limits, signal })
    } catch (cause) {
      if (toSourceError(cause).code === 'unauthorized') this.#session.refused(headers)
      throw cause
    }
  }

  #judge(endpoint: Endpoint, error: SourceError): void {
    if (error.isPathFault || error.code === 'timeout') this.#endpoints.failed(endpoint, error)
    else this.#endpoints.answered(endpoint)
  }
}
