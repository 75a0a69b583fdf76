import type { Clock } from '@pulse/domain'
import { callApi, type ApiRequest, type Limits } from '../proxmox/call.ts'
import type { Session } from '../proxmox/session.ts'
import type { Tally } from '../tally.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { OTHER_CALLS, type CallBudget } from '../../polling/call-budget.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'
import { firstAnswer } from './failover.ts'

export interface Answer<T = unknown> {
  data: T
  /** the arrival time, by the monotonic clock */
  at: number
  endpoint: Endpoint
}

export interface AskOptions {
  signal: AbortSignal
  limits?: Limits
}

interface Named {
  /** The name for errors: the queried node, with any address; absent: the host that answered. */
  label?: string
}

interface ClusterOptions extends AskOptions {
  hedges?: boolean
}

const shortestHedgeMs = 1_000
const firstHedgeMs = 2_000
const keptForLists = 2

/**
 * Decides the address of a call. The loop pays for the first call of each question. Every further attempt
 * needs its own budget.
 */
export class Gateway {
  readonly #clock: Clock
  readonly #budget: CallBudget
  readonly #endpoints: Endpoints
  readonly #session: Session
  readonly #tally: Tally
  readonly #limits: () => Limits
  /** the usual duration of an answer, by question; the basis for "slow" on a large cluster */
  readonly #usualMs = new Map<string, number>()

  constructor(edges: {
    clock: Clock
    budget: CallBudget
    endpoints: Endpoints
    session: Session
    tally: Tally
    limits: () => Limits
  }) {
    this.#clock = edges.clock
    this.#budget = edges.budget
    this.#endpoints = edges.endpoints
    this.#session = edges.session
    this.#tally = edges.tally
    this.#limits = edges.limits
  }

