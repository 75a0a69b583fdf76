import { DueQueue } from '@pulse/domain'
import { toSourceError } from '../source-error.ts'
import { lacksMeminfo } from './agent.ts'
import { PROBE_MS } from './context.ts'
import { hasAgent, type GuestFacts } from './guest-facts.ts'
import type { WatchedNode } from './part.ts'
import { probeGuest, type ProbeContext } from './probe.ts'
import {
  isNew,
  newPlan,
  nextProbe,
  probeAnswered,
  probeFailed,
  type ProbedGuest,
  type ProbePlan,
} from './probe-plan.ts'

export const GUEST_PROBES = 'guest probes'

const mostInFlight = 3
/** Two calls per minute and guest. */
const roundMs = 30_000
/** New guests are probed sooner. Over a second, calls to the node are never closer than this. */
const firstRoundMs = 10_000
const shortestGapMs = 200
/** The listing has the main figures of a new container, so new VMs' agents are called first. */
const containersAfterMs = 20_000
/**
 * The probers of all sources wake in groups at the same times. Calls sent together cost a quarter of the CPU
 * time of single calls, and no node gets more calls. In larger groups the new connections would block the
 * event loop, so the next group wakes slightly later.
 */
const tickMs = 250
const groups = { size: 16, apartMs: 25 }
let probers = 0
/** The pause while all connections are in use. It differs per node, or all would return at once. */
const crowdedMs = { least: 50, most: 250, perNode: 10 }

/** Probes the running guests of one node, a few at a time, at nearly even intervals. */
export class NodeProber {
  readonly #context: ProbeContext
  readonly #node: WatchedNode
  readonly #queue = new DueQueue<number>()
  readonly #plans: Map<number, ProbePlan>
  readonly #flights = new Map<number, { abort: AbortController; done: Promise<void> }>()
  #running = 0
  #nextLaunchAt = 0
  #cancel = () => {}
  #stopped = false
  readonly #phaseMs = Math.floor(probers++ / groups.size) * groups.apartMs

  /** Plans belong to guests, not to nodes: a migrating guest brings its own. */
  constructor(context: ProbeContext, node: WatchedNode, plans: Map<number, ProbePlan>) {
    this.#context = context
    this.#node = node
    this.#plans = plans
  }

