import type { Clock, Connection } from '@pulse/domain'
import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import { trustOf, type Trust } from '../certificate.ts'
import { openHttps, type HttpsHost } from '../https.ts'
import { neverArrived, type SourceError, toSourceError } from '../source-error.ts'
import { memberUrl, type Member } from './membership.ts'

/** One address of the cluster's API. */
export interface Endpoint {
  readonly url: string
  readonly label: string
  readonly host: HttpsHost
  readonly breaker: CircuitBreaker
  /** the entered address, which stays even if the members change */
  readonly typed: boolean
  /** the node at this address, once known */
  node: string | undefined
  /** the reason why the address does not work; cleared by the next contact */
  fault: SourceError | undefined
  /** the start of the fault, by the monotonic clock */
  faultAt: number | undefined
  /** the last failed attempt */
  triedAt: number | undefined
  answered: boolean
  /** the last call ended in a reset, which is normal once for a kept-alive connection */
  reset: boolean
}

const rechecks: Backoff = { firstMs: 10_000, longestMs: 30_000 }
/** The first pause is shorter for the address of a returned node. */
const soonRechecks: Backoff = { ...rechecks, firstMs: 1_000 }
const proofLimits = { waitMs: 5_000, headersMs: 5_000, totalMs: 6_000, maxBytes: 64 * 1024 }

/** The cost of trying an address again: one call of the budget, unless it never arrived. */
export interface Attempts {
  take: () => boolean
  refund: () => void
}

const isSound = (endpoint: Endpoint) => !endpoint.fault && endpoint.breaker.state === 'closed'

/** The addresses of one connection, their reachability, and the order of attempts. */
export class Endpoints {
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #changed: (endpoint: Endpoint) => void
  readonly #attempts: Attempts
  readonly #typed: Endpoint
  readonly #members = new Map<string, { endpoint: Endpoint; trust: string }>()
  readonly #rechecks = new Map<Endpoint, () => void>()
  #preferred: Endpoint
  #roaming = false
  #closed = false

  /** `changed` is called when an address fails or works again. */
  constructor(
    connection: Connection,
    clock: Clock,
    changed: (endpoint: Endpoint) => void,
    attempts: Attempts,
  ) {
    this.#attempts = attempts
    this.#connection = connection
    this.#clock = clock
    this.#changed = changed
    this.#typed = this.#open(connection.host, new URL(connection.host).host, trustOf(connection), undefined)
    this.#preferred = this.#typed
    this.setMembers(
      (connection.clusterEndpoints ?? []).map((stored) => ({
        name: stored.NodeName,
        id: Number(stored.NodeID),
        address: stored.IP || undefined,
        online: stored.Online,
      })),
      connection.memberFingerprints ?? {},
    )
  }

