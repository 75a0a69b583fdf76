import type { Alert, RecordKind } from '@pulse/contract'
import type { Condition } from './condition.ts'
import type { Step, StoredAlert, StoredCleared } from './stored.ts'

/** A condition beyond its trigger that has not fired yet. */
export interface Pending {
  /** epoch ms, for display */
  since: number
  /** monotonic */
  sinceAt: number
  /** number of checks that confirmed it */
  samples: number
  /** monotonic time of the last check */
  sampledAt: number
  value: number
}

export interface Open {
  alert: Alert
  episode: string
  trigger: number
  /** monotonic; when the condition began */
  beganAt: number
  /** epoch ms of the last confirmation */
  seen: number
  /** monotonic; when `lastSeen` was last sent */
  reportedAt: number
  /** epoch ms */
  flappingUntil?: number | undefined
  /** It recurred shortly after its end with nearly the same figure. */
  repeats?: true | undefined
  /** Its figure is below the trigger or unknown. */
  noReminder?: true | undefined
}

/** A condition that is pending, open or cleared. */
export interface Tracked {
  id: string
  kind: RecordKind
  record: string
  source: string
  rule: string
  /** its last evaluation; absent after a restart until its record arrives */
  condition?: Condition | undefined
  /** epoch ms */
  judgedAt?: number | undefined
  pending?: Pending | undefined
  open?: Open | undefined
  /**
   * Cleared at this level while it lasted. It fires again only after it has ended, or when it becomes worse.
   */
  cleared?: { level: string; node: string } | undefined
  /** Restored at the start; its record has not reported it since. */
  isRestored?: boolean | undefined
  /** Its record no longer reports it. */
  isMute?: boolean | undefined
  /** names of other records that report the same condition */
  others?: Set<string> | undefined
  /** the last evaluation that emitted it */
  stamp: number
  steps: Step[]
}

const mostSteps = 20

export function addStep(tracked: Tracked, at: number, text: string): void {
  tracked.steps = [...tracked.steps, { at, text }].slice(-mostSteps)
}

export function storedOf(tracked: Tracked, open: Open): StoredAlert {
  const { kind, record, source, rule, steps } = tracked
  const { alert, episode, trigger, flappingUntil, repeats, noReminder } = open
  return {
    alert,
    episode,
    kind,
    record,
    source,
    rule,
    trigger,
    ...(flappingUntil !== undefined && { flappingUntil }),
    ...(repeats && { repeats }),
    ...(noReminder && { noReminder }),
    steps,
  }
}

export const clearedOf = ({ id, kind, record, source, rule, cleared }: Tracked): StoredCleared[] =>
  cleared ? [{ id, kind, record, source, rule, ...cleared }] : []

/** Tracked conditions by id, by record and by source. */
export class TrackedConditions {
  readonly #byId = new Map<string, Tracked>()
  readonly #byRecord = new Map<RecordKind, Map<string, Set<Tracked>>>()
  readonly #bySource = new Map<string, Set<Tracked>>()
  /** by the name of another record that reports the same condition */
  readonly #byOther = new Map<string, Set<Tracked>>()

  get(id: string): Tracked | undefined {
    return this.#byId.get(id)
  }

  all(): IterableIterator<Tracked> {
    return this.#byId.values()
  }

  /** Undefined without any. */
  ofRecord(kind: RecordKind, record: string): ReadonlySet<Tracked> | undefined {
    return this.#byRecord.get(kind)?.get(record)
  }

  ofSource(source: string): readonly Tracked[] {
    return [...(this.#bySource.get(source) ?? [])]
  }

  add(tracked: Tracked): Tracked {
    this.#byId.set(tracked.id, tracked)
    addTo(this.#ofKind(tracked.kind), tracked.record, tracked)
    addTo(this.#bySource, tracked.source, tracked)
    return tracked
  }

  /** Whether the record reports a condition that another record owns. */
  isOther(kind: RecordKind, record: string): boolean {
    return this.#byOther.size > 0 && this.#byOther.has(recordName(kind, record))
  }

  /** Adds a record that reports the same condition. */
  addOther(tracked: Tracked, kind: RecordKind, record: string): void {
    const name = recordName(kind, record)
    tracked.others = (tracked.others ?? new Set()).add(name)
    addTo(this.#byOther, name, tracked)
  }

  dropOther(tracked: Tracked, name: string): void {
    tracked.others?.delete(name)
    removeFrom(this.#byOther, name, tracked)
  }

  /** Moves it to another record that reports the same condition. */
  move(tracked: Tracked, to: Pick<Tracked, 'kind' | 'record' | 'source' | 'rule'>): void {
    const { kind, record } = tracked
    removeFrom(this.#ofKind(kind), record, tracked)
    removeFrom(this.#bySource, tracked.source, tracked)
    this.dropOther(tracked, recordName(to.kind, to.record))
    Object.assign(tracked, to, { isMute: false, isRestored: false })
    addTo(this.#ofKind(to.kind), to.record, tracked)
    addTo(this.#bySource, to.source, tracked)
    this.addOther(tracked, kind, record)
  }

  /** Drops it once it is neither open, pending nor cleared. */
  dropIfWell(tracked: Tracked): void {
    if (tracked.open || tracked.pending || tracked.cleared) return
    this.#byId.delete(tracked.id)
    for (const name of tracked.others ?? []) this.dropOther(tracked, name)
    removeFrom(this.#ofKind(tracked.kind), tracked.record, tracked)
    removeFrom(this.#bySource, tracked.source, tracked)
  }

  #ofKind(kind: RecordKind): Map<string, Set<Tracked>> {
    const known = this.#byRecord.get(kind) ?? new Map<string, Set<Tracked>>()
    this.#byRecord.set(kind, known)
    return known
  }

  get size(): number {
    return this.#byId.size
  }
}

export const recordName = (kind: RecordKind, record: string): string => `${kind} ${record}`

export function readRecordName(name: string): { kind: RecordKind; record: string } {
  const end = name.indexOf(' ')
  return { kind: name.slice(0, end) as RecordKind, record: name.slice(end + 1) }
}

function addTo(sets: Map<string, Set<Tracked>>, key: string, tracked: Tracked) {
  const known = sets.get(key)
  if (known) known.add(tracked)
  else sets.set(key, new Set([tracked]))
}

function removeFrom(sets: Map<string, Set<Tracked>>, key: string, tracked: Tracked) {
  const known = sets.get(key)
  known?.delete(tracked)
  if (known?.size === 0) sets.delete(key)
}
