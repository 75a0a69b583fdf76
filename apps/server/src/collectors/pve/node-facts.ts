import { nodeMemory, type MemoryReading, type RrdMemory } from './memory.ts'
import type { PveNode, PveNodeStatus } from './schema.ts'
import type { Run } from './uptime.ts'

/** The data about one node, from the cluster's listing and from the node itself. */
export interface NodeFacts {
  name: string
  displayName: string
  /** address of its web interface */
  host: string | undefined
  listed: PveNode | undefined
  listedStatus: string
  online: boolean
  /** the last time it was online, if ever; all times here are by the monotonic clock */
  seenAt: number | undefined
  /** its line in the listing counts as fresh until then */
  freshUntil: number
  missingSince: number | undefined
  run?: Run | undefined
  startedAt: number | undefined
  status: PveNodeStatus | undefined
  statusAt: number | undefined
  /** its own report counts as fresh until then */
  reportedUntil: number
  rrd: (RrdMemory & { at: number }) | undefined
  memory: (MemoryReading & { total: number }) | undefined
  /** listed as online, but its own address has not answered for a while */
  silent: boolean
  /** the data that the node withholds, and the reason */
  withheld: string | undefined
}

const rrdMs = 180_000

export const newFacts = (name: string): NodeFacts => ({
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

/** The node's own report, or the listing if it gives none. */
export function refresh(facts: NodeFacts, now: number): void {
  const { status, rrd, listed, withheld } = facts
  const total = status?.memory?.total
  const reading = status?.memory && nodeMemory(status.memory, rrd && now - rrd.at <= rrdMs ? rrd : undefined)
  const isListed = listed?.maxmem !== undefined && listed.maxmem > 0 && listed.mem !== undefined
  const hasReport = reading !== undefined && total !== undefined && total > 0
  if (isListed && (!hasReport || withheld !== undefined)) {
    facts.memory = { used: listed.mem!, total: listed.maxmem!, source: 'list', trusted: false }
  } else if (hasReport) facts.memory = { ...reading, total }
}
