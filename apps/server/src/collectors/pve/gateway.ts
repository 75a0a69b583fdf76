import type { Clock } from '@pulse/domain'
import { callApi, type ApiRequest, type Limits } from '../proxmox/call.ts'
import type { Session } from '../proxmox/session.ts'
import type { Tally } from '../tally.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { WAYS, type CallBudget } from '../../polling/call-budget.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'
import { firstAnswer } from './failover.ts'

export interface Answer<T = unknown> {
  data: T
  /** when it arrived, by the monotonic clock */
  at: number
  endpoint: Endpoint
}

export interface AskOptions {
  signal: AbortSignal
  limits?: Limits
}

interface Named {
  /** Whom an error names: the node that was asked about, by whatever address; absent: who answered. */
  label?: string
}

interface ClusterOptions extends AskOptions {
  hedges?: boolean
}

const shortestHedgeMs = 1_000
const firstHedgeMs = 2_000
const keptForLists = 2

/**
 * Decides which address a call goes to. The first call of each question is paid for by the loop that asks;
 * every further attempt needs budget of its own, and is not made without.
 */
export class Gateway {
  readonly #clock: Clock
  readonly #budget: CallBudget
  readonly #endpoints: Endpoints
  readonly #session: Session
  readonly #tally: Tally
  readonly #limits: () => Limits
  /** how long an answer usually takes, by question: what counts as slow on a large cluster */
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

  /** Any member can answer: the first that does. */
  cluster(path: string, options: ClusterOptions): Promise<Answer> {
    return this.#first(path, options, (candidate, signal) =>
      this.#attempt(candidate, path, { ...options, signal }, true),
    )
  }

  /** The same for a list that may be long: its entries are read as they arrive, again for each endpoint. */
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
      mayAsk: () => this.#budget.source.take(WAYS) === 0,
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

  /** The node's own address; another member passes the call on when there is no way to it. */
  async node(node: string, path: string, options: AskOptions & { pay: () => number }): Promise<Answer> {
    const { endpoint, value } = await firstAnswer({
      clock: this.#clock,
      candidates: this.#wayTo(node),
      attempt: (candidate, signal) =>
        this.#attempt(candidate, `/nodes/${node}${path}`, { ...options, signal, label: node }, false),
      mayAsk: () => options.pay() === 0,
      // A node that is silent or answers with an error does the same by way of another member.
      isFinal: (error) => !error.isPathFault && error.code !== 'rate_limited',
      signal: options.signal,
    }).catch((cause: unknown) => {
      throw this.#ofNode(node, toSourceError(cause))
    })
    return { data: value, at: this.#clock.monotonic(), endpoint }
  }

  /** Whether one more question about a guest there can go out at once, and leaves a connection to the lists. */
  hasRoom(node: string): boolean {
    const own = this.#endpoints.own(node)
    const first = own && !own.fault ? own : (this.#endpoints.soundBeside(own) ?? own)
    return first === undefined || first.host.room > keptForLists
  }

  /** How long an answer to that usually takes, once there was one. */
  usualMs(path: string): number | undefined {
    return this.#usualMs.get(path)
  }

  /** What is said of a source is repeated for each of its nodes: the address that was tried first is one of several. */
  #ofCluster(error: SourceError): SourceError {
    const { all } = this.#endpoints
    const isLost = error.code === 'unreachable' || error.code === 'timeout'
    if (!isLost || all.length < 2 || this.#endpoints.candidates().sound.length > 0) return error
    const reason = withoutLabel(error.message, all)
    const message = `none of the ${all.length} addresses of the cluster answers: ${reason}`
    return new SourceError(error.code, message, { cause: error, reset: error.reset })
  }

  /** Its own address is at fault, and not the one that should have passed the question on. */
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

  /** Silence is held against an address only where it answers from memory: a node's own disks may keep it waiting. */
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

  /** A ticket that ended early is renewed, and the call made once more. */
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
      this.#budget.source.take(WAYS)
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
 * Under which name a call is counted. Guests and tasks by the question alone: guests are too many, and tasks come every
 * night.
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
