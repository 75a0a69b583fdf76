import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import type { Condition, Moment } from './condition.ts'
import type { Heard } from './evaluation.ts'
import type { Subject } from './judging.ts'
import type { Lifecycle, Look } from './lifecycle.ts'
import type { Tracked, TrackedConditions } from './tracked.ts'

/** Two answers of a source that count as two: a little less than the usual rhythm of ten seconds. */
const usualApartMs = 9_000

export interface HearingEdges {
  tables: Tables
  tracked: TrackedConditions
  lifecycle: Lifecycle
  /** It is told, or not any more, that this source is away. */
  shifted: (source: string) => void
}

/** Hands on what the rules say of one record after the other. There is one, for there are many records. */
export class Hearing implements Heard {
  readonly #edges: HearingEdges
  readonly #look: Look = { at: { now: 0, monotonic: 0 }, isAnswer: false, apartMs: usualApartMs }
  #kind: RecordKind = 'nodes'
  #key = ''
  #source = ''
  #mark = 0

  constructor(edges: HearingEdges) {
    this.#edges = edges
  }

  /** Whether something of the record is pending or open. */
  begin(
    { kind, answersApartMs }: Subject,
    key: string,
    record: AnyRecord,
    at: Moment,
    isAnswer: boolean,
  ): boolean {
    this.#kind = kind
    this.#key = key
    // A source is a record of its own: its key is that of the source.
    this.#source = kind === 'sources' || !('source' in record) ? key : record.source
    this.#mark++
    this.#look.at = at
    this.#look.isAnswer = isAnswer
    this.#look.apartMs = answersApartMs ?? usualApartMs
    return this.#edges.tracked.ofRecord(kind, key) !== undefined
  }

  follows(id: string): boolean {
    return this.#edges.tracked.get(id) !== undefined
  }

  said(rule: string, condition: Condition): void {
    const { tracked, lifecycle, shifted } = this.#edges
    const known = tracked.get(condition.id)
    if (known && !this.#isHis(known)) return
    if (!known && condition.verdict !== 'bad') return
    const one = known ?? this.#track(rule, condition.id)
    one.stamp = this.#mark
    const wasOpen = one.open !== undefined
    lifecycle.step(one, condition, this.#look)
    if (this.#kind === 'sources' && wasOpen !== (one.open !== undefined)) shifted(this.#source)
    tracked.dropIfWell(one)
  }

  unasked(rule: string, verdict: 'held' | 'off', reason: string): void {
    this.#settle(rule, verdict === 'held' ? reason : undefined, reason)
  }

  done(rule: string, held: string | undefined): void {
    this.#settle(rule, held, 'It is no longer there.')
  }

  #track(rule: string, id: string): Tracked {
    const one = { id, kind: this.#kind, record: this.#key, source: this.#source, rule, stamp: 0, steps: [] }
    return this.#edges.tracked.add(one)
  }

  /** One condition that several records tell is that of the one that told it first, while it is there. */
  #isHis({ kind, record }: Tracked): boolean {
    return (kind === this.#kind && record === this.#key) || !this.#edges.tables[kind].has(record)
  }

  /** What the rule has not named. */
  #settle(rule: string, held: string | undefined, reason: string) {
    const { tracked, lifecycle } = this.#edges
    for (const one of tracked.ofRecord(this.#kind, this.#key) ?? []) {
      if (one.rule !== rule || one.stamp === this.#mark) continue
      one.stamp = this.#mark
      if (held === undefined) {
        lifecycle.end(one, 'passed', reason, this.#look.at)
        tracked.dropIfWell(one)
      } else if (one.condition) one.condition = { ...one.condition, verdict: 'held', reason: held }
    }
  }
}