  /** Any member can answer. The first answer counts. */
  cluster(path: string, options: ClusterOptions): Promise<Answer> {
    return this.#first(path, options, (candidate, signal) =>
      this.#attempt(candidate, path, { ...options, signal }, true),
    )
  }

  /** The same for a list that may be long. Entries are read as they arrive, separately per endpoint. */
  list<T extends { take: (entry: unknown) => void }>(
    path: string,
    begin: () => T,
    options: ClusterOptions,
  ): Promise<Answer<T>> {
    return this.#first(path, options, async (candidate, signal) => {
      const taker = begin()
      await this.#attempt(candidate, path, { ...options, signal, each: taker.take }, true)
      return taker
    })
  }

  async #first<T>(
    path: string,
    options: ClusterOptions,
    attempt: (candidate: Endpoint, signal: AbortSignal) => Promise<T>,
  ): Promise<Answer<T>> {
    const { sound, resort } = this.#endpoints.candidates()
    const usualMs = this.#usualMs.get(path)
    const startedAt = this.#clock.monotonic()
    const { endpoint, value } = await firstAnswer({
      clock: this.#clock,
      candidates: [...sound, ...resort],
      attempt: (candidate, signal) => {
        if (!sound.includes(candidate)) candidate.breaker.enter()
        return attempt(candidate, signal)
      },
      mayAsk: () => this.#budget.source.take(OTHER_CALLS) === 0,
      ...(sound.length > 1 &&
        (options.hedges ?? true) && {
          hedgeMs: usualMs === undefined ? firstHedgeMs : Math.max(shortestHedgeMs, usualMs * 4),
        }),
      signal: options.signal,
    }).catch((cause: unknown) => {
      throw this.#ofCluster(toSourceError(cause))
    })
    const at = this.#clock.monotonic()
    this.#endpoints.prefer(endpoint)
    this.#usualMs.set(path, usualMs === undefined ? at - startedAt : usualMs * 0.8 + (at - startedAt) * 0.2)
    return { data: value, at, endpoint }
  }

  /** Calls the node's own address. If it is unreachable, another member forwards the call. */
  async node(node: string, path: string, options: AskOptions & { pay: () => number }): Promise<Answer> {
    const { endpoint, value } = await firstAnswer({
      clock: this.#clock,
      candidates: this.#wayTo(node),
      attempt: (candidate, signal) =>
        this.#attempt(candidate, `/nodes/${node}${path}`, { ...options, signal, label: node }, false),
      mayAsk: () => options.pay() === 0,
      // A node that times out or answers with an error would do the same through another member.
      isFinal: (error) => !error.isPathFault && error.code !== 'rate_limited',
      signal: options.signal,
    }).catch((cause: unknown) => {
      throw this.#ofNode(node, toSourceError(cause))
    })
    return { data: value, at: this.#clock.monotonic(), endpoint }
  }

  /** Whether a call about a guest there can be sent at once and leaves a connection for lists. */
  hasRoom(node: string): boolean {
    const own = this.#endpoints.own(node)
    const first = own && !own.fault ? own : (this.#endpoints.soundBeside(own) ?? own)
    return first === undefined || first.host.room > keptForLists
  }

  /** The usual duration of an answer to this path; undefined before the first. */
  usualMs(path: string): number | undefined {
    return this.#usualMs.get(path)
  }

  /** Describes an error of the whole cluster, because the tried address is only one of several. */
  #ofCluster(error: SourceError): SourceError {
    const { all } = this.#endpoints
    const isLost = error.code === 'unreachable' || error.code === 'timeout'
    if (!isLost || all.length < 2 || this.#endpoints.candidates().sound.length > 0) return error
    const reason = withoutLabel(error.message, all)
    const message = `none of the ${all.length} addresses of the cluster answers: ${reason}`
    return new SourceError(error.code, message, { cause: error, reset: error.reset })
  }

  /** Blames the node's own address, not the member that should have forwarded the call. */
  #ofNode(node: string, error: SourceError): SourceError {
    const own = this.#endpoints.own(node)
    if (!error.isPathFault || error.message.startsWith(`${own?.label ?? node}: `)) return error
    if (own?.fault) return own.fault
    const reason = withoutLabel(error.message, this.#endpoints.all)
    const message = `${node}: no other cluster member forwards the request: ${reason}`
    return new SourceError(error.code, message, { cause: error, reset: error.reset })
  }

  #wayTo(node: string): Endpoint[] {
    const own = this.#endpoints.own(node)
    const detour = this.#endpoints.soundBeside(own)
    if (own && !own.fault) return detour ? [own, detour] : [own]
    return detour ? [detour] : own ? [own] : []
  }

  /** A timeout counts only where a host answers from memory. A node's own disks may delay it. */
  async #attempt(
    endpoint: Endpoint,
    path: string,
    { limits = this.#limits(), signal, each, label }: AskOptions & Pick<ApiRequest, 'each'> & Named,
    silenceCounts: boolean,
  ) {
    try {
      const data = await this.#signedIn(endpoint, { path, limits, signal, ...(each && { each }) }, label)
      this.#endpoints.answered(endpoint)
      return data
    } catch (cause) {
      const error = toSourceError(cause)
      const silent = error.code === 'timeout'
      if (error.code === 'crowded') throw error
      if (!signal.aborted && !silent && !error.isPathFault) this.#endpoints.answered(endpoint)
      else if (!signal.aborted && (silenceCounts || !silent)) this.#endpoints.failed(endpoint, error)
      throw error
    }
  }

  /** Renews an expired ticket and repeats the call once. */
  async #signedIn(
    endpoint: Endpoint,
    request: Omit<ApiRequest, 'headers'>,
    label: string | undefined,
  ): Promise<unknown> {
    const headers = await this.#session.headers(endpoint.host, endpoint.label)
    try {
      return await this.#call(endpoint, { ...request, headers }, label)
    } catch (cause) {
      const isRefused = toSourceError(cause).code === 'unauthorized' && this.#session.refused(headers)
      if (!isRefused || request.signal?.aborted) throw cause
      const renewed = await this.#session.headers(endpoint.host, endpoint.label)
      this.#budget.source.take(OTHER_CALLS)
      return this.#call(endpoint, { ...request, headers: renewed }, label)
    }
  }

  #call(endpoint: Endpoint, request: ApiRequest, label?: string): Promise<unknown> {
    return this.#tally.call(callName(request.path), this.#clock, () =>
      callApi(endpoint.host, label ?? endpoint.node ?? endpoint.label, request),
    )
  }
}

/**
 * The name under which a call is counted. Guests and tasks share one name per question: there are too many
 * guests, and new tasks every night.
 */
export const callName = (path: string): string =>
  path
    .replace(/^\/nodes\/[^/]+\/(qemu|lxc)\/\d+\//, '$1/')
    .replace(/^\/nodes\/[^/]+\/tasks\/[^/]+\//, 'tasks/')
    .replace(/^\//, '')
    .replace(/\?.*/, '')

function withoutLabel(message: string, endpoints: readonly Endpoint[]): string {
  const asked = endpoints.find(({ label }) => message.startsWith(`${label}: `))
  return asked ? message.slice(asked.label.length + 2) : message
}
