import type { Node } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { freshMs } from './age.ts'
import { nodeKey, toNode, type MapContext } from './map.ts'
import type { RrdMemory } from './memory.ts'
import { newFacts, refresh, type NodeFacts } from './node-facts.ts'
import type { PveNode, PveNodeStatus } from './schema.ts'
import { followRun } from './uptime.ts'

const graceMs = 60_000
/** A cluster has some dozens. A server that lists more does not get a watch for each. */
const mostNodes = 500

/** The nodes of one connection. */
export class NodeCache {
  readonly #facts = new Map<string, NodeFacts>()
  readonly #records = new Map<string, Node>()
  #published: ReadonlyMap<string, Node> = new Map()

  get(name: string): NodeFacts | undefined {
    return this.#facts.get(name)
  }

  names(): string[] {
    return [...this.#facts.keys()]
  }

  get size(): number {
    return this.#facts.size
  }

  /** An empty listing is no evidence that all nodes are gone: some node sent it. */
  list(listed: readonly PveNode[], at: number, freshForMs: number = freshMs.listing): void {
    if (listed.length === 0) return
    const entries = listed.slice(0, mostNodes)
    const seen = new Set(entries.map((entry) => entry.node))
    for (const entry of entries) this.#see(entry, at, freshForMs)
    for (const facts of this.#facts.values()) {
      if (seen.has(facts.name)) continue
      facts.missingSince ??= at
      facts.online = false
      if (at - facts.missingSince >= graceMs) this.#facts.delete(facts.name)
    }
  }

  learnStatus(name: string, status: PveNodeStatus, at: number): void {
    const facts = this.#facts.get(name)
    if (!facts) return
    facts.status = status
    facts.statusAt = at
    facts.reportedUntil = at + freshMs.nodeStatus
    facts.withheld = undefined
    if (facts.listedStatus === 'unknown') facts.online = true
    refresh(facts, at)
  }

  learnRrd(name: string, rrd: RrdMemory, at: number): void {
    const facts = this.#facts.get(name)
    if (!facts) return
    facts.rrd = { ...rrd, at }
    refresh(facts, at)
  }

  learnIdentity(name: string, identity: { host: string | undefined; displayName: string }): void {
    const facts = this.#facts.get(name)
    if (facts) Object.assign(facts, identity)
  }

  /** The node answers, but refuses its report. The listing's figures are used instead. */
  withhold(name: string, reason: string): void {
    const facts = this.#facts.get(name)
    if (!facts || facts.withheld === reason) return
    facts.withheld = reason
    facts.reportedUntil = -Infinity
  }

  setUnreachable(name: string, silent: boolean): void {
    const facts = this.#facts.get(name)
    if (facts) facts.silent = silent
  }

  records(context: MapContext, now?: number): ReadonlyMap<string, Node> {
    let changed = false
    const keys = new Set<string>()
    for (const facts of this.#facts.values()) {
      const key = nodeKey(context.source, facts.name)
      keys.add(key)
      const record = toNode(facts, context, now)
      if (isEqual(record, this.#records.get(key))) continue
      this.#records.set(key, record)
      changed = true
    }
    for (const key of this.#records.keys()) if (!keys.has(key)) changed = this.#records.delete(key) || changed
    if (changed) this.#published = new Map(this.#records)
    return this.#published
  }

  /** The last time that each offline node was online. */
  lost(): ReadonlyMap<string, number | undefined> {
    return new Map(
      [...this.#facts.values()].flatMap(({ name, online, seenAt }) => (online ? [] : [[name, seenAt]])),
    )
  }

  #see(entry: PveNode, at: number, freshForMs: number): void {
    const facts = this.#facts.get(entry.node) ?? newFacts(entry.node)
    this.#facts.set(entry.node, facts)
    const listedStatus = entry.status ?? 'unknown'
    const answersItself = at <= facts.reportedUntil
    facts.freshUntil = Math.max(facts.freshUntil, at + freshForMs)
    facts.missingSince = undefined
    facts.listedStatus = listedStatus
    facts.online = listedStatus === 'online' || (listedStatus === 'unknown' && answersItself)
    if (facts.online) facts.seenAt = at
    // A dead node's line has only sizes. The last figures are more useful.
    if (listedStatus === 'online' || !facts.listed) facts.listed = entry
    facts.run = facts.online ? followRun(facts.run, at, entry.uptime) : undefined
    facts.startedAt = facts.run?.startedAt
    refresh(facts, at)
  }
}