  /** Takes over the list of guests that now run on the node. */
  sync(guests: readonly GuestFacts[]): void {
    this.#running = guests.length
    for (const guest of guests) {
      if (!mayProbe(guest) || this.#flights.has(guest.vmid)) continue
      if (this.#queue.has(guest.vmid) && guest.wants.size === 0) continue
      const { kind, at } = nextProbe(this.#planOf(guest), this.#traits(guest))
      if (!this.#queue.has(guest.vmid) || guest.wants.has(kind)) this.#queue.offer(guest.vmid, at)
    }
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    for (const { abort } of this.#flights.values()) abort.abort()
    await Promise.all([...this.#flights.values()].map(({ done }) => done))
  }

  #wake(): void {
    this.#cancel()
    while (!this.#stopped && this.#flights.size < mostInFlight) {
      const now = this.#context.clock.monotonic()
      const dueAt = this.#queue.nextAt()
      if (dueAt === undefined) return
      const waitMs = Math.max(dueAt, this.#nextLaunchAt) - now
      if (waitMs > 0) return this.#wakeIn(this.#untilTick(now, waitMs))
      const heldMs = this.#holdMs()
      if (heldMs > 0) return this.#wakeIn(heldMs)
      const overBudgetMs = this.#launchNext(now)
      if (overBudgetMs > 0) return this.#wakeIn(overBudgetMs)
    }
  }

  /** Rounds up to a tick, at least `ms` milliseconds from now. */
  #untilTick(now: number, ms: number): number {
    const from = now - this.#phaseMs
    return Math.ceil((from + ms) / tickMs) * tickMs - from
  }

  #wakeIn(ms: number): void {
    this.#cancel = this.#context.clock.after(ms, () => this.#wake())
  }

  /** Only the status loop tries a node that does not answer. */
  #holdMs(): number {
    if (this.#context.isRefused()) return 10_000
    if (!this.#context.gateway.hasRoom(this.#node.name)) {
      const { least, most, perNode } = crowdedMs
      return least + ((this.#node.index * perNode) % (most - least))
    }
    const { breaker } = this.#node
    return breaker.state === 'closed' ? 0 : breaker.waitMs() + 1_000
  }

  #launchNext(now: number): number {
    const vmid = this.#queue.take()
    const guest = vmid === undefined ? undefined : this.#context.guests.get(vmid)
    // Guests that stopped, moved or are locked return with the next listing.
    if (!guest || guest.node !== this.#node.name || !mayProbe(guest)) return 0
    const plan = this.#planOf(guest)
    const { kind, at } = nextProbe(plan, this.#traits(guest))
    if (at > now) {
      this.#queue.offer(guest.vmid, at)
      return 0
    }
    const overBudgetMs = this.#pay()
    if (overBudgetMs > 0) {
      this.#queue.offer(guest.vmid, now)
      return overBudgetMs
    }
    if (kind === 'rrd') this.#context.guestRrd.askAt = now + 3_600_000
    // A launch that was late only because of its tick does not delay the next one.
    this.#nextLaunchAt = Math.max(this.#nextLaunchAt, now - tickMs) + this.#gapMs(plan)
    const abort = new AbortController()
    const done = this.#probe(guest, plan, kind, abort.signal)
    this.#flights.set(guest.vmid, { abort, done })
    return 0
  }

  #pay(): number {
    return this.#context.budget.probes(this.#node.name).take(GUEST_PROBES)
  }

  #gapMs(plan: ProbePlan): number {
    const running = Math.max(1, this.#running)
    const evenMs = roundMs / running
    return isNew(plan) ? Math.min(evenMs, Math.max(shortestGapMs, firstRoundMs / running)) : evenMs
  }

  async #probe(
    guest: GuestFacts,
    plan: ProbePlan,
    kind: ReturnType<typeof nextProbe>['kind'],
    signal: AbortSignal,
  ) {
    const { clock, guests, publish, tally } = this.#context
    const startedAt = clock.monotonic()
    tally.askedFor()
    try {
      const isEmpty = await probeGuest(this.#context, guest, kind, () => this.#pay(), signal)
      this.#node.answeredAt = clock.monotonic()
      probeAnswered(plan, kind, this.#traits(guest), isEmpty, startedAt)
    } catch (cause) {
      const error = toSourceError(cause)
      if (signal.aborted) return
      const isUnasked = error.code === 'crowded'
      if (!isUnasked && error.code !== 'timeout' && !error.isPathFault)
        this.#node.answeredAt = clock.monotonic()
      else if (!isUnasked && this.#node.answeredAt < startedAt) this.#node.breaker.fail()
      probeFailed(plan, kind, this.#traits(guest), error, startedAt)
    } finally {
      this.#flights.delete(guest.vmid)
      guest.wants.delete(kind)
    }
    publish(PROBE_MS)
    const now = guests.get(guest.vmid)
    if (now && now.node === this.#node.name)
      this.#queue.offer(now.vmid, nextProbe(plan, this.#traits(now)).at)
    this.#wake()
  }

  #planOf({ vmid, raw }: GuestFacts): ProbePlan {
    let plan = this.#plans.get(vmid)
    if (!plan) {
      plan = newPlan(raw.type === 'lxc' ? this.#context.clock.monotonic() + containersAfterMs : 0)
      this.#plans.set(vmid, plan)
    }
    return plan
  }

  #traits(guest: GuestFacts): ProbedGuest {
    const { guestRrd, clock } = this.#context
    return {
      type: guest.raw.type,
      agentEnabled: hasAgent(guest),
      lacksMeminfo: lacksMeminfo(guest.os),
      halted: guest.halted !== undefined,
      wants: guest.wants,
      asksRrd: guestRrd.known || clock.monotonic() >= guestRrd.askAt,
    }
  }
}

export const mayProbe = (guest: GuestFacts): boolean =>
  guest.status === 'running' && guest.lock === undefined && guest.missingSince === undefined
