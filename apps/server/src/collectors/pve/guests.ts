import type { Guest } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { freshMs, nextOf } from './age.ts'
import { isVague, lose, newFacts, refresh, see, type GuestFacts } from './guest-facts.ts'
import { guestKey, toGuest, type MapContext } from './map.ts'
import type { PveGuest } from './schema.ts'

/** A partial answer must not make guests vanish and come back. */
const graceMs = 60_000
/** The guests of one connection. Mapped records are kept until something about them changes. */
export class GuestBook {
  readonly #facts = new Map<number, GuestFacts>()
  readonly #records = new Map<string, Guest>()
  readonly #templates = new Set<number>()
  readonly #dirty = new Set<number>()
  readonly #gone = new Set<number>()
  #wanted: { qemu: boolean; lxc: boolean }
  #published: ReadonlyMap<string, Guest> = new Map()
  #context: MapContext | undefined

  constructor(wanted: { qemu: boolean; lxc: boolean }) {
    this.#wanted = wanted
  }

  /** Which kinds are shown from now on; the others go at once, and come back with the next listing. */
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

  /** Those that left since this was asked last. */
  takeGone(): number[] {
    const gone = [...this.#gone].filter((vmid) => !this.#facts.has(vmid))
    this.#gone.clear()
    return gone
  }

  /** A complete listing, of all nodes or of one: what is missing in it for a minute is gone. */
  list(
    entries: readonly PveGuest[],
    at: number,
    node?: string,
    freshForMs: number = node === undefined ? freshMs.listing : freshMs.nodeGuests,
  ): void {
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
      else {
        see(facts, entry, at)
        facts.freshUntil = at + freshForMs
      }
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
  records(context: MapContext, now = -Infinity): ReadonlyMap<string, Guest> {
    this.#expire(now)
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

  /** When the next of them grows old. */
  nextExpiry(now: number): number {
    let next = Infinity
    for (const { freshUntil, staleSince } of this.#facts.values()) {
      if (staleSince === undefined) next = Math.min(next, nextOf(now, freshUntil))
    }
    return next
  }

  #expire(now: number): void {
    for (const facts of this.#facts.values()) {
      if (facts.staleSince !== undefined || now <= facts.freshUntil) continue
      facts.staleSince = facts.seenAt
      this.#dirty.add(facts.vmid)
    }
  }

  #miss(facts: GuestFacts, at: number): void {
    facts.missingSince ??= at
    facts.staleSince ??= facts.seenAt
    facts.lock = undefined
    if (at - facts.missingSince >= graceMs) this.#drop(facts.vmid)
    this.#dirty.add(facts.vmid)
  }

  #drop(vmid: number): void {
    this.#facts.delete(vmid)
    this.#dirty.add(vmid)
    this.#gone.add(vmid)
  }
}