  get all(): Endpoint[] {
    return [this.#typed, ...[...this.#members.values()].map(({ endpoint }) => endpoint)]
  }

  /** For calls that any member can answer: working addresses, then failed ones that may be tried again. */
  candidates(): { sound: Endpoint[]; resort: Endpoint[] } {
    const all = [this.#preferred, ...this.all.filter((endpoint) => endpoint !== this.#preferred)]
    return {
      sound: all.filter(isSound),
      resort: all.filter((endpoint) => !isSound(endpoint) && endpoint.breaker.waitMs() === 0),
    }
  }

  /** The first working one except this. Needed for every call, so it builds no list. */
  soundBeside(own: Endpoint | undefined): Endpoint | undefined {
    if (isSound(this.#preferred) && this.#preferred !== own) return this.#preferred
    if (isSound(this.#typed) && this.#typed !== own) return this.#typed
    for (const { endpoint } of this.#members.values())
      if (isSound(endpoint) && endpoint !== own) return endpoint
    return undefined
  }

  own(node: string): Endpoint | undefined {
    return this.#typed.node === node ? this.#typed : this.#members.get(node)?.endpoint
  }

  /** Milliseconds until any endpoint may be called. */
  waitMs(): number {
    return Math.min(...this.all.map((endpoint) => endpoint.breaker.waitMs()))
  }

  /** Of the address that may be called first: the cluster is as reachable as its best address. */
  get bestBreaker(): CircuitBreaker {
    const breakers = this.all.map(({ breaker }) => breaker)
    const closed = breakers.find(({ state }) => state === 'closed')
    return closed ?? breakers.reduce((best, one) => (one.waitMs() < best.waitMs() ? one : best))
  }

  answered(endpoint: Endpoint): void {
    endpoint.answered = true
    endpoint.reset = false
    endpoint.breaker.succeed()
    if (endpoint.fault) this.#found(endpoint)
  }

  prefer(endpoint: Endpoint): void {
    if (this.#isKnown(endpoint)) this.#preferred = endpoint
  }

  /** Only network and certificate faults make it unreachable. Timeouts count for the breaker. */
  failed(endpoint: Endpoint, error: SourceError): void {
    // Calls to a removed member end with its connections, which does not mean a fault.
    if (!this.#isKnown(endpoint)) return
    if (error.reset && !endpoint.reset) {
      endpoint.reset = true
      return
    }
    if (error.code === 'timeout' || error.isPathFault) endpoint.breaker.fail()
    if (!error.isPathFault || this.#closed) return
    const lost = !endpoint.fault
    endpoint.fault = error
    endpoint.triedAt = this.#clock.monotonic()
    if (!lost) return
    endpoint.faultAt = endpoint.triedAt
    this.#recheckLater(endpoint, rechecks)
    this.#changed(endpoint)
  }

  /** The node runs again. If its address had failed, it is tried without the usual wait. */
  retry(node: string): void {
    const endpoint = this.own(node)
    if (endpoint?.fault) this.#recheckLater(endpoint, soonRechecks)
  }

  /** Records which node answered at the typed address. A floating virtual address belongs to no node. */
  locate(endpoint: Endpoint, node: string): void {
    if (!endpoint.typed || this.#roaming || endpoint.node === node) return
    if (endpoint.node !== undefined) this.#roaming = true
    endpoint.node = this.#roaming ? undefined : node
  }

  setMembers(members: readonly Member[], fingerprints: Readonly<Record<string, string>>): void {
    if (this.#closed) return
    const wanted = members.filter((member) => member.name !== this.#typed.node)
    for (const [name, { endpoint }] of this.#members) {
      if (!wanted.some((member) => member.name === name)) this.#drop(name, endpoint)
    }
    for (const { name, address } of wanted) {
      const trust = memberTrust(this.#connection, fingerprints[name])
      if (!trust) continue
      const url = memberUrl(address ?? name)
      const current = this.#members.get(name)
      if (current?.endpoint.url === url && current.trust === JSON.stringify(trust)) continue
      if (current) this.#drop(name, current.endpoint)
      this.#members.set(name, { endpoint: this.#open(url, name, trust, name), trust: JSON.stringify(trust) })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const cancel of this.#rechecks.values()) cancel()
    this.#rechecks.clear()
    await Promise.all(this.all.map((endpoint) => endpoint.host.close()))
  }

  #open(url: string, label: string, trust: Trust, node: string | undefined): Endpoint {
    return {
      url,
      label,
      host: openHttps(url, label, trust, this.#clock),
      breaker: new CircuitBreaker(this.#clock),
      typed: node === undefined,
      node,
      fault: undefined,
      faultAt: undefined,
      triedAt: undefined,
      answered: false,
      reset: false,
    }
  }

  #drop(name: string, endpoint: Endpoint): void {
    this.#members.delete(name)
    this.#rechecks.get(endpoint)?.()
    this.#rechecks.delete(endpoint)
    if (this.#preferred === endpoint) this.#preferred = this.#typed
    if (endpoint.fault) {
      endpoint.fault = undefined
      this.#changed(endpoint)
    }
    void endpoint.host.close()
  }

  #isKnown(endpoint: Endpoint): boolean {
    return endpoint.typed || [...this.#members.values()].some((member) => member.endpoint === endpoint)
  }

  /**
   * Any answer is proof. A host may accept connections long before it answers again. The call needs no
   * account, so no secret is sent.
   */
  #recheckLater(endpoint: Endpoint, pauses: Backoff, failures = 1): void {
    this.#rechecks.get(endpoint)?.()
    const recheck = async () => {
      if (!this.#attempts.take()) return this.#recheckLater(endpoint, rechecks)
      const error = await this.#proofOf(endpoint)
      if (!this.#rechecks.has(endpoint)) return
      if (!error) return this.#found(endpoint)
      endpoint.triedAt = this.#clock.monotonic()
      this.#recheckLater(endpoint, pauses, failures + 1)
    }
    this.#rechecks.set(
      endpoint,
      this.#clock.after(backoffMs(pauses, failures), () => void recheck()),
    )
  }

  /** Returns undefined when it answers. */
  async #proofOf({ host }: Endpoint): Promise<SourceError | undefined> {
    try {
      await host.send({ path: '/api2/json/version', headers: {}, ...proofLimits })
      return undefined
    } catch (cause) {
      const error = toSourceError(cause)
      if (neverArrived(error)) this.#attempts.refund()
      return error
    }
  }

  #found(endpoint: Endpoint): void {
    endpoint.fault = undefined
    endpoint.faultAt = endpoint.triedAt = undefined
    endpoint.breaker.succeed()
    this.#rechecks.get(endpoint)?.()
    this.#rechecks.delete(endpoint)
    this.#changed(endpoint)
  }
}

/**
 * Every member has its own certificate. The verified first connection reports it, which is as good as a pin,
 * and avoids the name check that fails for addresses. Until it is known the member is not called.
 */
function memberTrust({ fingerprint, verifySSL }: Connection, learned: string | undefined): Trust | undefined {
  if (!fingerprint && !verifySSL) return { by: 'nothing' }
  return learned ? { by: 'fingerprint', fingerprint: learned } : undefined
}
