import type { AnyRecord, RecordKind } from '@pulse/contract'
import { DueQueue } from '../due-queue.ts'
import { raise } from '../raise.ts'
import type { KindPatch, StatePatch } from '../state/patch.ts'
import type { AlertEngine, AlertEngineEdges } from './alert-engine.ts'
import { keepWithinBound } from './beyond-bound.ts'
import type { Moment } from './condition.ts'
import { dateClock } from './date-clock.ts'
import { Evaluation, sourceOf } from './evaluation.ts'
import { TrackingSink, type Mute } from './condition-sink.ts'
import type { Subject } from './judging.ts'
import { Lifecycle } from './lifecycle.ts'
import { restore, snapshot } from './restore.ts'
import { KeptByRules } from './rule-memory.ts'
import { subjects as allSubjects } from './rules/index.ts'
import { Runtime } from './runtime.ts'
import { SettingsPass } from './settings-pass.ts'
import { SourceAnswers } from './source-answers.ts'
import type { AlertChange } from './stored.ts'
import { explain, type Explained } from './trace.ts'
import { readRecordName, recordName, type Tracked, TrackedConditions } from './tracked.ts'
import { unconfirmedMs, unconfirmedReason } from './unconfirmed.ts'
import { AwaitedRecords } from './awaited-records.ts'

/** After a restart, the rules' memory of a record that stays absent is dropped after this time. */
const missedMs = 24 * 3_600_000
/** A failed evaluation is repeated after this time. */
const faultPauseMs = 60_000
const keptKey = 'kept by rules'

