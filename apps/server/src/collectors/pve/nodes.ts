import type { Node, NodeTemperature } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { freshMs, nextOf } from './age.ts'
import { nodeKey, toNode, type MapContext } from './map.ts'
import { nodeMemory, type MemoryReading, type RrdMemory } from './memory.ts'
import type { PveNode, PveNodeStatus } from './schema.ts'
import { followRun, type Run } from './uptime.ts'

/** Everything known about one node, from the cluster's listing and from the node itself. */
export interface NodeFacts {
  name: string
  displayName: string
  /** address of its web interface */
  host: string | undefined
  listed: PveNode | undefined
  listedStatus: string
  online: boolean
  /** when it was last online, if it ever was; this and all other moments by the monotonic clock */
  seenAt: number | undefined
  /** until then its line in the listing counts as fresh */
  freshUntil: number
  missingSince: number | undefined
  run?: Run | undefined
  startedAt: number | undefined
  status: PveNodeStatus | undefined
  statusAt: number | undefined
  /** until then its own report counts as fresh */
  reportedUntil: number
  rrd: (RrdMemory & { at: number }) | undefined
  memory: (MemoryReading & { total: number }) | undefined
  /** listed as online, but its own address has not answered for a while */
  silent: boolean
  /** what it does not tell us, and why */
  withheld: string | undefined
}

const graceMs = 60_000
const rrdMs = 180_000

/** The nodes of one connection. */
export class NodeBook {
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

  /** An empty listing is no evidence that all nodes are gone: some node gave it. */
  list(entries: readonly PveNode[], at: number, freshForMs: number = freshMs.listing): void {
    if (entries.length === 0) return
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

  learnPlace(name: string, place: { host: string | undefined; displayName: string }): void {
    const facts = this.#facts.get(name)
    if (facts) Object.assign(facts, place)
  }

  /** It answers, but does not report: what the listing tells stands in as far as it goes. */
  withhold(name: string, reason: string): void {
    const facts = this.#facts.get(name)
    if (!facts || facts.withheld === reason) return
    facts.withheld = reason
    facts.reportedUntil = -Infinity
  }

  setSilent(name: string, silent: boolean): void {
    const facts = this.#facts.get(name)
    if (facts) facts.silent = silent
  }

  records(
    context: MapContext,
    temperatureOf?: (node: string) => NodeTemperature | undefined,
    now?: number,
  ): ReadonlyMap<string, Node> {
    let changed = false
    const keys = new Set<string>()
    for (const facts of this.#facts.values()) {
      const key = nodeKey(context.source, facts.name)
      keys.add(key)
      const temperature = temperatureOf?.(facts.name)
      const record = { ...toNode(facts, context, now), ...(temperature && { temperature }) }
      if (isEqual(record, this.#records.get(key))) continue
      this.#records.set(key, record)
      changed = true
    }
    for (const key of this.#records.keys()) if (!keys.has(key)) changed = this.#records.delete(key) || changed
    if (changed) this.#published = new Map(this.#records)
    return this.#published
  }

  /** When something about the next of them grows old. */
  nextExpiry(now: number): number {
    return [...this.#facts.values()].reduce(
      (next, { freshUntil, reportedUntil }) => Math.min(next, nextOf(now, freshUntil, reportedUntil)),
      Infinity,
    )
  }

  /** When those that are off were last on. */
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
    // Of a dead node only the sizes are listed: the last figures are worth more.
    if (listedStatus === 'online' || !facts.listed) facts.listed = entry
    facts.run = facts.online ? followRun(facts.run, at, entry.uptime) : undefined
    facts.startedAt = facts.run?.startedAt
    refresh(facts, at)
  }
}

const newFacts = (name: string): NodeFacts => ({
  name,
  displayName: name,
  host: undefined,
  listed: undefined,
  listedStatus: 'unknown',
  online: false,
  seenAt: undefined,
  freshUntil: -Infinity,
  missingSince: undefined,
  startedAt: undefined,
  status: undefined,
  statusAt: undefined,
  reportedUntil: -Infinity,
  rrd: undefined,
  memory: undefined,
  silent: false,
  withheld: undefined,
})

/** The node's own report, or the listing where it gives none. */
function refresh(facts: NodeFacts, now: number): void {
  const { status, rrd, listed, withheld } = facts
  const total = status?.memory?.total
  const reading = status?.memory && nodeMemory(status.memory, rrd && now - rrd.at <= rrdMs ? rrd : undefined)
  const isListed = listed?.maxmem !== undefined && listed.maxmem > 0 && listed.mem !== undefined
  const hasReport = reading !== undefined && total !== undefined && total > 0
  if (isListed && (!hasReport || withheld !== undefined)) {
    facts.memory = { used: listed.mem!, total: listed.maxmem!, source: 'list', trusted: false }
  } else if (hasReport) facts.memory = { ...reading, total }
}
