import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import type { Condition, Moment, Verdict } from './condition.ts'
import { type ConditionSink, sourceOf } from './evaluation.ts'
import type { Rule, Subject } from './judging.ts'
import type { Lifecycle, Look } from './lifecycle.ts'
import type { Ending } from './stored.ts'
import type { Tracked, TrackedConditions } from './tracked.ts'

/** Answers at least this far apart count as two: slightly below the poll interval of 10 s. */
const usualApartMs = 9_000

export interface TrackingSinkEdges {
  tables: Tables
  tracked: TrackedConditions
  lifecycle: Lifecycle
  /** Called when the unreachable alert of this source fires or resolves. */
  shifted: (source: string) => void
}

/** A condition that its record no longer reports, although other records still may. */
export interface Mute {
  one: Tracked
  /** how it ends unless another record reports it; absent: it stays open */
  end?: { ending: Ending; reason: string } | undefined
}

/** Passes the conditions of one record after another to the lifecycle. One object serves all records. */
export class TrackingSink implements ConditionSink {
  readonly #edges: TrackingSinkEdges
  readonly #look: Look = {
    at: { now: 0, monotonic: 0 },
    isAnswer: false,
    apartMs: usualApartMs,
    isSettings: false,
  }
  #kind: RecordKind = 'nodes'
  #key = ''
  #source = ''
  #mark = 0
  #mute: Mute[] = []

  constructor(edges: TrackingSinkEdges) {
    this.#edges = edges
  }

  /** Set while only the settings have changed. */
  set isSettings(is: boolean) {
    this.#look.isSettings = is
  }

  /** Prepares for a record. Returns whether the record has pending or open conditions. */
  begin(
    { kind, answersApartMs }: Subject,
    key: string,
    record: AnyRecord,
    at: Moment,
    isAnswer: boolean,
  ): boolean {
    this.#kind = kind
    this.#key = key
    this.#source = sourceOf(kind, key, record)
    this.#mark++
    this.#look.at = at
    this.#look.isAnswer = isAnswer
    this.#look.apartMs = answersApartMs ?? usualApartMs
    const { tracked } = this.#edges
    return tracked.ofRecord(kind, key) !== undefined || tracked.isOther(kind, key)
  }

  tracks(id: string): boolean {
    return this.#edges.tracked.get(id) !== undefined
  }

  emit(rule: string, condition: Condition): void {
    const { tracked, lifecycle, shifted } = this.#edges
    const known = tracked.get(condition.id)
    if (!known && condition.verdict !== 'bad') return
    const own = { kind: this.#kind, record: this.#key, source: this.#source, rule }
    const one = known ?? tracked.add({ id: condition.id, ...own, stamp: 0, steps: [] })
    if (!this.#isOwn(one)) {
      if (!knows(condition.verdict)) return
      if (!this.#isMute(one)) return tracked.addOther(one, own.kind, own.record)
      tracked.move(one, own)
    }
    one.stamp = this.#mark
    one.isRestored = false
    one.isMute = !knows(condition.verdict)
    if (one.isMute && this.#hasOthers(one)) {
      one.condition = condition
      lifecycle.rest(one, this.#look.at)
      const { verdict, reason = 'It is not evaluated.' } = condition
      this.#mute.push({ one, end: verdict === 'off' ? { ending: 'off', reason } : undefined })
      return
    }
    const wasOpen = one.open !== undefined
    lifecycle.step(one, condition, this.#look)
    if (this.#kind === 'sources' && wasOpen !== (one.open !== undefined)) shifted(this.#source)
    tracked.dropIfWell(one)
  }

  skip(rule: string, verdict: 'held' | 'off', reason: string): void {
    this.#settle(rule, verdict === 'held' ? undefined : { ending: 'off', reason }, reason)
  }

  finish({ name, namesOnlyBad }: Rule<never>, held: string | undefined): void {
    const end = namesOnlyBad
      ? ({ ending: 'passed', reason: 'Cleared.' } as const)
      : ({ ending: 'gone', reason: 'It is no longer there.' } as const)
    this.#settle(name, held === undefined ? end : undefined, held)
  }

  /** The conditions that their records stopped reporting since the last call. */
  takeMute(): readonly Mute[] {
    if (this.#mute.length === 0) return this.#mute
    const all = this.#mute
    this.#mute = []
    return all
  }

  #isOwn({ kind, record }: Tracked): boolean {
    return kind === this.#kind && record === this.#key
  }

  /**
   * Several records can report the same condition. The first one owns it as long as it exists and knows the
   * state. An alert from before the start belongs to the first record that knows the state.
   */
  #isMute({ kind, record, isMute, isRestored }: Tracked): boolean {
    return isMute === true || isRestored === true || !this.#edges.tables[kind].has(record)
  }

  #hasOthers({ others }: Tracked): boolean {
    return others !== undefined && others.size > 0
  }

  /** Ends or holds the conditions that the rule did not emit. */
  #settle(rule: string, end: Mute['end'], held: string | undefined) {
    const { tracked, lifecycle } = this.#edges
    for (const one of tracked.ofRecord(this.#kind, this.#key) ?? []) {
      if (one.rule !== rule || one.stamp === this.#mark) continue
      one.stamp = this.#mark
      // After a restart the record may be incomplete.
      if (one.isRestored && end?.ending === 'gone') continue
      one.isMute = true
      if (!end && one.condition && held !== undefined)
        one.condition = { ...one.condition, verdict: 'held', reason: held }
      if (!end) lifecycle.rest(one, this.#look.at)
      if (this.#hasOthers(one)) this.#mute.push({ one, end })
      else if (end) {
        lifecycle.end(one, end.ending, end.reason, this.#look.at)
        tracked.dropIfWell(one)
      }
    }
  }
}

const knows = (verdict: Verdict): boolean => verdict !== 'held' && verdict !== 'off'