export function createAlertEngine(edges: AlertEngineEdges): AlertEngine {
  const { newId, onFault = raise, subjects = allSubjects, recordsAreAnswers = false } = edges
  const pass = new SettingsPass({
    live: edges.tables,
    subjects,
    begin(next, moment) {
      begin(moment)
      config = next
      evaluation.configure(next)
    },
    resume: setTime,
    judge(subject, key, record) {
      sink.isSettings = true
      try {
        evaluate(subject, key, record)
      } finally {
        sink.isSettings = false
      }
    },
    end: endIfOff,
    apply,
  })
  const { tables } = pass
  const subjectOf = new Map(subjects.map((subject) => [subject.kind, subject]))
  const tracked = new TrackedConditions()
  const queue = new DueQueue<string>()
  const kept = new KeptByRules()
  const answers = new SourceAnswers()
  /** monotonic time of the first observation of records that must settle */
  const firstSeen = new Map<string, number>()
  /** sources with an unreachable alert that began or ended in this step */
  const shifted = new Set<string>()
  const awaited = new AwaitedRecords()
  const dateOf = dateClock(edges.moment)
  let config = edges.config
  let changes: AlertChange[] = []
  let at = edges.moment
  const startedAt = at.monotonic
  let wallOffset = at.now - at.monotonic
  const runtime = new Runtime(edges.restored?.memory?.runtime, at)
  let dates = { now: at.now, wallNow: at.now, runtime: runtime.at(at) }

  const lifecycle = new Lifecycle({
    config: () => config,
    newId,
    limits: edges.limits,
    emit(change) {
      changes.push(change)
    },
    later: (what, { id }, when) => offer(`${what} ${id}`, when),
  })

  const evaluation = new Evaluation(config, {
    tables,
    openAlert: (id) => tracked.get(id)?.open?.alert,
    recheckIn: (kind, record, ms) => offer(recordName(kind, record), at.monotonic + ms),
    waitFor: (kind, record, one) => awaited.add(kind, record, recordName(one.kind, one.record)),
    memory: kept,
    onFault,
    onlyMetric: edges.onlyMetric,
  })
  const sink = new TrackingSink({ tables, tracked, lifecycle, shifted: (source) => shifted.add(source) })

  /** The earlier time wins. */
  function offer(key: string, when: number) {
    const known = queue.dueAt(key)
    if (known === undefined || when < known) queue.offer(key, when)
  }

  function evaluate(subject: Subject, key: string, record: AnyRecord, isAnswer = false) {
    if (subject.concerns && !subject.concerns(record as never)) return
    const isWatched = sink.begin(subject, key, record, at, isAnswer)
    evaluation.judge(subject, key, record, dates, isWatched, sink, unripe(subject, key))
    for (const mute of sink.takeMute()) askOthers(mute)
  }

  /** The record no longer reports the condition. Another record that reports it takes over. */
  function askOthers({ one, end }: Mute) {
    const { kind, record } = one
    for (const name of one.others ?? []) {
      evaluateNamed(name, false)
      if (one.kind !== kind || one.record !== record) return
      const other = readRecordName(name)
      if (!tables[other.kind].has(other.record)) tracked.dropOther(one, name)
    }
    if (!end) return
    lifecycle.end(one, end.ending, end.reason, at)
    tracked.dropIfWell(one)
  }

  function unripe({ kind, settlesMs }: Subject, key: string): string | undefined {
    if (settlesMs === undefined) return undefined
    const name = recordName(kind, key)
    const since = firstSeen.get(name) ?? at.monotonic
    firstSeen.set(name, since)
    const leftMs = since + settlesMs - at.monotonic
    if (leftMs <= 0) return undefined
    offer(name, at.monotonic + leftMs)
    return 'Still collecting data.'
  }

  function evaluateNamed(name: string, isAnswer: boolean) {
    const { kind, record: key } = readRecordName(name)
    const subject = subjectOf.get(kind)
    const record = tables[kind].get(key)
    if (subject && record) evaluate(subject, key, record, isAnswer)
  }

  function remove(kind: RecordKind, key: string) {
    const name = recordName(kind, key)
    for (const one of tracked.ofRecord(kind, key) ?? []) askOthers({ one, end: isGone })
    kept.forget(kind, key)
    evaluation.forget(kind, key)
    firstSeen.delete(name)
    awaited.forget(name)
    queue.remove(name)
  }

  function take(kind: RecordKind, subject: Subject | undefined, { put, remove: gone }: KindPatch<AnyRecord>) {
    for (const key of gone) remove(kind, key)
    if (!subject) return
    if (subject.together) for (const [key, record] of tables[kind]) evaluate(subject, key, record)
    else for (const [key, record] of put) evaluate(subject, key, record, recordsAreAnswers)
  }

  /** Evaluates a source's pending and open conditions again: it answered, became unreachable or came back. */
  function lookAt(source: string, { isAnswer, isTurn }: { isAnswer: boolean; isTurn: boolean }) {
    const names = new Set<string>()
    if (isTurn && tables.sources.get(source)?.siteUnreachableSince !== undefined) restartDelays(source)
    for (const one of tracked.ofSource(source))
      if (isTurn || one.pending) names.add(recordName(one.kind, one.record))
      else if (isAnswer && !isStale(tables[one.kind].get(one.record))) lifecycle.seen(one, at)
    for (const name of names) evaluateNamed(name, isAnswer)
  }

  /** Time without word from its site confirms nothing: delays restart when the site is back. */
  function restartDelays(source: string) {
    for (const one of tracked.ofSource(source)) {
      one.pending = undefined
      tracked.dropIfWell(one)
    }
  }

  /** The sites of these sources are back. Joined records were not judged meanwhile, and have not changed. */
  function judgeJoined(sources: ReadonlySet<string>) {
    if (sources.size === 0) return
    for (const subject of subjects.filter(({ isJoined }) => isJoined))
      for (const [key, record] of tables[subject.kind])
        if (sources.has(sourceOf(subject.kind, key, record))) evaluate(subject, key, record)
  }

  /** Advances the time. `finish` returns all changes since then. */
  function begin(moment: Moment) {
    setTime(moment)
    evaluation.begin()
  }
  function setTime(moment: Moment) {
    at = moment
    dates = { now: dateOf(at), wallNow: at.monotonic + wallOffset, runtime: runtime.at(at) }
  }
  /** While settings are being applied, only the last step returns the changes. */
  function finish(): AlertChange[] {
    if (pass.isUnderWay) return []
    evaluateShifted()
    const finished = changes
    changes = []
    return finished
  }
  function evaluateShifted() {
    for (const source of shifted) lookAt(source, { isAnswer: false, isTurn: true })
    shifted.clear()
    keepWithinBound(lifecycle, tracked, at)
  }

  function apply(patch: StatePatch, moment: Moment) {
    // Sources send wall times. After a clock change, the next patch corrects the offset.
    wallOffset = moment.now - moment.monotonic
    begin(moment)
    const news = answers.take(patch.sources, tables.sources)
    const parts = patch as Partial<Record<RecordKind, KindPatch<AnyRecord>>>
    for (const subject of subjects) {
      const part = parts[subject.kind]
      if (part) take(subject.kind, subject, part)
    }
    for (const kind of Object.keys(parts) as RecordKind[]) {
      if (!subjectOf.has(kind)) take(kind, undefined, parts[kind]!)
      for (const name of awaited.take(kind, parts[kind]!.put)) evaluateNamed(name, false)
    }
    for (const source of new Set([...news.turned, ...news.answered]))
      lookAt(source, { isAnswer: news.answered.has(source), isTurn: news.turned.has(source) })
    judgeJoined(news.returned)
  }

  function expire(key: string) {
    const id = key.slice(key.indexOf(' ') + 1)
    if (key.startsWith('flapping ')) lifecycle.release(id, tracked.get(id), at)
    else if (key.startsWith('resolved ')) {
      const again = lifecycle.resolved.expire(id, at.monotonic)
      if (again !== undefined) offer(key, again)
    } else if (key === keptKey) kept.keepOnly((kind, record) => tables[kind]?.has(record))
    else if (key.startsWith('unconfirmed ')) judgeUnconfirmed(tracked.get(id), key)
    else evaluateNamed(key, subjectOf.get(readRecordName(key).kind)?.looksByItself ?? false)
  }

  /** One failure does not stop the other due entries. */
  function expireSafely(key: string) {
    try {
      expire(key)
    } catch (error) {
      offer(key, at.monotonic + faultPauseMs)
      onFault(error)
    }
  }

  /** No record has reported the condition since the start, or no rule reports it any more. */
  function judgeUnconfirmed(one: Tracked | undefined, key: string) {
    if (!one?.isRestored) return
    const isAsked = subjectOf.get(one.kind)?.rules.some(({ name }) => name === one.rule) ?? false
    if (isAsked && unconfirmedReason(one, tables, at.monotonic - startedAt) !== undefined) {
      offer(key, at.monotonic + unconfirmedMs)
      return
    }
    one.isRestored = false
    if (isAsked && tables[one.kind].has(one.record)) evaluateNamed(recordName(one.kind, one.record), false)
    else askOthers({ one, end: isGone })
  }

  function endIfOff() {
    if (config.enabled) return
    for (const one of tracked.all()) {
      lifecycle.end(one, 'off', 'Alerts are switched off.', at)
      tracked.dropIfWell(one)
    }
  }

  function each(ids: Iterable<string>, step: (one: Tracked) => void) {
    for (const id of ids) {
      const one = tracked.get(id)
      if (one?.open) step(one)
    }
    return finish()
  }

  for (const [key, when] of restore(edges.restored, { tracked, lifecycle, kept, at, unconfirmedMs }))
    offer(key, when)
  if (kept.size > 0) offer(keptKey, at.monotonic + missedMs)

  return {
    apply(patch, moment) {
      if (pass.isDelayed(patch, moment)) return []
      apply(patch, moment)
      return finish()
    },
    due(moment) {
      if (pass.isBusy) return []
      begin(moment)
      for (let next = queue.nextAt(); next !== undefined && next <= at.monotonic; next = queue.nextAt())
        expireSafely(queue.take()!)
      lifecycle.flapping.prune(at.monotonic)
      return finish()
    },
    nextDue: () => (pass.isBusy ? undefined : queue.nextAt()),
    configure: (next, moment) => pass.configure(next, moment),
    step() {
      pass.step()
      return finish()
    },
    get isBusy() {
      return pass.isBusy
    },
    acknowledge(ids, user, moment) {
      begin(moment)
      return each(ids, (one) => lifecycle.acknowledge(one, user, at))
    },
    unacknowledge(ids, moment) {
      begin(moment)
      return each(ids, (one) => lifecycle.unacknowledge(one, at))
    },
    clear(ids, moment) {
      begin(moment)
      return each(ids, (one) => {
        lifecycle.end(one, 'cleared', 'It was cleared by an administrator.', at)
      })
    },
    notified(notices, moment) {
      begin(moment)
      for (const notice of notices) {
        const one = tracked.get(notice.alertId)
        if (one) lifecycle.notified(one, notice, at)
      }
      return finish()
    },
    active: () => lifecycle.active,
    recentlyResolved: () => lifecycle.resolved.shown,
    explain(what, moment) {
      begin(moment)
      const asked: Explained = {
        tracked,
        lifecycle,
        tables,
        subjects,
        evaluation,
        dates,
        at,
        unripe,
      }
      return explain(what, asked)
    },
    snapshot: (moment) => snapshot({ tracked, lifecycle, kept, at: moment }, runtime.store(moment)),
    get size() {
      return {
        tracked: tracked.size,
        due: queue.size,
        remembered: lifecycle.resolved.size + lifecycle.flapping.size,
        kept: kept.size + awaited.size,
      }
    },
  }
}

const isGone = { ending: 'gone', reason: 'It is no longer there.' } as const

const isStale = (record: AnyRecord | undefined): boolean =>
  record !== undefined && 'staleSince' in record && record.staleSince !== undefined
