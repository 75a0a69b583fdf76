import type { Reading } from '@pulse/contract'
import type { Observation } from '@pulse/domain'
import { Breaker } from '../../polling/breaker.ts'
import { inTurns } from '../../polling/turns.ts'
import type { Desk, Wake } from './desk.ts'
import { noteFailure } from './failed.ts'
import type { GuestFacts } from './guest-facts.ts'
import type { MapContext } from './map.ts'
import type { AskNode, NodeRun, Part, PartRun, WatchedNode } from './part.ts'
import type { Listing } from './resources.ts'
import { runLoops, type RunningLoops } from './run-loops.ts'

interface Started {
  part: Part
  run: PartRun
  loops: RunningLoops
  byNode: Map<string, { run: NodeRun; loops: RunningLoops }>
  /** what it published last: the truth for as long as it cannot say better */
  records: Observation['records']
}

/** Starts the parts that are wanted, keeps each on the nodes there are, and knows them by their shape alone. */
export class PartRunner {
  readonly #desk: Desk
  readonly #parts: readonly Part[]
  readonly #isWanted: (part: Part) => boolean
  readonly #started = new Map<string, Started>()
  readonly #nodes = new Map<string, WatchedNode>()
  readonly #ending = new Set<Promise<unknown>>()
  #isUnlisted = false
  #stopped = false

  constructor(desk: Desk, parts: readonly Part[], isWanted: (part: Part) => boolean) {
    this.#desk = desk
    this.#parts = parts
    this.#isWanted = isWanted
  }

  enabled(): Part[] {
    return this.#parts.filter(this.#isWanted)
  }

