import type { Reading } from '@pulse/contract'
import type { Observation } from '@pulse/domain'
import type { PartRunner } from '../../polling/part-runner.ts'
import type { Asked } from '../../polling/part.ts'
import { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import type { Polling } from '../poll-report.ts'
import { REFUSED_MS } from '../source-error.ts'
import { reportFailure, type Reporting, runParts } from '../watch-source.ts'
import { type ClusterContext, LISTING_MS, type Wake } from './context.ts'
import type { GuestFacts } from './guest-facts.ts'
import type { MapContext } from './map.ts'
import type { AskNode, NodeRun, Part, PartLoop, PartRun, WatchedNode } from './part.ts'
import type { Listing } from './resources.ts'

/** The pause of a slow look while too many calls are in flight. */
const crowdedMs = 100
/** The pause before the gate of an absent node is checked again. */
const absentMs = 10_000
/** A forbidden or unknown call is repeated later, in case an administrator has fixed it. */
const refusedQuestionMs = 300_000

type AskedLoop = Asked<Part, PartLoop>

/** The parts of one cluster, on the nodes in its listing. */
export class ClusterParts {
  readonly #context: ClusterContext
  readonly #reporting: Reporting
  readonly #runner: PartRunner<Part, PartRun, PartLoop, WatchedNode, NodeRun>
  #isUnlisted = false
  #stopped = false

  constructor(context: ClusterContext, parts: readonly Part[]) {
    this.#context = context
    this.#reporting = {
      publish: context.publish,
      failed: ({ code }, failures) => void (code === 'forbidden' && failures === 1 && this.wake('rights')),
      pauses: () => ({ deniedMs: refusedQuestionMs, unknownMs: refusedQuestionMs }),
    }
    this.#runner = runParts<ClusterContext, PartRun, PartLoop, WatchedNode, NodeRun>(context, parts, {
      ...this.#reporting,
      intervalMs: () => LISTING_MS,
      start: (part) => part.start(context),
      startAt: (node, run, part) => run.node?.(node, askOf(context, node, part)) ?? {},
      gate: (plan, node) => (node ? nodeGate(context, plan, node) : clusterGate(context, plan)),
      pay: (asked, node) => pay(context, asked, node),
      ended({ isSlow }, node) {
        if (isSlow && node) context.budget.slow(node.name).leave()
      },
      isAnswer: (_plan, at) => at !== undefined,
    })
  }

  enabled(): Part[] {
    return this.#runner.enabled
  }

  /** Starts and stops parts according to the current switches. */
  enable(): void {
    this.#share()
    this.#runner.enable()
  }

  /** A single question failed. Returns the pause before the retry, if not the usual one. */
  failed(question: string, cause: unknown): number | undefined {
    return reportFailure(this.#context, this.#reporting, question, cause)
  }

  /** Nodes and guests may have been added or removed. */
  follow(listing?: Listing): void {
    if (this.#stopped) return
    this.#updateShares()
    const { nodes, guests, tally, budget } = this.#context
    if (listing) this.#runner.each('listing', (run) => run.listed?.(listing))
    this.#context.cluster.updateNodes()
    const running = new Map<string, GuestFacts[]>(nodes.names().map((name) => [name, []]))
    for (const guest of guests.all()) {
      if (guest.status !== 'running') continue
      running.get(guest.node)?.push(guest)
      if (guest.report) tally.atHand()
    }
    for (const name of this.#runner.members.keys()) if (!running.has(name)) this.#leave(name)
    for (const [name, there] of running) {
      budget.watch(name, there.length)
      if (!this.#runner.members.has(name)) this.#join(name)
    }
    for (const vmid of guests.takeRemoved()) this.#runner.each('leaving', (run) => run.forget?.({ vmid }))
    this.#runner.eachAt('guests', (run, name, forgetFailures) => {
      // The node's state shows that it is off, so failed calls to it are no news.
      if (nodes.get(name)?.listedStatus === 'offline') forgetFailures()
      run.guests?.(running.get(name) ?? [])
    })
  }

  /** Ends the pauses of all loops that wait for this event. */
  wake(why: Wake): void {
    this.#updateShares()
    for (const node of this.#runner.members.values()) if (why === 'back') node.breaker.succeed()
    this.#runner.refresh((asked) => this.#isWokenBy(asked, why))
  }

  wakeNode(name: string, why: Wake): void {
    if (why === 'back') this.#runner.members.get(name)?.breaker.succeed()
    this.#runner.refresh((asked, member) => member === name && this.#isWokenBy(asked, why))
  }

  refresh(): void {
    this.#runner.refresh()
  }

  /** The long part of `records`, done in advance in steps. */
  map(context: MapContext, now: number): Promise<void> {
    return this.#runner.eachYielding('mapping', (run) => run.map?.(context, now))
  }

  records(context: MapContext, now: number): Promise<Observation['records']> {
    return this.#runner.records((run) => run.records?.(context, now))
  }

  /** Data still being read for the first time. */
  reading(): Reading[] {
    const all: Reading[] = []
    this.#runner.each('progress', (run) => {
      const one = run.reading?.()
      if (one) all.push(one)
    })
    return all
  }

  waits(): ReturnType<Polling['waits']> {
    return this.#runner.waits()
  }

  stop(): Promise<void> {
    this.#stopped = true
    return this.#runner.stop()
  }

  #share(): void {
    this.#isUnlisted = this.#context.listsByNode()
    this.#context.budget.use(this.enabled(), { isUnlisted: this.#isUnlisted })
  }

  /** While the listing fails, other parts replace it and have other shares. */
  #updateShares(): void {
    if (this.#isUnlisted !== this.#context.listsByNode()) this.#share()
  }

  #join(name: string): void {
    const index = this.#runner.members.size
    this.#runner.join({ name, index, breaker: new CircuitBreaker(this.#context.clock), answeredAt: 0 })
  }

  #leave(name: string): void {
    this.#runner.leave(name, () => {
      this.#context.budget.unwatch(name)
      this.#runner.each('leaving', (run) => run.forget?.({ node: name }))
    })
  }

  #isWokenBy({ plan, question }: AskedLoop, why: Wake): boolean {
    if (why === 'allowed') return this.#context.health.errorOf(question)?.code === 'forbidden'
    return (plan.wakes ?? ['back']).includes(why)
  }
}

