import type { AnyRecord, RecordKind } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import type { Condition, Moment, Verdict } from './condition.ts'
import type { Heard } from './evaluation.ts'
import type { Rule, Subject } from './judging.ts'
import type { Lifecycle, Look } from './lifecycle.ts'
import type { Ending } from './stored.ts'
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

/** A condition whose record knows nothing of it any more, while others tell the same. */
export interface Mute {
  one: Tracked
  /** how it ends unless another record knows better; absent: it stays as it was */
  end?: { ending: Ending; reason: string } | undefined
}

/** Hands on what the rules say of one record after the other. There is one, for there are many records. */
export class Hearing implements Heard {
  readonly #edges: HearingEdges
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

  constructor(edges: HearingEdges) {
    this.#edges = edges
  }

  /** What is heard until it is set again follows from a change of the settings alone. */
  set isSettings(is: boolean) {
    this.#look.isSettings = is
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
    const { tracked } = this.#edges
    return tracked.ofRecord(kind, key) !== undefined || tracked.isOther(kind, key)
  }

  follows(id: string): boolean {
    return this.#edges.tracked.get(id) !== undefined
  }

  said(rule: string, condition: Condition): void {
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
      const { verdict, reason = 'It is not judged.' } = condition
      this.#mute.push({ one, end: verdict === 'off' ? { ending: 'off', reason } : undefined })
      return
    }
    const wasOpen = one.open !== undefined
    lifecycle.step(one, condition, this.#look)
    if (this.#kind === 'sources' && wasOpen !== (one.open !== undefined)) shifted(this.#source)
    tracked.dropIfWell(one)
  }

  unasked(rule: string, verdict: 'held' | 'off', reason: string): void {
    this.#settle(rule, verdict === 'held' ? undefined : { ending: 'off', reason }, reason)
  }

  done({ name, namesOnlyBad }: Rule<never>, held: string | undefined): void {
    const end = namesOnlyBad
      ? ({ ending: 'passed', reason: 'Cleared.' } as const)
      : ({ ending: 'gone', reason: 'It is no longer there.' } as const)
    this.#settle(name, held === undefined ? end : undefined, held)
  }

  /** What has fallen mute since the last call: others are to be asked. */
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
   * One condition that several records tell is that of the one that told it first, while that is there and knows. Of an alert
   * from before the start the first that knows something is it.
   */
  #isMute({ kind, record, isMute, isRestored }: Tracked): boolean {
    return isMute === true || isRestored === true || !this.#edges.tables[kind].has(record)
  }

  #hasOthers({ others }: Tracked): boolean {
    return others !== undefined && others.size > 0
  }

  /** What the rule has not named. */
  #settle(rule: string, end: Mute['end'], held: string | undefined) {
    const { tracked, lifecycle } = this.#edges
    for (const one of tracked.ofRecord(this.#kind, this.#key) ?? []) {
      if (one.rule !== rule || one.stamp === this.#mark) continue
      one.stamp = this.#mark
      // Its record may not be complete yet: it has a while to name it.
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
