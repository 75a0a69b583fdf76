import type { Guest } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { atOnce } from '@pulse/domain'
import { freshMs } from './age.ts'
import { isVague, lose, newFacts, refresh, see, type GuestFacts } from './guest-facts.ts'
import { isSameLine } from './guest-line.ts'
import { guestKey, toGuest, type MapContext } from './map.ts'
import type { PveGuest } from './schema.ts'

/** A partial answer must not make guests vanish and come back. */
const graceMs = 60_000
/** A cluster has some thousands. This limits a server that lists more, or different guests each time. */
export const mostGuests = 50_000
/** Guests processed before yielding to the event loop. */
export const guestsPerStep = 250

/** The guests of one connection. A mapped record is kept until its data changes. */
export class GuestCache {
  readonly #facts = new Map<number, GuestFacts>()
  readonly #records = new Map<string, Guest>()
  readonly #templates = new Set<number>()
  readonly #dirty = new Set<number>()
  readonly #gone = new Set<number>()
  readonly #most: number
  /** the number of guests beyond the limit, by node; undefined for the cluster's listing */
  readonly #leftOut = new Map<string | undefined, number>()
  #wanted: { qemu: boolean; lxc: boolean }
  #published: ReadonlyMap<string, Guest> = new Map()
  #context: MapContext | undefined
  #changed = false

  constructor(wanted: { qemu: boolean; lxc: boolean }, most = mostGuests) {
    this.#wanted = wanted
    this.#most = most
  }

  /** Sets the kinds to show. Others disappear at once, and return with the next listing. */
  want(wanted: { qemu: boolean; lxc: boolean }): void {
    this.#wanted = wanted
    for (const { vmid, raw } of this.#facts.values()) {
      if (wanted[raw.type]) continue
      this.#drop(vmid)
    }
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

  /** A sentence while more guests are listed than the limit. */
  get excess(): string | undefined {
    const leftOut = [...this.#leftOut.values()].reduce((sum, count) => sum + count, 0)
    if (leftOut === 0) return undefined
    const listed = (this.#facts.size + leftOut).toLocaleString('en-US')
    return `${this.#facts.size.toLocaleString('en-US')} of ${listed} guests are shown, which is the limit of one connection`
  }

  /** Guests removed since the last call. */
  takeRemoved(): number[] {
    const gone = [...this.#gone].filter((vmid) => !this.#facts.has(vmid))
    this.#gone.clear()
    return gone
  }

  /** Takes over a complete listing, of all nodes or one. A guest missing for a minute is removed. */
  list(
    entries: readonly PveGuest[],
    at: number,
    node?: string,
    freshForMs: number = node === undefined ? freshMs.listing : freshMs.nodeGuests,
  ): void {
    atOnce(this.listing(entries, at, node, freshForMs))
  }

  /** The same in steps. */
  *listing(
    entries: readonly PveGuest[],
    at: number,
    node: string | undefined,
    freshForMs: number,
  ): Generator<void, void, undefined> {
    const seen = new Set<number>()
    if (this.#templates.size > this.#most) this.#templates.clear()
    let taken = 0
    let leftOut = 0
    for (const entry of entries) {
      if (taken > 0 && taken % guestsPerStep === 0) yield
      taken++
      if (!this.#wanted[entry.type]) continue
      const vague = isVague(entry)
      if (entry.template) this.#templates.add(entry.vmid)
      else if (!vague) this.#templates.delete(entry.vmid)
      if (this.#templates.has(entry.vmid)) continue
      const known = this.#facts.get(entry.vmid)
      if (!known && this.#facts.size >= this.#most) {
        leftOut++
        continue
      }
      // Both nodes may list a migrating guest. The one with figures counts.
      if (seen.has(entry.vmid) && (vague || entry.status !== 'running')) continue
      seen.add(entry.vmid)
      const facts = known && known.raw.type === entry.type ? known : newFacts(entry, at)
      if (facts !== known) this.#facts.set(entry.vmid, facts)
      // An unchanged line keeps its identity, and little else can be new then.
      const isKnown = facts === known && !vague && isSameLine(facts.raw, entry)
      const before = isKnown ? shownOf(facts) : undefined
      if (vague) lose(facts, entry)
      else {
        see(facts, isKnown ? facts.raw : entry, at)
        facts.freshUntil = at + freshForMs
      }
      if (!before || !isSame(before, shownOf(facts))) this.#dirty.add(entry.vmid)
    }
    if (node === undefined) this.#leftOut.clear()
    this.#leftOut.set(node, leftOut)
    for (const facts of this.#facts.values()) {
      const isCovered = node === undefined || facts.node === node
      if (isCovered && !seen.has(facts.vmid)) this.#miss(facts, at, leftOut > 0)
    }
  }

  /** Changes the facts of one guest. Does nothing if the guest is gone. */
  learn(vmid: number, change: (facts: GuestFacts) => void, at: number): void {
    const facts = this.#facts.get(vmid)
    if (!facts) return
    change(facts)
    refresh(facts, at)
    this.#dirty.add(vmid)
  }

  /** Unchanged guests keep their record, and an unchanged set keeps its map. */
  records(context: MapContext, now = -Infinity): ReadonlyMap<string, Guest> {
    atOnce(this.map(context, now))
    if (this.#changed) this.#published = new Map(this.#records)
    this.#changed = false
    return this.#published
  }

  /** Maps changes in steps, so that `records` has little work left. */
  *map(context: MapContext, now: number): Generator<void, void, undefined> {
    this.#expire(now)
    if (!isEqual(context, this.#context)) for (const vmid of this.#facts.keys()) this.#dirty.add(vmid)
    this.#context = context
    let mapped = 0
    for (const vmid of this.#dirty) {
      if (mapped > 0 && mapped % guestsPerStep === 0) yield
      mapped++
      this.#dirty.delete(vmid)
      this.#mapOne(vmid, context)
    }
  }

  #mapOne(vmid: number, context: MapContext): void {
    const facts = this.#facts.get(vmid)
    const key = guestKey(context.source, vmid)
    if (!facts) {
      if (this.#records.delete(key)) this.#changed = true
      return
    }
    const record = toGuest(facts, context)
    if (isEqual(record, this.#records.get(key))) return
    this.#records.set(key, record)
    this.#changed = true
  }

  #expire(now: number): void {
    for (const facts of this.#facts.values()) {
      if (facts.staleSince !== undefined || now <= facts.freshUntil) continue
      facts.staleSince = facts.seenAt
      this.#dirty.add(facts.vmid)
    }
  }

  #miss(facts: GuestFacts, at: number, isRoomWanted: boolean): void {
    facts.missingSince ??= at
    facts.staleSince ??= facts.seenAt
    if (at - facts.missingSince >= graceMs || isRoomWanted) this.#drop(facts.vmid)
    this.#dirty.add(facts.vmid)
  }

  #drop(vmid: number): void {
    this.#facts.delete(vmid)
    this.#dirty.add(vmid)
    this.#gone.add(vmid)
  }
}

/** The parts of a record that a listing can change. */
const shownOf = (facts: GuestFacts): unknown[] => [
  facts.raw,
  facts.node,
  facts.status,
  facts.lock,
  facts.halted,
  facts.staleSince,
  facts.run?.startedAt,
  facts.rates,
  facts.memory?.used,
  facts.memoryEstimate,
  facts.disks,
  facts.diskReason,
]

const isSame = (a: readonly unknown[], b: readonly unknown[]) => a.every((one, index) => one === b[index])
