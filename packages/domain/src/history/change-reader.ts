import { type AnyRecord, META_ID, type RecordKind } from '@pulse/contract'
import type { Clock } from '../clock.ts'
import type { KindPatch, StatePatch } from '../state/patch.ts'
import type { Tables } from '../state/tables.ts'
import { STEP } from '../wire/in-steps.ts'
import { type Fields, loggedChange, loggedKinds, toLogged } from './logged-fields.ts'

/** One event for the log of changes; `at` in ms since 1970. */
export type ChangeEntry =
  | { at: number; kind: RecordKind; id: string; do: 'put'; fields: Fields }
  | { at: number; kind: RecordKind; id: string; do: 'set'; fields: Fields }
  | { at: number; kind: RecordKind; id: string; do: 'remove' }
  | Listing
  | ClockSteps

/** The records of a kind that these sources have, in slices. After the last slice, their other records are gone. */
export interface Listing {
  at: number
  kind: RecordKind
  do: 'list'
  sources: string[]
  ids: string[]
  isLast: boolean
}

/** The steps of the wall clock of the last hour, the latest last. Each moves the start times of all records. */
export interface ClockSteps {
  at: number
  do: 'clock'
  stepsMs: readonly number[]
}

/** Start times that differ by less count as the same, and NTP corrects a clock by less all the time. */
const leastStepMs = 30_000
/** A source that was silent reports the steps since its last answer at once. */
const mostSteps = 10
/** All sources have answered since. For longer, a step would hide real restarts of the same distance. */
const stepCountsMs = 3_600_000

/**
 * Turns patches of the state into changes of the fields that are logged. It compares with the records of the patches
 * before, which the state holds anyway.
 */
export class ChangeReader {
  readonly #known = new Map<RecordKind, Map<string, AnyRecord>>()
  readonly #kinds = orderedKinds()
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>
  #wallOffset: number
  #steps: readonly { ms: number; at: number }[] = []

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock
    this.#wallOffset = clock.now() - clock.monotonic()
  }

  read(patch: StatePatch): ChangeEntry[] {
    const at = this.#clock.now()
    const entries: ChangeEntry[] = this.#hasStepped() ? [this.#lastSteps()] : []
    for (const kind of this.#kinds) {
      const change = patch[kind] as KindPatch<AnyRecord> | undefined
      if (!change) continue
      const known = this.#of(kind)
      for (const id of change.remove) if (known.delete(id)) entries.push({ at, kind, id, do: 'remove' })
      for (const [id, record] of change.put) {
        const before = known.get(id)
        known.set(id, record)
        if (!before) entries.push({ at, kind, id, do: 'put', fields: toLogged(kind, record) })
        else if (before !== record) {
          const fields = loggedChange(kind, before, record)
          if (fields) entries.push({ at, kind, id, do: 'set', fields })
        }
      }
    }
    return entries
  }

  /** Begins again: everything is sent whole, in steps. Patches that come between the steps are read as usual. */
  *readAll(tables: Tables): Generator<ChangeEntry[], void> {
    const { now } = this.#clock
    this.#known.clear()
    this.#hasStepped()
    yield [this.#lastSteps()]
    for (const kind of this.#kinds) {
      const known = this.#of(kind)
      let entries: ChangeEntry[] = []
      for (const [id, record] of tables[kind] as ReadonlyMap<string, AnyRecord>) {
        if (known.has(id)) continue
        known.set(id, record)
        entries.push({ at: now(), kind, id, do: 'put', fields: toLogged(kind, record) })
        if (entries.length < STEP) continue
        yield entries
        entries = []
      }
      yield entries
    }
  }

  /** What these sources have, in steps. Records without a source belong to the source ''. */
  *list(tables: Tables, sources: ReadonlySet<string>): Generator<Listing, void> {
    const { now } = this.#clock
    for (const kind of this.#kinds) {
      const listing = { kind, do: 'list' as const, sources: [...sources] }
      let ids: string[] = []
      for (const [id, record] of tables[kind] as ReadonlyMap<string, AnyRecord>) {
        if (!sources.has(sourceOf(kind, id, record))) continue
        ids.push(id)
        if (ids.length < STEP) continue
        yield { ...listing, at: now(), ids, isLast: false }
        ids = []
      }
      yield { ...listing, at: now(), ids, isLast: true }
    }
  }

  /** Whether the steps that count are others than at the last call. */
  #hasStepped(): boolean {
    const at = this.#clock.monotonic()
    const ms = this.#clock.now() - at - this.#wallOffset
    const counting = this.#steps.filter((step) => at - step.at < stepCountsMs)
    const isOver = counting.length < this.#steps.length
    this.#steps = counting
    if (Math.abs(ms) < leastStepMs) return isOver
    this.#wallOffset += ms
    this.#steps = [...counting, { ms, at }].slice(-mostSteps)
    return true
  }

  #lastSteps(): ClockSteps {
    return { at: this.#clock.now(), do: 'clock', stepsMs: this.#steps.map(({ ms }) => ms) }
  }

  #of(kind: RecordKind): Map<string, AnyRecord> {
    let known = this.#known.get(kind)
    if (!known) this.#known.set(kind, (known = new Map()))
    return known
  }
}

/** Sources come first, so that the log can tell a new record from one of a new source. */
const orderedKinds = (): RecordKind[] => ['sources', ...loggedKinds().filter((kind) => kind !== 'sources')]

/** The source that a record belongs to. Sources themselves, alerts and the product have none. */
export function sourceOf(kind: RecordKind, id: string, record: object): string {
  const { source = '' } = record as { source?: string }
  return kind === 'sources' || id === META_ID ? '' : source
}
