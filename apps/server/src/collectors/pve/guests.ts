import type { DiskStatusReason, Guest } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import type { GuestNetwork, GuestOs } from './agent.ts'
import { diskStatusReason, mayCarry } from './disk-status.ts'
import type { DiskUsage } from './filesystems.ts'
import { guestKey, steadyStart, toGuest, type MapContext } from './map.ts'
import { guestMemory, holdTrusted, type HeldReading, type RrdMemory } from './memory.ts'
import { addSample, type Counters, type RateWindow } from './rates.ts'
import type { PveGuest, PveGuestStatus } from './schema.ts'

/** Everything known about one guest, from the listing and from probes. */
export interface GuestFacts {
  vmid: number
  node: string
  status: string
  lock: string | undefined
  /** the last listing that carried figures */
  raw: PveGuest
  /** when that was */
  seenAt: number
  missingSince?: number | undefined
  /** set while the guest is not in the listing, or is there without figures */
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

/** A partial answer must not make guests vanish and come back. */
const graceMs = 60_000
/** Readings that are asked for every few minutes count until they are due again. */
const readingMs = 300_000

/** The guests of one connection. Mapped records are kept until something about them changes. */
export class GuestBook {
  readonly #facts = new Map<number, GuestFacts>()
  readonly #records = new Map<string, Guest>()
  readonly #templates = new Set<number>()
  readonly #dirty = new Set<number>()
  readonly #wanted: { qemu: boolean; lxc: boolean }
  #published: ReadonlyMap<string, Guest> = new Map()
  #context: MapContext | undefined

  constructor(wanted: { qemu: boolean; lxc: boolean }) {
    this.#wanted = wanted
  }

  get(vmid: number): GuestFacts | undefined {
    return this.#facts.get(vmid)
  }

  all(): Iterable<GuestFacts> {
    return this.#facts.values()
  }

  get size(): number {
    return this.#facts.size
  }

  /** A complete listing, of all nodes or of one: what is missing in it for a minute is gone. */
  list(entries: readonly PveGuest[], at: number, node?: string): void {
    const seen = new Set<number>()
    for (const entry of entries) {
      if (!this.#wanted[entry.type]) continue
      const vague = isVague(entry)
      if (entry.template) this.#templates.add(entry.vmid)
      else if (!vague) this.#templates.delete(entry.vmid)
      if (this.#templates.has(entry.vmid)) continue
      // While a guest migrates both nodes may list it: the one that has figures counts.
      if (seen.has(entry.vmid) && (vague || entry.status !== 'running')) continue
      seen.add(entry.vmid)
      const known = this.#facts.get(entry.vmid)
      const facts = known && known.raw.type === entry.type ? known : newFacts(entry, at)
      this.#facts.set(entry.vmid, facts)
      if (vague) lose(facts, entry)
      else see(facts, entry, at)
      this.#dirty.add(entry.vmid)
    }
    for (const facts of this.#facts.values()) {
      const isCovered = node === undefined || facts.node === node
      if (isCovered && !seen.has(facts.vmid)) this.#miss(facts, at)
    }
  }

  /** Something about one guest was learned. Nothing happens if it is gone. */
  learn(vmid: number, change: (facts: GuestFacts) => void, at: number): void {
    const facts = this.#facts.get(vmid)
    if (!facts) return
    change(facts)
    refresh(facts, at)
    this.#dirty.add(vmid)
  }

  /** Unchanged guests keep their record, and an unchanged set keeps its map. */
  records(context: MapContext): ReadonlyMap<string, Guest> {
    const all = !isEqual(context, this.#context)
    this.#context = context
    let changed = false
    for (const vmid of all ? this.#facts.keys() : this.#dirty) {
      const facts = this.#facts.get(vmid)
      const key = guestKey(context.source, vmid)
      if (!facts) {
        changed = this.#records.delete(key) || changed
        continue
      }
      const record = toGuest(facts, context)
      if (isEqual(record, this.#records.get(key))) continue
      this.#records.set(key, record)
      changed = true
    }
    this.#dirty.clear()
    if (changed) this.#published = new Map(this.#records)
    return this.#published
  }

  #miss(facts: GuestFacts, at: number): void {
    facts.missingSince ??= at
    facts.staleSince ??= facts.seenAt
    facts.lock = undefined
    if (at - facts.missingSince >= graceMs) this.#facts.delete(facts.vmid)
    this.#dirty.add(facts.vmid)
  }
}

/** A guest on a node that is gone is listed with its id only. */
const isVague = (entry: PveGuest) =>
  entry.status === undefined || (entry.status === 'unknown' && entry.maxmem === undefined)

const newFacts = (raw: PveGuest, at: number): GuestFacts => ({
  vmid: raw.vmid,
  node: raw.node,
  status: 'unknown',
  lock: undefined,
  raw,
  seenAt: at,
  rates: {},
  windows: {},
  reportFailed: false,
})

function lose(facts: GuestFacts, entry: PveGuest): void {
  facts.missingSince = undefined
  facts.node = entry.node
  facts.status = 'unknown'
  facts.lock = undefined
  facts.startedAt = undefined
  facts.staleSince ??= facts.seenAt
}

function see(facts: GuestFacts, entry: PveGuest, at: number): void {
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
function refresh(facts: GuestFacts, now: number): void {
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