  /** Starts and ends parts as the switches now say. */
  enable(): void {
    const enabled = this.enabled()
    this.#share()
    for (const { part } of this.#started.values()) if (!enabled.includes(part)) this.#end(part)
    for (const part of enabled) if (!this.#started.has(part.name)) this.#begin(part)
  }

  /** Nodes and guests may have come and gone. */
  follow(listing?: Listing): void {
    if (this.#stopped) return
    this.#shareAnew()
    const { nodes, guests, tally, budget } = this.#desk
    for (const { part, run } of this.#started.values())
      if (listing) this.#guard(part, 'listing', () => run.listed?.(listing))
    this.#desk.cluster.place()
    const running = new Map<string, GuestFacts[]>(nodes.names().map((name) => [name, []]))
    for (const guest of guests.all()) {
      if (guest.status !== 'running') continue
      running.get(guest.node)?.push(guest)
      if (guest.report) tally.atHand()
    }
    for (const name of this.#nodes.keys()) if (!running.has(name)) this.#later(this.#leave(name))
    for (const [name, there] of running) {
      budget.watch(name, there.length)
      if (!this.#nodes.has(name)) this.#join(name)
    }
    for (const vmid of guests.takeGone()) this.#forget({ vmid })
    for (const { part, byNode } of this.#started.values())
      for (const [name, { run, loops }] of byNode) {
        // Its state says that it is off; what could not be asked of it is no news then.
        if (nodes.get(name)?.listedStatus === 'offline') loops.forgetFailures()
        this.#guard(part, 'guests', () => run.guests?.(running.get(name) ?? []))
      }
  }

  /** Ends the pauses of all loops that wait for this. */
  wake(why: Wake): void {
    this.#shareAnew()
    for (const { loops } of this.#started.values()) loops.wake(why)
    for (const name of this.#nodes.keys()) this.wakeNode(name, why)
  }

  wakeNode(name: string, why: Wake): void {
    if (why === 'back') this.#nodes.get(name)?.breaker.succeed()
    for (const { byNode } of this.#started.values()) byNode.get(name)?.loops.wake(why)
  }

  refresh(): void {
    for (const { loops, byNode } of this.#started.values()) {
      loops.refresh()
      for (const node of byNode.values()) node.loops.refresh()
    }
  }

  /** The long part of `records`, so that little is left to be done at once. */
  async map(context: MapContext, now: number): Promise<void> {
    for (const { part, run } of this.#started.values()) {
      if (!run.map) continue
      try {
        await inTurns(run.map(context, now))
      } catch (cause) {
        noteFailure(this.#desk, `${part.name} records`, cause)
      }
    }
  }

  /** What all of them know. Of those that are not wanted: that there is nothing. */
  records(context: MapContext, now: number): Observation['records'] {
    const records: Observation['records'] = {}
    for (const { name, kinds = [] } of this.#parts) {
      const one = this.#started.get(name)
      if (one)
        this.#guard(one.part, 'records', () => void (one.records = one.run.records?.(context, now) ?? {}))
      for (const kind of kinds) Object.assign(records, { [kind]: one?.records[kind] ?? nothing })
    }
    return records
  }

  /** What is still being read for the first time. */
  reading(): Reading[] {
    const all: Reading[] = []
    for (const { part, run } of this.#started.values())
      this.#guard(part, 'progress', () => {
        const one = run.reading?.()
        if (one) all.push(one)
      })
    return all
  }

  /** When something about the next of them grows old. */
  nextExpiry(now: number): number {
    let next = Infinity
    for (const { part, run } of this.#started.values())
      this.#guard(part, 'age', () => void (next = Math.min(next, run.nextExpiry?.(now) ?? Infinity)))
    return next
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const { part } of this.#started.values()) this.#end(part)
    await Promise.all(this.#ending)
  }

  #share(): void {
    this.#isUnlisted = this.#desk.listsByNode()
    this.#desk.budget.use(this.enabled(), this.#isUnlisted)
  }

  /** Others stand in for the listing from now on, or no longer do. */
  #shareAnew(): void {
    if (this.#isUnlisted !== this.#desk.listsByNode()) this.#share()
  }

  #begin(part: Part): void {
    this.#guard(part, 'start', () => {
      const run = part.start(this.#desk)
      const loops = runLoops(this.#desk, part, run.loops ?? [])
      const one: Started = { part, run, loops, byNode: new Map(), records: {} }
      this.#started.set(part.name, one)
      for (const node of this.#nodes.values()) this.#watch(one, node)
    })
  }

  #end(part: Part): void {
    const { run, loops, byNode } = this.#started.get(part.name)!
    this.#started.delete(part.name)
    const ending = [loops.stop(), ...[...byNode.values()].map((there) => this.#stopNode(part, there))]
    this.#later(Promise.all(ending).then(() => this.#guard(part, 'end', () => run.stop?.())))
  }

  #watch({ run, part, byNode }: Started, node: WatchedNode): void {
    const { gateway, budget } = this.#desk
    const shares = budget.node(node.name)
    const pay = () => shares.take(part.name)
    const ask: AskNode = async (path, signal, limits) => {
      const answer = await gateway.node(node.name, path, { pay, signal, ...(limits && { limits }) })
      node.answeredAt = answer.at
      return answer
    }
    this.#guard(part, 'start', () => {
      const there = run.node?.(node, ask) ?? {}
      byNode.set(node.name, {
        run: there,
        loops: runLoops(this.#desk, part, there.loops ?? [], node),
      })
    })
  }

  #join(name: string): void {
    const { clock } = this.#desk
    const node = { name, index: this.#nodes.size, breaker: new Breaker(clock), answeredAt: 0 }
    this.#nodes.set(name, node)
    for (const one of this.#started.values()) this.#watch(one, node)
  }

  async #leave(name: string): Promise<void> {
    this.#nodes.delete(name)
    const ending = [...this.#started.values()].map(async ({ part, byNode }) => {
      const there = byNode.get(name)
      byNode.delete(name)
      if (there) await this.#stopNode(part, there)
    })
    await Promise.all(ending)
    if (this.#nodes.has(name)) return // it came back meanwhile
    this.#desk.budget.unwatch(name)
    this.#forget({ node: name })
  }

  async #stopNode(part: Part, { run, loops }: { run: NodeRun; loops: RunningLoops }): Promise<void> {
    const ended = loops.stop()
    try {
      await run.stop?.()
    } catch (err) {
      this.#desk.log.error({ err, part: part.name }, 'a part of the collector did not end cleanly')
    }
    await ended
  }

  #forget(left: { node: string } | { vmid: number }): void {
    for (const { part, run } of this.#started.values()) this.#guard(part, 'leaving', () => run.forget?.(left))
  }

  /** A defect of one part is told, and ends there. */
  #guard({ name }: Part, what: string, act: () => void): void {
    const question = `${name} ${what}`
    try {
      act()
      this.#desk.health.forget(question)
    } catch (cause) {
      noteFailure(this.#desk, question, cause)
    }
  }

  #later(ending: Promise<unknown>): void {
    this.#ending.add(ending)
    void ending.finally(() => this.#ending.delete(ending))
  }
}

const nothing = new Map<string, never>()
