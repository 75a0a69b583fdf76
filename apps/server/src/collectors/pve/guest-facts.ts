import type { DiskStatusReason } from '@pulse/contract'
import type { GuestNetwork, GuestOs } from './agent.ts'
import { diskStatusReason, mayCarry } from './disk-status.ts'
import type { DiskUsage } from './filesystems.ts'
import { guestMemory, holdTrusted, type HeldReading, type RrdMemory } from './memory.ts'
import { addSample, type Counters, type RateWindow } from './rates.ts'
import type { PveGuest, PveGuestStatus } from './schema.ts'
import { steadyStart } from './uptime.ts'

/** Everything known about one guest, from the listing and from probes. */
export interface GuestFacts {
  vmid: number
  node: string
  status: string
  lock: string | undefined
  /** the last listing that carried figures */
  raw: PveGuest
  /** when that was; this and all other moments by the monotonic clock */
  seenAt: number
  /** until then the listing counts as fresh */
  freshUntil: number
  missingSince?: number | undefined
  /** set while the guest is not in the listing, is there without figures, or the listing is old */
  staleSince?: number | undefined
  startedAt?: number | undefined
  memory?: HeldReading | undefined
  balloon?: number | undefined
  swapUsed?: number | undefined
  swapTotal?: number | undefined
  disks?: (DiskUsage & { at: number }) | undefined
  diskReason?: DiskStatusReason | undefined
  network?: GuestNetwork | undefined
  os?: GuestOs | undefined
  rates: Partial<Record<'networkIn' | 'networkOut' | 'diskRead' | 'diskWrite', number | undefined>>
  windows: { network?: RateWindow; disk?: RateWindow }
  report?: { value: PveGuestStatus; at: number } | undefined
  reportFailed: boolean
  diskFailure?: DiskStatusReason | undefined
  agentMemory?: { available: number; total: number; at: number } | undefined
  rrdMemory?: (RrdMemory & { at: number }) | undefined
}

/** Readings that are asked for every few minutes count until they are due again. */
const readingMs = 300_000

/** A guest on a node that is gone is listed with its id only. */
export const isVague = (entry: PveGuest) =>
  entry.status === undefined || (entry.status === 'unknown' && entry.maxmem === undefined)

export const newFacts = (raw: PveGuest, at: number): GuestFacts => ({
  vmid: raw.vmid,
  node: raw.node,
  status: 'unknown',
  lock: undefined,
  raw,
  seenAt: at,
  freshUntil: at,
  rates: {},
  windows: {},
  reportFailed: false,
})

/** It is listed, but nothing is said about it. */
export function lose(facts: GuestFacts, entry: PveGuest): void {
  facts.missingSince = undefined
  facts.node = entry.node
  facts.status = 'unknown'
  facts.lock = undefined
  facts.startedAt = undefined
  facts.staleSince ??= facts.seenAt
}

/** It is listed with its figures. */
export function see(facts: GuestFacts, entry: PveGuest, at: number): void {
  facts.missingSince = undefined
  facts.staleSince = undefined
  facts.raw = entry
  facts.node = entry.node
  facts.status = entry.status ?? 'unknown'
  facts.lock = entry.lock?.trim() || undefined
  facts.seenAt = at
  const startedAt = facts.status === 'running' ? steadyStart(facts.startedAt, at, entry.uptime) : undefined
  if (facts.status !== 'running' || (facts.startedAt !== undefined && startedAt !== facts.startedAt))
    forget(facts)
  facts.startedAt = startedAt
  const { netin = 0, netout = 0, diskread = 0, diskwrite = 0 } = entry
  if (netin > 0 || netout > 0) sample(facts, 'network', 'listing', at, [netin, netout])
  if (diskread > 0 || diskwrite > 0) sample(facts, 'disk', 'listing', at, [diskread, diskwrite])
  refresh(facts, at)
}

/** What was measured in an earlier run of the guest says nothing about this one. */
function forget(facts: GuestFacts): void {
  facts.windows = {}
  facts.rates = {}
  facts.memory = undefined
  facts.report = undefined
  facts.reportFailed = false
  facts.agentMemory = undefined
  facts.rrdMemory = undefined
  facts.diskFailure = undefined
}

/** status/current counts where the listing does not: its counters come every minute or two. */
export function sampleReport(facts: GuestFacts, value: PveGuestStatus, at: number): void {
  const { netin = 0, netout = 0, diskread = 0, diskwrite = 0 } = value
  if (!facts.raw.netin && !facts.raw.netout) sample(facts, 'network', 'report', at, [netin, netout])
  if (!facts.raw.diskread && !facts.raw.diskwrite) sample(facts, 'disk', 'report', at, [diskread, diskwrite])
}

function sample(
  facts: GuestFacts,
  pair: 'network' | 'disk',
  report: string,
  at: number,
  counters: Counters,
): void {
  // The node is part of the origin: counters begin anew after a migration.
  const window = addSample(facts.windows[pair], `${report} ${facts.node}`, at, counters)
  if (window === facts.windows[pair]) return
  facts.windows[pair] = window
  const [first, second] = window.rates ?? []
  facts.rates = {
    ...facts.rates,
    ...(pair === 'network'
      ? { networkIn: first, networkOut: second }
      : { diskRead: first, diskWrite: second }),
  }
}

/** What follows from several sources, or from how old they are. */
export function refresh(facts: GuestFacts, now: number): void {
  const { raw, report, agentMemory, rrdMemory, disks } = facts
  const fresh = <T extends { at: number }>(reading: T | undefined) =>
    reading && now - reading.at <= readingMs ? reading : undefined
  const running = facts.status === 'running'
  if (running) {
    const sources = { mem: raw.mem, maxmem: raw.maxmem, status: fresh(report)?.value }
    const reading = guestMemory({ ...sources, rrd: fresh(rrdMemory), agent: fresh(agentMemory) })
    facts.memory = holdTrusted(facts.memory, reading, now)
  }
  if (raw.type !== 'qemu' || facts.status === 'unknown') return
  const situation = {
    running,
    statusFailed: facts.reportFailed,
    agentEnabled: report?.value.agent ?? (report && false),
  }
  facts.diskReason = diskStatusReason({
    ...situation,
    failure: facts.diskFailure,
    hasDisks: disks !== undefined,
    allocatedBytes: raw.maxdisk ?? 0,
  })
  if (disks && !mayCarry(facts.diskReason, disks.at, now)) {
    facts.disks = undefined
  }
}
