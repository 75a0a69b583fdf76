import { type RecordKind, routineChanges } from '@pulse/contract'
import { sameStartMs } from './found-changes.ts'
import type { Fields } from './logged-fields.ts'
import { noticedOf, type Related } from './noticed-kinds.ts'
import { type ChangeNotice, noticesOf } from './notices.ts'

/** A start reads the lists that a protection is made of one after the other. */
const incompleteMs = 10 * 60_000
/** The begin or end of a backup that is not known more exactly than this is none: its band would be too long. */
const uncertainMs = 5 * 60_000
/** The problems of a protection that are certain before all lists were read. */
const certainWords: readonly unknown[] = ['failed', 'no-job']

interface LogPlace {
  at: number
  kind: RecordKind
  id: string
}

/**
 * Makes notices where one change of a record is not enough: a state that was unknown in between, a virtual machine
 * that was moved while it ran, a clock that was set, and a protection that is incomplete after a start.
 */
export class NoticeMaker {
  /** the last steps of the wall clock, the latest last */
  stepsMs: readonly number[] = []
  readonly #related: Related
  readonly #lastAt: number | undefined
  /** by record: its fields before its state became unknown */
  readonly #known = new Map<string, Fields>()
  /** by virtual machine: when it was seen to have moved; its next start may belong to that */
  readonly #moved = new Map<string, number>()
  /** by protection: the record of before the start */
  readonly #protections = new Map<string, { at: number; fields: Fields }>()

  /** `lastAt`: the last change before Pulse started */
  constructor(related: Related, lastAt?: number) {
    this.#related = related
    this.#lastAt = lastAt
  }

  /** `isWhole`: the record was sent whole, because Pulse started or the changes between were lost. */
  of(
    place: LogPlace,
    before: Fields | undefined,
    after: Fields | undefined,
    isWhole: boolean,
  ): ChangeNotice[] {
    if (place.kind === 'protections') return this.#ofProtection(place, before, after, isWhole)
    const all = noticesOf(place, this.#lastKnown(place, before, after), after, this.#related)
    const staleSince = before?.['staleSince'] as number | undefined
    const knownUntil = staleSince ?? (isWhole ? this.#lastAt : undefined)
    const found = all.filter(
      (one) => !this.#isStep(one, isWhole ? knownUntil : undefined) && !isUncertain(one, knownUntil),
    )
    return place.kind === 'guests' ? this.#ofGuest(place, after, found) : found
  }

  /**
   * Start times are kept as uptimes, so a step of the wall clock moves them with the next answer of each source. While
   * Pulse was off its size is unknown, but a start before the last time that a record was known to run is none.
   */
  #isStep({ at, what, from, to }: ChangeNotice, runUntil: number | undefined): boolean {
    if (what !== 'restarted') return false
    const start = Number(to)
    if (runUntil !== undefined && start <= runUntil && runUntil <= at) return true
    let sumMs = 0
    return this.stepsMs
      .toReversed()
      .some((stepMs) => Math.abs(start - Number(from) - (sumMs += stepMs)) <= sameStartMs)
  }

  /** The node that takes over a running virtual machine starts a process for it, and PVE's uptime is that of the process. */
  #ofGuest({ at, id }: LogPlace, after: Fields | undefined, found: ChangeNotice[]): ChangeNotice[] {
    if (after?.['type'] !== 'qemu') this.#moved.delete(id)
    else if (found.some(({ what }) => what === 'moved')) this.#moved.set(id, at)
    const movedAt = this.#moved.get(id)
    const restart = found.find(({ what }) => what === 'restarted')
    if (movedAt === undefined || !restart) return found
    this.#moved.delete(id)
    return Number(restart.to) <= movedAt + sameStartMs ? found.filter((one) => one !== restart) : found
  }

  /** With the fields of before the state was unknown, once it is known again. */
  #lastKnown({ kind, id }: LogPlace, before: Fields | undefined, after: Fields | undefined) {
    const unknown = noticedOf(kind)?.unknown
    if (!unknown || !before) return before
    const key = `${kind} ${id}`
    const known = this.#known.get(key)
    if (!after || !unknown.is(after)) this.#known.delete(key)
    else if (!unknown.is(before)) this.#known.set(key, before)
    if (!known || !after || unknown.is(after)) return before
    return { ...before, ...Object.fromEntries(unknown.fields.map((field) => [field, known[field]])) }
  }

  /** A problem is new if neither the record of before nor the one of before the start has it. */
  #ofProtection(
    place: LogPlace,
    before: Fields | undefined,
    after: Fields | undefined,
    isWhole: boolean,
  ): ChangeNotice[] {
    const { at, id } = place
    if (isWhole && before) this.#protections.set(id, { at, fields: before })
    const atStart = this.#protections.get(id)
    if (!after || (atStart && at - atStart.at > incompleteMs)) this.#protections.delete(id)
    const found = noticesOf(place, before, after, this.#related)
    if (!atStart || !after || !this.#protections.has(id)) return found
    const since = noticesOf(place, atStart.fields, after, this.#related).map(({ field }) => field)
    return found.filter(({ field }) => since.includes(field) && (!isWhole || certainWords.includes(field)))
  }
}

/** While a source was silent or Pulse was off, a backup may have begun or ended at any time. */
const isUncertain = ({ at, what }: ChangeNotice, knownUntil = at): boolean =>
  routineChanges.includes(what) && at - knownUntil > uncertainMs