function askOf({ gateway, budget }: ClusterContext, node: WatchedNode, part: Part): AskNode {
  const pay = () => budget.node(node.name).take(part.name)
  return async (path, signal, limits) => {
    const answer = await gateway.node(node.name, path, { pay, signal, ...(limits && { limits }) })
    node.answeredAt = answer.at
    return answer
  }
}

/** Milliseconds until the cluster may be queried. */
function clusterGate(context: ClusterContext, { isProbe }: PartLoop): number {
  return context.isRefused() && !isProbe ? REFUSED_MS : context.endpoints.waitMs()
}

/** Milliseconds until the node may be queried: not while it is down or its status call probes it. */
function nodeGate(context: ClusterContext, { isProbe }: PartLoop, { name, breaker }: WatchedNode): number {
  if (context.isRefused() || context.nodes.get(name)?.listedStatus === 'offline') return absentMs
  if (isProbe) return breaker.waitMs()
  return breaker.state === 'closed' ? 0 : breaker.waitMs() + 1_000
}

function pay({ budget, gateway }: ClusterContext, { part, plan }: AskedLoop, node?: WatchedNode): number {
  const waitMs = plan.pay?.() ?? (plan.isSlow && node ? paySlow(node.name) : shares().take(part.name))
  if (waitMs === 0 && plan.isProbe) node?.breaker.enter()
  return waitMs

  function shares() {
    return node ? budget.node(node.name) : budget.source
  }

  /** Lists and guests have priority over slow looks. */
  function paySlow(name: string): number {
    return gateway.hasRoom(name) && budget.slow(name).enter() ? 0 : crowdedMs
  }
}
